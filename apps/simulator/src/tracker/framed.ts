import { createSocket } from 'node:dgram';
import {
  type DatagramProtocol,
  protocols,
  type Registration,
  type StreamProtocol,
  type TrackerSide,
} from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { type OpenLink, withinTimeout } from './link.ts';
import { orderFrom, takeOrders } from './order.ts';
import { openStream } from './stream.ts';

/** A tracker of any protocol, by its registration; null if the protocol has no such transport. */
export function framedLink(
  protocol: string,
  host: string,
  port: number,
  imei: string,
  overUdp: boolean,
): OpenLink | null {
  const registered: Readonly<Record<string, Registration>> = protocols;
  const { stream, tracker, datagram, datagramTracker } = registered[protocol] ?? {};
  if (stream && tracker && !(overUdp && datagram)) return overStream(stream, tracker, host, port, imei);
  return datagram && datagramTracker ? overDatagrams(datagram, datagramTracker, host, port, imei) : null;
}

/**
 * The decoder gives the length of the answer to a frame. If reports are not answered, the answer to a heartbeat after
 * them confirms them; in a protocol without answers, reports count as sent once written.
 */
function overStream(
  protocol: StreamProtocol,
  tracker: TrackerSide,
  host: string,
  port: number,
  imei: string,
): OpenLink {
  const answerBytes = (frame: Uint8Array, signedIn: boolean): number => {
    const session = { imei: signedIn ? imei : null, receivedAt: epochMs(Date.now()) };
    return protocol.decode(frame, session).acknowledgement?.length ?? 0;
  };
  return async onOrder => {
    const stream = await openStream(host, port);
    takeOrders(protocol.name, imei, stream, onOrder);
    const ask = async (frames: readonly Uint8Array[], signedIn: boolean): Promise<void> => {
      for (const frame of frames) stream.write(frame);
      for (const frame of frames) {
        const expected = answerBytes(frame, signedIn);
        if (expected > 0) await withinTimeout(stream.read(expected), 'An answer');
      }
    };
    let serial = 1;
    const greeting = tracker.greeting(imei);
    if (greeting) await ask([greeting], false);
    return {
      send: async positions => {
        const frames = [...tracker.reports(imei, positions, serial)];
        serial += frames.length;
        if (!frames.some(frame => answerBytes(frame, true) > 0)) {
          const heartbeat = tracker.heartbeat(imei, serial);
          if (heartbeat) frames.push(heartbeat);
          serial++;
        }
        await ask(frames, true);
      },
      close: () => stream.close(),
    };
  };
}

/** One datagram after the other; if the protocol has answers, each is awaited before the next. */
function overDatagrams(
  protocol: DatagramProtocol,
  tracker: TrackerSide,
  host: string,
  port: number,
  imei: string,
): OpenLink {
  return async onOrder => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const write = (bytes: Uint8Array): void => socket.send(bytes, port, host);
    let answered: (() => void) | null = null;
    socket.on('message', datagram => {
      const heard = tracker.hear?.(imei, datagram);
      if (heard?.status === 'command') onOrder?.(orderFrom(protocol.name, heard.command, write));
      else answered?.();
    });
    socket.on('error', () => {});
    socket.unref();
    let serial = 1;
    return {
      send: async positions => {
        const frames = tracker.reports(imei, positions, serial);
        serial += frames.length;
        for (const frame of frames) {
          const { acknowledgement } = protocol.decodeDatagram(frame, epochMs(Date.now()));
          const answer = new Promise<void>(resolve => {
            answered = resolve;
          });
          write(frame);
          if (acknowledgement) await withinTimeout(answer, 'An acknowledgement');
        }
      },
      close: () => socket.close(),
    };
  };
}
