import { type DecodedMessage, protocols, type Registration } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import type { KeptFrame } from '../../ingest/recent-frames.ts';
import { readTrackerMessage } from '../../realtime/tracker-report.ts';

export interface Fix {
  /** Epoch milliseconds; a moment that a calendar has. */
  readonly time: number;
  readonly rfid: string | null;
}

const registered: Readonly<Record<string, Registration>> = protocols;

/** The fixes in a frame: it is read again, because to keep them beside it would cost more than it. */
export function fixesIn(frame: KeptFrame, imei: string): Fix[] {
  return messagesIn(frame, imei)
    .flatMap(message => (message.kind === 'position' ? [{ time: message.time, rfid: message.rfid }] : []))
    .filter(({ time }) => !Number.isNaN(new Date(time).getTime()));
}

function messagesIn({ bytes, over, protocol, receivedAt }: KeptFrame, imei: string): readonly DecodedMessage[] {
  const now = epochMs(receivedAt);
  const { stream, datagram, http } = registered[protocol] ?? {};
  switch (over) {
    case 'tcp':
      return stream?.decode(bytes, { imei, receivedAt: now }).messages ?? [];
    case 'udp':
      return datagram?.decodeDatagram(bytes, now).messages ?? [];
    case 'http': {
      const text = Buffer.from(bytes).toString('utf8');
      const posted = text.trimStart().startsWith('{');
      const report = {
        method: posted ? 'POST' : 'GET',
        query: posted ? '' : text,
        contentType: null,
        body: posted ? text : '',
      };
      return http?.decodeRequest(report, now) ?? [];
    }
    default: {
      const message = readTrackerMessage(Buffer.from(bytes));
      return message.kind === 'position' ? [message.position] : [];
    }
  }
}
