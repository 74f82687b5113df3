import type { TrackerProtocol } from '@milepost/contract';
import type { DirectoryEntry } from '../../modules/vehicles/directory.ts';
import type { DeviceConnection, DeviceConnections } from './device-connections.ts';

/** Where a datagram came from. */
export interface Sender {
  readonly address: string;
  readonly port: number;
}

/** How a protocol's datagrams are made and sent. */
export interface DatagramLink {
  readonly protocol: TrackerProtocol;
  encode(command: string, reference: number, identity: string): Uint8Array;
  send(bytes: Uint8Array, to: Sender): void;
}

interface Peer {
  readonly connection: DeviceConnection;
  sender: Sender;
  heardAt: number;
}

/** Mobile networks keep the way back to a tracker open for about this long after its last datagram. */
const REACHABLE_MS = 300_000;
const SWEEP_EVERY_MS = 60_000;

/** Trackers that report by datagrams are reached where their last one came from. One that also has a connection is reached by that. */
export class DatagramPeers {
  readonly #connections: DeviceConnections;
  readonly #link: DatagramLink;
  readonly #peers = new Map<string, Peer>();
  readonly #timer: NodeJS.Timeout;

  constructor(connections: DeviceConnections, link: DatagramLink) {
    this.#connections = connections;
    this.#link = link;
    this.#timer = setInterval(() => this.sweep(Date.now()), SWEEP_EVERY_MS).unref();
  }

  heard(vehicle: DirectoryEntry, identity: string, sender: Sender, now: number): void {
    const known = this.#peers.get(vehicle.imei);
    if (known?.connection.identity === identity && known.connection.vehicleId === vehicle.id) {
      known.sender = sender;
      known.heardAt = now;
    } else {
      known?.connection.close('replaced');
      this.#peers.set(vehicle.imei, this.#peerOf(vehicle, identity, sender, now));
    }
    const peer = this.#peers.get(vehicle.imei);
    if (peer && this.#connections.find(vehicle.imei) === null) this.#connections.add(peer.connection);
  }

  sweep(now: number): void {
    for (const { connection, heardAt } of [...this.#peers.values()]) {
      if (now - heardAt > REACHABLE_MS) connection.close('idle');
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const { connection } of [...this.#peers.values()]) connection.close('stopping');
  }

  #peerOf({ id, imei }: DirectoryEntry, identity: string, sender: Sender, heardAt: number): Peer {
    const connection: DeviceConnection = {
      imei,
      identity,
      vehicleId: id,
      protocol: this.#link.protocol,
      encode: (command, reference) => this.#link.encode(command, reference, identity),
      send: bytes => this.#link.send(bytes, this.#peers.get(imei)?.sender ?? sender),
      close: () => {
        this.#connections.remove(connection);
        if (this.#peers.get(imei)?.connection === connection) this.#peers.delete(imei);
      },
    };
    return { connection, sender, heardAt };
  }
}
