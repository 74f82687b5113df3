import type { TrackerProtocol } from '@milepost/contract';

/** A tracker that can be reached right now. */
export interface DeviceConnection {
  /** Of its vehicle. */
  readonly imei: string;
  /** What the tracker calls itself, which its protocol's commands may have to say. */
  readonly identity: string;
  readonly vehicleId: number;
  readonly protocol: TrackerProtocol;
  /** A command in the protocol's words, as bytes. */
  encode(command: string, reference: number): Uint8Array;
  /** Sends bytes after what was sent before: they leave in this turn. `reference` is a command's. */
  send(bytes: Uint8Array, reference?: number): void;
  /** `reason` is a label of the metric `milepost_tracker_connections_cut_total`. */
  close(reason: string): void;
}

/** The open connections by IMEI. A tracker has one: it dials in again after losing the network, which the server may
 * notice later than the tracker does. */
export class DeviceConnections {
  readonly #byImei = new Map<string, DeviceConnection>();
  readonly #onAdded: (connection: DeviceConnection) => void;

  constructor(onAdded: (connection: DeviceConnection) => void = () => {}) {
    this.#onAdded = onAdded;
  }

  find(imei: string): DeviceConnection | null {
    return this.#byImei.get(imei) ?? null;
  }

  add(connection: DeviceConnection): void {
    const older = this.#byImei.get(connection.imei);
    if (older === connection) return;
    this.#byImei.set(connection.imei, connection);
    older?.close('replaced');
    this.#onAdded(connection);
  }

  /** Only if it is still the one: a newer connection stays. */
  remove(connection: DeviceConnection): void {
    if (this.#byImei.get(connection.imei) === connection) this.#byImei.delete(connection.imei);
  }

  closeAll(reason: string): void {
    for (const connection of [...this.#byImei.values()]) connection.close(reason);
  }
}
