import type { TrackerProtocol } from '@milepost/contract';
import type { DirectoryEntry } from '../../fleet/directory.ts';
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
  heardAt: number;
}

/** Mobile networks keep the way back to a tracker open for about this long after its last datagram. */
const REACHABLE_MS = 300_000;
const SWEEP_EVERY_MS = 60_000;

/** Where to reach trackers that report by datagrams: the last sender. One that also has a connection is reached there. */
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

  /** Another address or port is another peer: it gets commands once the previous one is gone. */
  heard(vehicle: DirectoryEntry, identity: string, sender: Sender, now: number): DeviceConnection {
    const key = keyOf(vehicle, sender);
    const known = this.#peers.get(key);
    const isSame = known?.connection.identity === identity && known.connection.vehicleId === vehicle.id;
    if (known && !isSame) known.connection.close('replaced');
    const peer = known && isSame ? known : { connection: this.#connectionTo(vehicle, identity, sender), heardAt: now };
    peer.heardAt = now;
    this.#peers.set(key, peer);
    this.#connections.add(peer.connection);
    this.#connections.heard(peer.connection, now);
    return peer.connection;
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

  #connectionTo(vehicle: DirectoryEntry, identity: string, sender: Sender): DeviceConnection {
    const key = keyOf(vehicle, sender);
    const connection: DeviceConnection = {
      imei: vehicle.imei,
      identity,
      vehicleId: vehicle.id,
      protocol: this.#link.protocol,
      address: sender.address,
      encode: (command, reference) => this.#link.encode(command, reference, identity),
      send: bytes => this.#link.send(bytes, sender),
      close: () => {
        this.#connections.remove(connection);
        if (this.#peers.get(key)?.connection === connection) this.#peers.delete(key);
      },
    };
    return connection;
  }
}

const keyOf = ({ imei }: DirectoryEntry, { address, port }: Sender): string => `${imei} ${address} ${port}`;
