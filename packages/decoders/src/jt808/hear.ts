import { ascii, hex, Reader } from '../bytes.ts';
import { answerUntil, commandUntil, MORE } from '../heard.ts';
import type { PositionMessage } from '../protocol.ts';
import type { Heard } from '../registration.ts';
import { encodeAnswerWithLocation, encodeAttributes, encodeParameters, encodeResponse } from './encode.ts';
import { nextFrame } from './frame.ts';
import { type Packet, unpack } from './packet.ts';
import { readParameters } from './parameters.ts';

/** JT/T 808-2013 §8: the platform's answers; all its other messages are commands. */
const ANSWERS = new Set([0x8001, 0x8003, 0x8004, 0x8100, 0x8800]);

export function hear(imei: string, bytes: Uint8Array): Heard {
  const scan = nextFrame(bytes);
  if (scan.status === 'more') return MORE;
  const { end } = scan;
  const unpacked = scan.status === 'frame' ? unpack(bytes.subarray(0, end)) : null;
  if (unpacked === null || 'error' in unpacked || ANSWERS.has(unpacked.packet.id)) return answerUntil(end);
  const { packet } = unpacked;
  const text = textOf(packet);
  if (text === null) return answerUntil(end);
  return commandUntil(end, {
    text,
    reference: packet.serial,
    reply: (done, last) =>
      done ? answerTo(imei, packet, last) : encodeResponse(imei, 1, packet.serial, packet.id, FAILED),
  });
}

const FAILED = 1;
const POSITION_QUERY = 0x8201;
const VEHICLE_CONTROL = 0x8500;
const QUERY_PARAMETERS = 0x8104;
const QUERY_ATTRIBUTES = 0x8107;

/** A query is answered with the data requested, any other command with the general response. */
function answerTo(imei: string, { id, serial }: Packet, last: PositionMessage): Uint8Array {
  switch (id) {
    case POSITION_QUERY:
      return encodeAnswerWithLocation(imei, 0x0201, serial, last);
    case VEHICLE_CONTROL:
      return encodeAnswerWithLocation(imei, 0x0500, serial, last);
    case QUERY_PARAMETERS:
      return encodeParameters(imei, serial, ['0001=60', '0020=0', '0029=30']);
    case QUERY_ATTRIBUTES:
      return encodeAttributes(imei);
    default:
      return encodeResponse(imei, 1, serial, id);
  }
}

const TEXT = 0x8300;
const FOR_THE_TERMINAL = 0b0000_0001;

/** The inverse of `encodeCommand`; null for a body that it would not produce. */
function textOf({ id, body, versioned }: Packet): string | null {
  const reader = new Reader(body);
  const word = hex(Uint8Array.of(id >> 8, id & 255));
  const words = id === TEXT ? driverText(reader, versioned) : readBody(id, reader);
  if (words === null || reader.overrun) return null;
  if (typeof words === 'string') return words;
  return [word, ...words].join(' ');
}

function driverText(reader: Reader, versioned: boolean): readonly string[] | string {
  const flags = reader.u8();
  if (versioned) reader.skip(1);
  const text = ascii(reader.rest());
  return flags === FOR_THE_TERMINAL ? text : [text];
}

function readBody(id: number, reader: Reader): readonly string[] | null {
  switch (id) {
    case 0x8103: {
      const text = readParameters(reader, reader.u8());
      return text === null ? null : text.split(' ');
    }
    case 0x8105: {
      const word = String(reader.u8());
      const rest = ascii(reader.rest());
      return rest === '' ? [word] : [word, rest];
    }
    case 0x8106:
      return Array.from({ length: Math.min(reader.u8(), reader.remaining / 4) }, () => identifier(reader.u32()));
    case 0x8202:
      return [String(reader.u16()), String(reader.u32())];
    case 0x8203:
      return [String(reader.u16()), reader.u32().toString(16).toUpperCase()];
    case 0x8400:
      return [String(reader.u8()), ascii(reader.rest())];
    case 0x8500:
    case 0x8801:
      return [String(reader.u8())];
    default:
      return [];
  }
}

const identifier = (id: number): string => id.toString(16).toUpperCase().padStart(4, '0');
