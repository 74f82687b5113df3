/** A tracker that can be reached right now. */
export interface DeviceConnection {
  /** Of its vehicle. */
  readonly imei: string;
  /** What the tracker calls itself, which its protocol's commands may have to say. */
  readonly identity: string;
  readonly vehicleId: number;
  readonly protocol: string;
  /** Sends bytes after what was sent before. */
  send(bytes: Uint8Array): void;
  /** `reason` is a label of the metric `milepost_tracker_connections_cut_total`. */
  close(reason: string): void;
}

/** The open connections by IMEI. A tracker has one: it dials in again after losing the network, which the server may
 * notice later than the tracker does. */
export class DeviceConnections {
  readonly #byImei = new Map<string, DeviceConnection>();

  find(imei: string): DeviceConnection | null {
    return this.#byImei.get(imei) ?? null;
  }

  add(connection: DeviceConnection): void {
    const older = this.#byImei.get(connection.imei);
    this.#byImei.set(connection.imei, connection);
    if (older && older !== connection) older.close('replaced');
  }

  /** Only if it is still the one: a newer connection stays. */
  remove(connection: DeviceConnection): void {
    if (this.#byImei.get(connection.imei) === connection) this.#byImei.delete(connection.imei);
  }

  closeAll(reason: string): void {
    for (const connection of [...this.#byImei.values()]) connection.close(reason);
  }
}
