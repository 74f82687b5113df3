import type { TrackerProtocol } from '@milepost/contract';

/** A tracker that can be reached right now. */
export interface DeviceConnection {
  /** Of its vehicle. */
  readonly imei: string;
  /** The tracker's own ID, which its protocol's commands may have to contain. */
  readonly identity: string;
  readonly vehicleId: number;
  readonly protocol: TrackerProtocol;
  /** Where it is. */
  readonly address: string | null;
  /** A command in the protocol's format, as bytes. */
  encode(command: string, reference: number): Uint8Array;
  /** Sends bytes, in order and within this turn. `reference` is the command's. */
  send(bytes: Uint8Array, reference?: number): void;
  /** `reason` is a label of the metric `milepost_tracker_connections_cut_total`. */
  close(reason: string): void;
}

interface Ways {
  current: DeviceConnection;
  heardAt: number;
  /** In order of arrival. */
  waiting: DeviceConnection[];
}

/** After this long a silence of the first, the next one takes over. */
const SILENT_MS = 60_000;
const LOOK_EVERY_MS = 5000;
const WAITING_AT_MOST = 4;

/**
 * The ways to the trackers by IMEI. The first has the vehicle's commands until it is gone: it was closed, or says nothing
 * for a minute while another waits. A tracker that dials in again after losing its network waits that long, too, for
 * it can't be told apart from anyone else who knows its IMEI.
 */
export class DeviceConnections {
  readonly #byImei = new Map<string, Ways>();
  readonly #contested = new Set<Ways>();
  readonly #onAdded: (connection: DeviceConnection) => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(onAdded: (connection: DeviceConnection) => void = () => {}) {
    this.#onAdded = onAdded;
  }

  find(imei: string): DeviceConnection | null {
    return this.#byImei.get(imei)?.current ?? null;
  }

  add(connection: DeviceConnection): void {
    const ways = this.#byImei.get(connection.imei);
    if (!ways) {
      this.#byImei.set(connection.imei, { current: connection, heardAt: Date.now(), waiting: [] });
      this.#onAdded(connection);
      return;
    }
    if (ways.current === connection || ways.waiting.includes(connection)) return;
    ways.waiting.push(connection);
    this.#contested.add(ways);
    this.#timer ??= setInterval(() => this.look(Date.now()), LOOK_EVERY_MS).unref();
    if (ways.waiting.length > WAITING_AT_MOST) ways.waiting.shift()?.close('replaced');
  }

  /** The connection has sent something. */
  heard(connection: DeviceConnection, now: number): void {
    const ways = this.#byImei.get(connection.imei);
    if (ways?.current === connection) ways.heardAt = now;
  }

  remove(connection: DeviceConnection): void {
    const ways = this.#byImei.get(connection.imei);
    if (!ways) return;
    if (ways.current === connection) this.#next(ways);
    else ways.waiting = ways.waiting.filter(each => each !== connection);
  }

  /** Closes silent connections while another waits. */
  look(now: number): void {
    for (const ways of this.#contested) {
      if (ways.waiting.length === 0) this.#contested.delete(ways);
      else if (now - ways.heardAt >= SILENT_MS) {
        const silent = ways.current;
        this.#next(ways, now);
        silent.close('replaced');
      }
    }
    if (this.#contested.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Closes connections of a tracker that its owner no longer allows. */
  closeUnless(imei: string, isAllowed: (connection: DeviceConnection) => boolean): void {
    const { current, waiting = [] } = this.#byImei.get(imei) ?? {};
    for (const connection of [...waiting, ...(current ? [current] : [])]) {
      if (!isAllowed(connection)) connection.close('not-allowed');
    }
  }

  closeAll(reason: string): void {
    for (const { current, waiting } of [...this.#byImei.values()]) {
      for (const connection of [...waiting, current]) connection.close(reason);
    }
  }

  #next(ways: Ways, now = Date.now()): void {
    const next = ways.waiting.shift();
    if (!next) {
      this.#byImei.delete(ways.current.imei);
      return;
    }
    ways.current = next;
    ways.heardAt = now;
    this.#onAdded(next);
  }
}
