import { degrees } from '@milepost/units';
import { ascii, hex, letters } from '../bytes.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent } from '../outcome.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { acknowledgeEmergency, acknowledgeReport, acknowledgeZip, encodeCommand } from './encode.ts';
import { isZip, MAX_FRAME_BYTES, nextFrame, type SerialData, serialData, ZIP_OLDER } from './frame.ts';
import { readOlder } from './older.ts';
import { unzip } from './older-zip.ts';
import { number, type Place, readMoment, readPlace, reportText } from './place.ts';
import { readSt910, ST910 } from './st910.ts';
import { readTravel } from './travel.ts';
import { readUniversal } from './universal.ts';
import { decodeZip } from './zip.ts';

/**
 * Suntech's older protocols and its universal one. Every report identifies its tracker; the protocol has no checksum.
 */
const HEADER = /^([A-Z]{2}\d{3,4}[A-Z]{0,4})?([A-Z]{3})$/;
const ID = /^[0-9A-Z]{5,20}$/;
/** Reports whose layout is known even without a position; others are kept as sent. */
const KNOWN = new Set(['STT', 'ALT', 'EMG', 'EVT', 'UEX']);
/** A report with fewer fields was cut off. */
const LEAST_FIELDS = 5;

function decode(frame: Uint8Array, { receivedAt }: Pick<Session, 'receivedAt'>): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  if (isZip(frame[0])) return decodeZip(frame);
  if (frame[0] === ZIP_OLDER) {
    const unzipped = unzip(frame, receivedAt);
    return unzipped === null ? errorIn('bad-field', Math.min(3, frame.length)) : report(unzipped.fields, unzipped.data);
  }
  const data = serialData(frame, frame.length);
  if (data === null || data === 'more') return report(fieldsOf(frame), null);
  return report(fieldsAround(frame, data), frame.subarray(data.from, data.to));
}

function report(fields: readonly string[], data: Uint8Array | null): Decoded {
  const [head = '', second = ''] = fields;
  if (ST910.test(head)) return st910(fields);
  const [, model = '', type] = HEADER.exec(head) ?? [];
  if (type === undefined) return errorIn('unknown-type', 0);
  if (second === 'Res') return reply(fields, 2);
  if (!ID.test(second)) return errorIn('bad-field', head.length);
  if (type === 'RES') return reply(fields, 1);
  const who: DecodedMessage = { kind: 'login', imei: second };
  if (type === 'ALV') return silent([who, { kind: 'heartbeat', attributes: {} }]);
  if (type === 'HTE' && model !== '') return silent([who, readTravel(fields) ?? withoutPlace(fields)]);
  const place = readPlace(fields);
  if ((type === 'BLE' || type === 'BSA') && place !== null) return silent([who, beacon(type, fields, place)]);
  if (place === null && fields.length < LEAST_FIELDS) return errorIn('bad-field', head.length);
  if (place === null && !KNOWN.has(type)) return silent([who, withoutPlace(fields)]);
  const read = model === '' ? readUniversal(type, fields, place) : readOlder(model, type, fields, place);
  const acknowledgement = type === 'EMG' && model !== '' ? acknowledgeEmergency(model, second) : null;
  return { messages: [who, data === null ? read : withData(read, data)], acknowledgement, refusal: null };
}

const fieldsOf = (text: Uint8Array): string[] =>
  letters(text)
    .split(';')
    .map(field => field.trim());

/** The bytes of a serial device are one field, even if they contain separators. */
function fieldsAround(frame: Uint8Array, data: SerialData): string[] {
  const [before, behind] = [fieldsOf(frame.subarray(0, data.from)), fieldsOf(frame.subarray(data.to))];
  return [...before.slice(0, -1), '', ...behind.slice(1)];
}

/** An answer may contain a report, such as GED the position with the values of the vehicle's bus. */
function reply(fields: readonly string[], idAt: number): Decoded {
  const imei = fields[idAt] ?? '';
  if (!ID.test(imei)) return errorIn('bad-field', 0);
  const text = fields.slice(idAt + 1).join(';');
  const place = readPlace(fields);
  const [, model = '', type = ''] = HEADER.exec(fields[0] ?? '') ?? [];
  return silent([
    { kind: 'login', imei },
    { kind: 'reply', text, reference: null },
    ...(place === null
      ? []
      : [model === '' ? readUniversal(type, fields, place) : readOlder(model, type, fields, place)]),
  ]);
}

/**
 * ST910 and similar models: a word for the type of report instead of the header's type. An answer to a command has its
 * id at the end.
 */
function st910(fields: readonly string[]): Decoded {
  const [head = '', kind = '', third = ''] = fields;
  const isAnswer = kind === 'RES';
  const imei = isAnswer ? (fields.at(-1) ?? '') : third;
  if (!ID.test(imei)) return errorIn('bad-field', head.length);
  if (isAnswer) {
    const text = fields.slice(2, -1).join(';');
    return silent([
      { kind: 'login', imei },
      { kind: 'reply', text, reference: null },
    ]);
  }
  const who: DecodedMessage = { kind: 'login', imei };
  const place = readPlace(fields);
  if (place !== null) return silent([who, readSt910(fields, place)]);
  return silent([who, kind === 'Alive' ? { kind: 'heartbeat', attributes: {} } : withoutPlace(fields)]);
}

/** A report that is not decoded is kept as sent. */
const withoutPlace = (fields: readonly string[]): DecodedMessage => ({
  kind: 'status',
  time: readMoment(fields)?.time ?? null,
  event: null,
  attributes: { report: reportText(fields) },
});

/** BLE and BSA: a beacon and its signal strength; BLE at the tracker's position. */
function beacon(type: string, fields: readonly string[], place: Place): DecodedMessage {
  const mac = fields.find((text, i) => i > place.at && /^([0-9A-F]{2}:?){6}$/i.test(text)) ?? '';
  const attributes: Attributes = { tag1Mac: mac.replaceAll(':', ''), tag1Rssi: number(fields[place.at + 3]) ?? 0 };
  if (type === 'BSA') return { kind: 'status', time: place.time, event: null, attributes };
  return positionOf({
    time: place.time,
    valid: fields[place.at + 2] === '1',
    lat: degrees(place.lat),
    lon: degrees(place.lon),
    attributes,
  });
}

const SENSOR = /N_(\d)=([0-9A-F]{1,4})(?:\.\d+)?/gi;
/** Card readers send `GTSL|6|1|0|number|1|`. */
const CARD = /^GTSL\|[^|]*\|[^|]*\|[^|]*\|(\d{4,20})\|/;

/** Data from a serial device: text or bytes; known level sensors and card readers are decoded. */
function withData(message: DecodedMessage, bytes: Uint8Array): DecodedMessage {
  if (message.kind !== 'position') return message;
  const printable = bytes.every(byte => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a);
  const text = printable ? ascii(bytes) : hex(bytes);
  const sensors: Record<string, number> = {};
  for (const [, index, value] of text.matchAll(SENSOR)) {
    sensors[`fuelSensor${Number(index) + 1}`] = Number.parseInt(value ?? '0', 16);
  }
  return {
    ...message,
    rfid: message.rfid ?? CARD.exec(text)?.[1] ?? null,
    attributes: { ...message.attributes, serialData: text, ...sensors },
  };
}

const ZIP_ID_AT = 4;
/** In three bytes; others have five. */
const SHORT_ID_DIGITS = 6;

/** Over UDP, every report of the older protocols is acknowledged, but not signs of life and answers. */
function confirmed(decoded: Decoded, report: Uint8Array): Decoded {
  const [who, first] = decoded.messages;
  if (who?.kind !== 'login' || (first?.kind !== 'position' && first?.kind !== 'status')) return decoded;
  const own = decoded.acknowledgement ?? NOTHING;
  if (report[0] === ZIP_OLDER) {
    const id = report.subarray(ZIP_ID_AT, ZIP_ID_AT + (who.imei.length === SHORT_ID_DIGITS ? 3 : 5));
    return { ...decoded, acknowledgement: Uint8Array.of(...own, ...acknowledgeZip(id)) };
  }
  const [, model] = HEADER_OF_REPORT.exec(ascii(report.subarray(0, LONGEST_HEADER))) ?? [];
  if (model === undefined) return decoded;
  return { ...decoded, acknowledgement: Uint8Array.of(...own, ...acknowledgeReport(model, who.imei)) };
}

const NOTHING = new Uint8Array(0);
const LONGEST_HEADER = 14;
const HEADER_OF_REPORT = /^([A-Z]{2}\d{3,4}[A-Z]{0,4})[A-Z]{3};/;

export const suntechTcp: StreamProtocol = {
  name: 'suntech',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

export const suntechUdp: DatagramProtocol = {
  name: 'suntech',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, (frame, session) => confirmed(decode(frame, session), frame)),
  encodeCommand,
};
