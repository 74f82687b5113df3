import { degrees, epochMs } from '@milepost/units';
import { ascii, Reader } from '../bytes.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import { positionOf } from '../position.ts';
import type { Decoded, DecodedMessage } from '../protocol.ts';
import { HEAD_BYTES } from './frame.ts';
import { readPack } from './records.ts';

/**
 * What a terminal with a satellite modem sends, as Iridium's gateway delivers it: Iridium Short Burst Data Service
 * Developers Guide, "DirectIP", MO messages. Big endian: revision, length, then information elements, each with an
 * identifier and its length. The payload has tags, as a pack has them; the IMEI is the modem's.
 */
export const ELEMENT = { header: 0x01, payload: 0x02, location: 0x03 } as const;

const SOUTH = 0b10;
const WEST = 0b01;
const KILOMETRE = 1000;

interface Message {
  imei: string;
  time: number;
  payload: Uint8Array | null;
  location: DecodedMessage | null;
}

export function decodeIridium(frame: Uint8Array): Decoded {
  const reader = new Reader(frame, HEAD_BYTES);
  const message: Message = { imei: '', time: 0, payload: null, location: null };
  while (reader.remaining >= HEAD_BYTES) {
    const id = reader.u8();
    const length = reader.u16();
    const element = new Reader(reader.take8(length));
    if (reader.overrun) return errorIn('bad-length', frame.length);
    readElement(id, element, message);
  }
  if (!/^\d{15}$/.test(message.imei)) return errorIn('bad-field', HEAD_BYTES);
  const pack = message.payload === null ? null : readPack(message.payload);
  const read = pack?.messages ?? [];
  const isPlaced = read.some(({ kind }) => kind === 'position');
  const messages: DecodedMessage[] = [{ kind: 'login', imei: message.imei }, ...read];
  if (!isPlaced && message.location) messages.push(message.location);
  if (messages.length === 1) messages.push(unread('too-short', 'iridium', message.payload ?? new Uint8Array(0)));
  return silent(messages);
}

function readElement(id: number, element: Reader, message: Message): void {
  if (id === ELEMENT.header) {
    element.skip(4);
    message.imei = ascii(element.take8(15));
    element.skip(1 + 2 + 2);
    message.time = element.u32() * 1000;
  } else if (id === ELEMENT.payload) message.payload = element.rest();
  else if (id === ELEMENT.location) message.location = locationOf(element, message.time);
}

/** Degrees and thousandths of a minute. The network estimates the place, so it is not a valid fix. */
function locationOf(element: Reader, time: number): DecodedMessage | null {
  const sides = element.u8();
  const lat = element.u8() + element.u16() / 60_000;
  const lon = element.u8() + element.u16() / 60_000;
  const radius = element.u32();
  if (element.overrun) return null;
  return positionOf({
    time: epochMs(time),
    valid: false,
    lat: degrees(sides & SOUTH ? -lat : lat),
    lon: degrees(sides & WEST ? -lon : lon),
    attributes: { positionFrom: 'iridium', accuracy: radius * KILOMETRE },
  });
}
