import { ascii } from '../bytes.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { decodeCcc } from './ccc.ts';
import { decodeCce } from './cce.ts';
import { command, encodeCommand } from './encode.ts';
import { ON_DEMAND } from './event-codes.ts';
import { checksum, MAX_FRAME_BYTES, nextFrame, readHead } from './frame.ts';
import { readText } from './text.ts';

/** The identifier of a packet, which comes back in its answer. */
const FLAG_AT = 2;
const TAIL_BYTES = 5;
const STAR = 0x2a;
const COMMA = 0x2c;

/** "GPRS Command Format". Every packet identifies its tracker; AAA and CCE need no answer. */
function decode(frame: Uint8Array, _session: Session): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  const head = readHead(frame);
  if (head === null || head === 'more') return errorIn('unknown-type', 0);
  const star = frame.length - TAIL_BYTES;
  if (star <= head.comma) return errorIn('too-short', frame.length);
  if (frame[star] !== STAR || frame[star + 3] !== 0x0d || frame[star + 4] !== 0x0a) return errorIn('bad-field', star);
  const sent = ascii(frame.subarray(star + 1, star + 3));
  if (!/^[0-9A-F]{2}$/i.test(sent) || Number.parseInt(sent, 16) !== checksum(frame, star + 1)) {
    return errorIn('bad-checksum', star + 1);
  }
  return packet(frame, head.comma, star);
}

function packet(frame: Uint8Array, comma: number, star: number): Decoded {
  const imeiEnd = frame.indexOf(COMMA, comma + 1);
  const imei = imeiEnd < 0 ? '' : ascii(frame.subarray(comma + 1, imeiEnd));
  if (!/^[0-9A-Z]{5,20}$/.test(imei)) return errorIn('bad-field', comma + 1);
  const nameEnd = frame.indexOf(COMMA, imeiEnd + 1);
  const end = nameEnd < 0 || nameEnd > star ? star : nameEnd;
  const name = ascii(frame.subarray(imeiEnd + 1, end));
  const who: DecodedMessage = { kind: 'login', imei };
  const content = frame.subarray(Math.min(end + 1, star), star);
  const wrong = (): Decoded => silent([who, unread('bad-field', name, content)]);
  if (name === 'CCE' || name === 'CFF') {
    const messages = decodeCce(content);
    if (messages !== null) return silent([who, ...messages]);
    if (name === 'CCE') return wrong();
  }
  if (name === 'CCC') return compressed(frame, imei, who, content) ?? wrong();
  if (name === 'D00') return silent([who, picture(content)]);
  const fields = ascii(content).split(',');
  if (name === 'AAA') {
    const position = readText(fields, true);
    if (position === null) return wrong();
    return silent(fields[0] === String(ON_DEMAND) ? [who, ANSWERED, position] : [who, position]);
  }
  if (name === 'AFF' && fields.length > 2) return cached(imei, who, fields, wrong);
  // A report under an undocumented command.
  const position = readText(fields, false);
  if (position !== null) return silent([who, position]);
  return silent([who, { kind: 'reply', text: [name, ...fields].filter(part => part !== '').join(), reference: null }]);
}

/**
 * T622, "Setting the Data Compression Format": the tracker deletes as many of its records as the answer says, and keeps
 * them without it.
 */
function compressed(frame: Uint8Array, imei: string, who: DecodedMessage, content: Uint8Array): Decoded | null {
  const messages = decodeCcc(content);
  if (messages === null) return null;
  const flag = String.fromCharCode(frame[FLAG_AT] ?? 0);
  return {
    messages: [who, ...messages],
    acknowledgement: command(`CCC,${messages.length}`, flag, imei),
    refusal: null,
  };
}

/** A report that the server requested with A10. */
const ANSWERED: DecodedMessage = { kind: 'reply', text: 'position', reference: null };

/**
 * AFF: the number of a cached event, then the fields of AAA. The tracker deletes the event when its number is sent
 * back, so that is the answer.
 */
function cached(imei: string, who: DecodedMessage, [number = '', ...fields]: string[], wrong: () => Decoded): Decoded {
  const position = readText(fields, true);
  // One that can't be read is kept, and answered too: the tracker would send no other before it.
  const { messages } = position === null ? wrong() : { messages: [who, position] };
  return { messages, acknowledgement: command(`AFF,${number}`, 'A', imei), refusal: null };
}

/** `name,packets,index,` and bytes of a picture: reported, but not stored. */
function picture(content: Uint8Array): DecodedMessage {
  const [name = '', packets = '', index = ''] = ascii(content.subarray(0, 120)).split(',');
  return {
    kind: 'status',
    time: null,
    event: null,
    attributes: { picture: name, parts: Number(packets) || 0, part: Number(index) || 0 },
  };
}

export const meitrackTcp: StreamProtocol = {
  name: 'meitrack',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

export const meitrackUdp: DatagramProtocol = {
  name: 'meitrack',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
  encodeCommand,
};
