import { ascii, type Reader } from '../bytes.ts';
import { positionAt, readFix } from './fix.ts';
import { noted, type PacketDecoder } from './packet.ts';

/** Answers to commands, and requests for an address. */

const UTF16 = 0x02;

function utf16(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i + 1 < bytes.length; i += 2)
    text += String.fromCharCode((bytes[i] ?? 0) * 256 + (bytes[i + 1] ?? 0));
  return text.replaceAll('\0', '').toWellFormed().trim();
}

/** 0x21: the command's flag, the code of the text, the text. */
export const reply: PacketDecoder = ({ content }) => {
  const reference = content.u32();
  const code = content.u8();
  const text = content.rest();
  return content.overrun ? null : { kind: 'reply', text: code === UTF16 ? utf16(text) : ascii(text), reference };
};

/** 0x15 of older trackers, 0x81: the length of flag and text, the flag, the text, the language. */
export const oldReply: PacketDecoder = ({ content }) => {
  const length = content.u8();
  const reference = content.u32();
  const text = content.take8(Math.max(0, Math.min(length - 4, content.remaining)) || textBytes(content));
  return content.overrun ? null : { kind: 'reply', text: ascii(text), reference };
};

/** Seen in recordings: a length of zero, the text padded with zeros and the language at the end. */
const textBytes = (content: Reader): number => Math.max(0, content.remaining - 2);

const PHONE_BYTES = 21;

/** 0x2A, 0x1A: a caller asked the tracker by phone for its address. The fix is that of the location packets. */
export const addressByFix: PacketDecoder = ({ content }) => {
  const fix = readFix(content);
  if (fix === null || content.overrun) return null;
  const phone = ascii(content.take8(Math.min(PHONE_BYTES, content.remaining)));
  return positionAt(fix, { attributes: noted({ addressRequest: true, phone }) });
};
