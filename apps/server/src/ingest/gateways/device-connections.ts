import type { TrackerProtocol } from '@milepost/contract';
import { ONLY_WAYS, type Ways } from './ways.ts';

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

interface Known {
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
 * it can't be told apart from anyone else who knows its IMEI. Of several nodes, one has a vehicle's commands: to the
 * others, their own connections are waiting ones.
 */
export class DeviceConnections {
  readonly #byImei = new Map<string, Known>();
  readonly #contested = new Set<Known>();
  readonly #onAdded: (connection: DeviceConnection) => void;
  readonly #ways: Ways;
  #timer: NodeJS.Timeout | null = null;

  constructor(onAdded: (connection: DeviceConnection) => void = () => {}, ways = ONLY_WAYS) {
    this.#onAdded = onAdded;
    this.#ways = ways;
  }

  /** The connection for the vehicle's commands. */
  find(imei: string): DeviceConnection | null {
    const first = this.first(imei);
    return first && this.#ways.isMine(first.vehicleId) ? first : null;
  }

  /** The first to this node, though another may have the vehicle's commands. */
  first(imei: string): DeviceConnection | null {
    return this.#byImei.get(imei)?.current ?? null;
  }

  isSilent({ imei }: Pick<DeviceConnection, 'imei'>, now: number): boolean {
    const ways = this.#byImei.get(imei);
    return ways !== undefined && now - ways.heardAt >= SILENT_MS;
  }

  add(connection: DeviceConnection): void {
    const ways = this.#byImei.get(connection.imei);
    if (!ways) {
      this.#byImei.set(connection.imei, { current: connection, heardAt: Date.now(), waiting: [] });
      if (this.#ways.connected(connection)) this.#onAdded(connection);
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

  #next(ways: Known, now = Date.now()): void {
    const next = ways.waiting.shift();
    this.#ways.disconnected(ways.current);
    if (!next) {
      this.#byImei.delete(ways.current.imei);
      return;
    }
    ways.current = next;
    ways.heardAt = now;
    if (this.#ways.connected(next)) this.#onAdded(next);
  }
}
