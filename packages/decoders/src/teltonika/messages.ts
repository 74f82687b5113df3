import { type EpochMs, epochMs } from '@milepost/units';
import { ascii, hasLetters, hex, isText, Reader, utf8Of } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';

/**
 * Messages other than records, Teltonika Data Sending Protocols, "Codec for communication over GPRS messages": answers
 * to commands, and data of a device on the tracker's serial port. Codec id, quantity, then for each message its type,
 * size and content; Codec 13 puts a time, Codec 14 the IMEI, Codec 15 both before the content.
 */
export const MESSAGE_CODECS = { codec12: 0x0c, codec13: 0x0d, codec14: 0x0e, codec15: 0x0f } as const;
export const MESSAGE_TYPES = { command: 0x05, response: 0x06, pictures: 0x0d, refused: 0x11 } as const;

const IMEI_BYTES = 8;
/** For longer binary content, only the start and the length are kept. */
const MAX_HEX_BYTES = 512;

export const isMessageCodec = (codec: number): boolean =>
  codec >= MESSAGE_CODECS.codec12 && codec <= MESSAGE_CODECS.codec15;

/** The messages between the two quantities; null if they do not fit. */
export function decodeMessages(data: Uint8Array): DecodedMessage[] | null {
  const codec = data[0] ?? 0;
  const reader = new Reader(data, 1, data.length - 1);
  const quantity = reader.u8();
  if (data[data.length - 1] !== quantity) return null;
  const messages: DecodedMessage[] = [];
  for (let i = 0; i < quantity; i++) {
    const type = reader.u8();
    const content = reader.take8(reader.u32());
    if (reader.overrun) return null;
    messages.push(message(codec, type, content));
  }
  return reader.remaining === 0 ? messages : null;
}

function message(codec: number, type: number, content: Uint8Array): DecodedMessage {
  if (type === MESSAGE_TYPES.pictures) return picture(content);
  const { time, bytes } = unwrap(codec, content);
  if (type === MESSAGE_TYPES.refused) {
    // Codec 14 nACK: the command had another IMEI.
    return { kind: 'status', time, event: null, attributes: { commandRefused: true } };
  }
  // Names that someone has entered may have letters beyond ASCII.
  const text = isText(bytes) ? ascii(bytes) : hasLetters(bytes) ? utf8Of(bytes) : null;
  if (text !== null) return { kind: 'reply', text, reference: null };
  const attributes: Record<string, string | number> = { data: hex(bytes.subarray(0, MAX_HEX_BYTES)) };
  if (bytes.length > MAX_HEX_BYTES) attributes.dataBytes = bytes.length;
  return { kind: 'status', time, event: null, attributes };
}

function unwrap(codec: number, content: Uint8Array): { time: EpochMs | null; bytes: Uint8Array } {
  const reader = new Reader(content);
  const time = codec === MESSAGE_CODECS.codec13 || codec === MESSAGE_CODECS.codec15 ? timestamp(reader) : null;
  if (codec === MESSAGE_CODECS.codec14 || codec === MESSAGE_CODECS.codec15) reader.skip(IMEI_BYTES);
  return { time, bytes: reader.overrun ? content : reader.rest() };
}

/**
 * Seconds in four bytes by the document; recordings have milliseconds in eight, whose first four bytes are a small
 * number.
 */
function timestamp(reader: Reader): EpochMs {
  const high = reader.u32();
  return epochMs(high < 0x1000 ? high * 2 ** 32 + reader.u32() : high * 1000);
}

/** A camera on the serial port sends a picture in parts: start, announcement, data. */
function picture(content: Uint8Array): DecodedMessage {
  const reader = new Reader(content);
  const part = reader.u8();
  const attributes: Record<string, number> = { picturePart: part, pictureBytes: content.length };
  return { kind: 'status', time: null, event: null, attributes };
}
