import { hex, Reader } from '../bytes.ts';
import { errorIn, silent } from '../outcome.ts';
import type { DatagramProtocol, Decoded, DecodedMessage } from '../protocol.ts';
import { acknowledgement, encodeCommand } from './encode.ts';
import { readHeader, SERVICE } from './header.ts';
import { type BodyReader, eventReport, idReport, locateReport, miniReport, userMessage } from './reports.ts';

const ACK = 1;
const MAX_HEX_BYTES = 256;

const kept =
  (name: string): BodyReader =>
  body => ({
    kind: 'status',
    time: null,
    event: null,
    attributes: { [name]: hex(body.rest().subarray(0, MAX_HEX_BYTES)) },
  });

/** By "Message Type". */
export const TYPES: ReadonlyMap<number, { readonly what: string; readonly read: BodyReader }> = new Map([
  [0, { what: 'null message, a sign of life', read: () => ({ kind: 'heartbeat', attributes: {} }) }],
  [2, { what: 'event report', read: eventReport }],
  [3, { what: 'ID report', read: idReport }],
  [4, { what: 'user message', read: userMessage }],
  [5, { what: 'application message, kept as hexadecimal', read: kept('applicationData') }],
  [6, { what: 'configuration parameters, kept as hexadecimal', read: kept('parameters') }],
  [7, { what: 'answer to a unit request, kept as hexadecimal', read: kept('unitRequest') }],
  [8, { what: 'locate report', read: locateReport }],
  [10, { what: 'mini event report', read: miniReport }],
] satisfies [number, { what: string; read: BodyReader }][]);

/** "ACK/NAK Message": the type that it answers, and 0 for yes. */
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

function decodeDatagram(datagram: Uint8Array): Decoded {
  const reader = new Reader(datagram);
  const header = readHeader(reader);
  if (header === null) return errorIn('too-short', datagram.length);
  const { identity, service, type, sequence } = header;
  if (service > SERVICE.response) return errorIn('bad-field', Math.max(0, reader.at - 4));
  // Who speaks stands in the options; the tracker can be told to send them with every message.
  if (identity === null) return errorIn('not-signed-in', 0);
  const known = TYPES.get(type);
  if (known === undefined && type !== ACK) return errorIn('unknown-type', Math.max(0, reader.at - 3));
  const message = type === ACK ? ackOf(reader, sequence) : (known?.read(reader) ?? null);
  if (message === null) return errorIn('too-short', datagram.length);
  const messages: DecodedMessage[] = [{ kind: 'login', imei: identity }, message];
  if (service !== SERVICE.acknowledged) return silent(messages);
  return { messages, acknowledgement: acknowledgement(type, sequence), refusal: null };
}

/** A datagram is at most this long, and a tracker's far shorter. */
const MAX_DATAGRAM_BYTES = 65_507;

export const calampUdp: DatagramProtocol = {
  name: 'calamp',
  maxFrameBytes: MAX_DATAGRAM_BYTES,
  decodeDatagram,
  encodeCommand,
};
