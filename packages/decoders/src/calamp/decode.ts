import type { EpochMs } from '@milepost/units';
import { Reader } from '../bytes.ts';
import { errorIn, silent } from '../outcome.ts';
import type { DatagramProtocol, Decoded, DecodedMessage } from '../protocol.ts';
import { acknowledgement, encodeCommand } from './encode.ts';
import { readHeader, SERVICE } from './header.ts';
import {
  applicationMessage,
  type BodyReader,
  eventReport,
  idReport,
  keptAs,
  locateReport,
  miniReport,
  miniUserMessage,
  unnamed,
  userMessage,
} from './reports.ts';

const ACK = 1;
/** By "Message Type". */
export const TYPES: ReadonlyMap<number, { readonly what: string; readonly read: BodyReader }> = new Map([
  [0, { what: 'null message, a sign of life', read: () => ({ kind: 'heartbeat', attributes: {} }) }],
  [2, { what: 'event report', read: eventReport }],
  [3, { what: 'ID report', read: idReport }],
  [4, { what: 'user message', read: userMessage }],
  [5, { what: 'application message: its place, and its bytes as hexadecimal', read: applicationMessage }],
  [6, { what: 'configuration parameters, kept as hexadecimal', read: keptAs('parameters') }],
  [7, { what: 'answer to a unit request, kept as hexadecimal', read: keptAs('unitRequest') }],
  [8, { what: 'locate report', read: locateReport }],
  [9, { what: 'user message with accumulators', read: userMessage }],
  [10, { what: 'mini event report', read: miniReport }],
  [11, { what: 'mini user message', read: miniUserMessage }],
] satisfies [number, { what: string; read: BodyReader }][]);

/** "ACK/NAK Message": its results, 0 for success. */
const RESULTS = [
  'done',
  'failed',
  'not supported',
  'operation not allowed',
  'unable to store',
  'authentication failed',
];

function ackOf(body: Reader, reference: number): DecodedMessage | null {
  body.skip(1);
  const result = body.u8();
  return body.overrun ? null : { kind: 'reply', text: RESULTS[result] ?? `result ${result}`, reference };
}

function decodeDatagram(datagram: Uint8Array, receivedAt: EpochMs): Decoded {
  const reader = new Reader(datagram);
  const header = readHeader(reader);
  if (header === null) return errorIn('too-short', datagram.length);
  const { identity, service, type, sequence } = header;
  if (service > SERVICE.response) return errorIn('bad-field', Math.max(0, reader.at - 4));
  // The tracker's ID is in the options; the tracker can be configured to send them with every message.
  if (identity === null) return errorIn('not-signed-in', 0);
  const read = TYPES.get(type)?.read ?? unnamed;
  const message = type === ACK ? ackOf(reader, sequence) : read(reader, receivedAt);
  if (message === null) return errorIn('too-short', datagram.length);
  const messages: DecodedMessage[] = [{ kind: 'login', imei: identity }, message];
  if (service !== SERVICE.acknowledged) return silent(messages);
  return { messages, acknowledgement: acknowledgement(type, sequence), refusal: null };
}

/** The longest possible datagram; a tracker's are far shorter. */
const MAX_DATAGRAM_BYTES = 65_507;

export const calampUdp: DatagramProtocol = {
  name: 'calamp',
  maxFrameBytes: MAX_DATAGRAM_BYTES,
  decodeDatagram,
  encodeCommand,
};
