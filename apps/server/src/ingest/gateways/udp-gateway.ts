import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TrackerProtocol } from '@milepost/contract';
import type { DatagramProtocol } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { TokenBucket } from '../../limits/token-bucket.ts';
import { keepUnread } from '../unknown-frames.ts';
import { DatagramPeers, type Sender } from './datagram-peers.ts';
import type { Gateway, GatewayParts } from './gateway.ts';

/** Listens for datagrams of one protocol. What can't be taken is dropped: without an answer the tracker sends it again. */
export async function listenUdp(
  protocolName: TrackerProtocol,
  protocol: DatagramProtocol,
  port: number,
  { connections, host, limits, log, metrics, pipeline, reception, unknownFrames }: GatewayParts,
): Promise<Gateway> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4 * 1024 * 1024 });
  socket.bind({ port, address: host });
  await once(socket, 'listening').catch(error => {
    socket.close();
    throw error;
  });
  socket.on('error', error => log.error({ err: error, gateway: protocolName }, 'Gateway error'));

  const send = (bytes: Uint8Array, { port, address }: Sender): void => socket.send(bytes, port, address);
  const { encodeCommand: encode } = protocol;
  const peers = encode ? new DatagramPeers(connections, { protocol: protocolName, encode, send }) : null;

  /** One for each vehicle that reported over UDP. */
  const buckets = new Map<number, TokenBucket>();
  const isAllowed = (vehicleId: number, messages: number): boolean => {
    const now = Date.now();
    const bucket = buckets.get(vehicleId) ?? new TokenBucket(limits, now);
    buckets.set(vehicleId, bucket);
    bucket.spend(messages, now);
    return bucket.pauseMs === 0;
  };

  socket.on('message', (datagram, sender) => {
    if (!pipeline.hasRoom()) return;
    const receivedAt = epochMs(Date.now());
    const { messages, acknowledgement, refusal } = protocol.decodeDatagram(datagram, receivedAt);
    const [who] = messages;
    const imei = who?.kind === 'login' ? who.imei : null;
    keepUnread(unknownFrames, { protocol: protocolName, imei, address: sender.address }, datagram, messages);
    const answer = (bytes: Uint8Array | null): void => {
      if (bytes) send(bytes, sender);
    };
    if (who?.kind !== 'login') {
      for (const message of messages) {
        if (message.kind === 'error') metrics.decodeErrors.inc({ protocol: protocolName, code: message.code });
      }
      return;
    }
    const vehicle = reception.admit(who.imei, protocolName, sender.address, { messages, bytes: datagram });
    if (!vehicle) return answer(refusal);
    if (!isAllowed(vehicle.id, messages.length)) return;
    const via = peers?.heard(vehicle, who.imei, sender, receivedAt) ?? null;
    const raw = { bytes: datagram, over: 'udp' } as const;
    const stored = reception.take(vehicle, messages, protocolName, receivedAt, raw, via);
    if (stored === null) answer(acknowledgement);
    else stored.then(() => answer(acknowledgement)).catch(() => {});
  });

  const close = (): void => {
    peers?.stop();
    socket.close();
  };
  return { port: socket.address().port, stopListening: () => {}, close };
}
