import { expect, it } from 'vitest';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { DatagramPeers, type Sender } from './datagram-peers.ts';
import { DeviceConnections } from './device-connections.ts';

const VEHICLE = { id: 7, accountId: 1, imei: '352093081452251' } as DirectoryEntry;
const at = (port: number): Sender => ({ address: '10.0.0.1', port });

function peersWith(connections: DeviceConnections) {
  const sent: number[] = [];
  const send = (_: Uint8Array, { port }: Sender) => void sent.push(port);
  const way = { protocol: 'calamp', encode: () => new Uint8Array(), send } as const;
  return { sent, peers: new DatagramPeers(connections, way) };
}

it('reaches a tracker where it was heard first, and elsewhere once it is silent there', () => {
  const connections = new DeviceConnections();
  const { peers, sent } = peersWith(connections);
  const send = () => connections.find(VEHICLE.imei)?.send(Uint8Array.of(1));
  peers.heard(VEHICLE, '4531046015', at(1), 0);
  send();
  peers.heard(VEHICLE, '4531046015', at(2), 100_000);
  send();
  connections.look(100_000);
  send();
  peers.sweep(399_000);
  send();
  expect(connections.find(VEHICLE.imei)).toMatchObject({ identity: '4531046015', protocol: 'calamp', vehicleId: 7 });
  peers.sweep(401_000);
  send();
  expect(connections.find(VEHICLE.imei)).toBeNull();
  expect(sent).toEqual([1, 1, 2, 2]);
  peers.stop();
});

it('leaves a tracker with a connection to that, and takes over when it ends', () => {
  const connections = new DeviceConnections();
  const { peers } = peersWith(connections);
  const socket = {
    imei: VEHICLE.imei,
    identity: 'x',
    vehicleId: 7,
    protocol: 'gl200',
    address: null,
    encode: () => new Uint8Array(),
    send: () => {},
    close: () => {},
  } as const;
  connections.add(socket);
  peers.heard(VEHICLE, 'x', at(1), 0);
  expect(connections.find(VEHICLE.imei)).toBe(socket);
  connections.remove(socket);
  peers.heard(VEHICLE, 'x', at(1), 10);
  expect(connections.find(VEHICLE.imei)?.protocol).toBe('calamp');
  peers.stop();
  expect(connections.find(VEHICLE.imei)).toBeNull();
});
