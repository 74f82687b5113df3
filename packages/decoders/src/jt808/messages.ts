import { ascii, hex, Reader } from '../bytes.ts';
import { missingIn } from '../possible.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { comparison } from './comparison.ts';
import { EARLIEST, findLocation, findLocations, locationBegin } from './find-location.ts';
import { readBatch, readLocation, readShortBatch } from './location.ts';
import { readLock } from './lock.ts';
import type { Packet } from './packet.ts';
import { readParameters } from './parameters.ts';
import {
  answer,
  canBroadcast,
  canFrames,
  driver,
  listedEvent,
  type MessageReader,
  mediaEvent,
  passengers,
  pictures,
  recorder,
  service,
  status,
  storedMedia,
  textOf,
  upgrade,
} from './reports.ts';
import { readSatellites } from './satellites.ts';
import { controlled, version } from './terminal-data.ts';
import { readTime } from './time.ts';
import { tractionCells } from './traction-cells.ts';
import { readTransparent } from './transparent.ts';

const BATTERY_HEARTBEAT_BYTES = 3;

/** Empty by the standard; of battery-powered trackers (BSJ EG01): percent, signal, mode. */
const heartbeat: MessageReader = body => {
  if (body.remaining !== BATTERY_HEARTBEAT_BYTES) return [{ kind: 'heartbeat', attributes: {} }];
  const [batteryLevel, gsm] = [body.u8(), body.u8()];
  const attributes: Attributes = batteryLevel <= 100 && gsm <= 31 ? { batteryLevel, gsm } : {};
  return [{ kind: 'heartbeat', attributes }];
};
const one = (message: DecodedMessage | null): DecodedMessage[] | null => message && [message];
/** Table 7 of 2013: the result of a command. */
const RESULTS = ['done', 'failed', 'message wrong', 'not supported', 'alarm confirmed'] as const;

const generalResponse: MessageReader = body => {
  const reference = body.u16();
  const id = body.u16();
  const result = body.u8();
  if (body.overrun) return null;
  const text = `${hex(Uint8Array.of(id >> 8, id & 255))} ${RESULTS[result] ?? `result ${result}`}`;
  return [{ kind: 'reply', text, reference }];
};

/** For a response that contains a location: position query (0x0201), vehicle control (0x0500). */
/** Some trackers send it on their own account, without the serial number of a request. */
const answeringLocation: MessageReader = (body, { versioned }) => {
  const reference = locationBegin(body) === 0 ? null : body.u16();
  const place = readLocation(body, versioned);
  return place && !body.overrun ? [{ kind: 'reply', text: 'position', reference }, place] : null;
};

/**
 * Table 6: province, city, maker, model, terminal, plate color, plate; 2011 has a shorter model, 2019 longer fields.
 */
const REGISTRATION = { versioned: [11, 30, 30], long: [5, 20, 7], short: [5, 8, 7] } as const;
const LONG_BYTES = 37;

/** The terminal's own description, for the login. */
export function registrationNotes(packet: Packet): Attributes {
  const body = new Reader(packet.body);
  const form = packet.versioned
    ? REGISTRATION.versioned
    : packet.body.length >= LONG_BYTES
      ? REGISTRATION.long
      : REGISTRATION.short;
  body.skip(4);
  const [maker, model, terminalId] = form.map(bytes => ascii(body.take8(bytes)));
  body.skip(1);
  const plate = textOf(body.rest());
  const values = { maker, model, terminalId, plate };
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]));
}

/** Since 2019, after the code and its length: the terminal's IMEI and its software version. */
export function authenticationNotes({ body, versioned }: Packet): Attributes {
  const reader = new Reader(body);
  if (!versioned || reader.u8() > reader.remaining - 15) return {};
  reader.skip(body[0] ?? 0);
  const values = { imei: ascii(reader.take8(15)), firmware: ascii(reader.rest()) };
  if (!/^\d{15}$/.test(values.imei)) return {};
  return Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));
}

const parameters: MessageReader = body => {
  const reference = body.u16();
  const count = body.u8();
  const text = readParameters(body, count);
  return text === null ? null : [{ kind: 'reply', text, reference }];
};

const attributes: MessageReader = (body, packet) => {
  body.skip(2);
  const [makerBytes, modelBytes, idBytes] = packet.versioned ? [5, 30, 30] : [5, 20, 7];
  const fields = [makerBytes, modelBytes, idBytes].map(bytes => ascii(body.take8(bytes ?? 0)));
  fields.push(hex(body.take8(10)));
  for (let i = 0; i < 2; i++) fields.push(ascii(body.take8(Math.min(body.u8(), body.remaining))));
  return body.overrun ? null : [{ kind: 'reply', text: fields.filter(Boolean).join(' '), reference: null }];
};

/** Table 82: id, type, format, event, channel, then the location and the picture. */
const multimedia: MessageReader = (body, packet) => {
  if (packet.part !== null && packet.part.index > 1) return status({ picturePart: packet.part.index });
  const mediaId = body.u32();
  const mediaType = body.u8();
  body.skip(3);
  if (body.overrun) return null;
  const place = readLocation(new Reader(body.bytes, body.at, Math.min(body.end, body.at + 28)));
  const notes = { mediaId, mediaType, mediaBytes: body.remaining };
  return place?.kind === 'position' ? [{ ...place, attributes: { ...place.attributes, ...notes } }] : status(notes);
};

/** 0x6006 and 0x0701 of recorded trackers: a text answer, after one byte or its length. */
const textAnswer =
  (skipped: number): MessageReader =>
  body => {
    body.skip(skipped);
    const text = textOf(body.rest());
    return body.overrun ? null : [{ kind: 'reply', text, reference: null }];
  };

/** 0x0210: cells of a traction battery; in recordings, a list of positions, or the battery level and a time. */
const positionsOrBattery: MessageReader = (body, packet) => {
  const cells = tractionCells(new Reader(body.bytes, body.at, body.end), packet);
  if (cells) return cells;
  const batch = readShortBatch(new Reader(body.bytes));
  if (batch) return batch;
  const batteryLevel = body.u8();
  const time = readTime(body);
  return body.overrun || batteryLevel > 100
    ? null
    : [{ kind: 'status', time, event: null, attributes: { batteryLevel } }];
};

const AXES_BYTES = 12;

/** 0x2070, undocumented: time and three accelerations, repeated. */
const accelerations: MessageReader = body => {
  if (body.remaining % AXES_BYTES !== 0 || body.remaining === 0) return null;
  const samples = body.remaining / AXES_BYTES;
  const time = readTime(body);
  return [{ kind: 'status', time, event: null, attributes: { accelerationSamples: samples } }];
};

const MAX_BYTES = 128;

/**
 * A location that starts where the standard says; one without a possible time may come after a few bytes of the maker's
 * own.
 */
const location: MessageReader = (body, { versioned }) => {
  const { bytes, at, end } = body;
  const place = readLocation(body, versioned);
  return one(place?.kind === 'status' ? (findLocation(new Reader(bytes, at, end)) ?? place) : place);
};

/** An undocumented message: its locations if it has any, otherwise its bytes. */
export const unknownMessage: MessageReader = (body, { id }) => {
  const found = findLocations(body);
  if (found.length > 0) return found;
  return status({
    messageId: hex(Uint8Array.of(id >> 8, id & 255)),
    data: hex(body.rest().subarray(0, MAX_BYTES)),
  });
};

const broadcast: MessageReader = (body, packet) => {
  const { bytes, at, end } = body;
  return canBroadcast(body, packet) ?? unknownMessage(new Reader(bytes, at, end), packet);
};

/** By the amended standard, or by the maker of OBD terminals. */
const satellitesOrVersion: MessageReader = (body, packet) => readSatellites(body, packet) ?? version(body, packet);

const isCredible = (message: DecodedMessage): boolean =>
  message.kind === 'position' && missingIn(message) === null && message.time >= EARLIEST;

/** As the standard says, unless more locations can be found: then lengths or type are missing, or written otherwise. */
const batch: MessageReader = (body, packet) => {
  const { bytes, at, end } = body;
  const read = readBatch(body, packet);
  const found = findLocations(new Reader(bytes, at, end));
  return found.length > (read?.filter(isCredible).length ?? 0) ? found : read;
};

/** The answer that the tracker waits for. */
export type Answer = 'general' | 'registration' | 'time' | 'picture' | 'nothing';

export interface MessageKind {
  readonly name: string;
  readonly read: MessageReader;
  readonly answer: Answer;
}

export const MESSAGES: ReadonlyMap<number, MessageKind> = new Map<number, MessageKind>([
  [0x0001, { name: 'general response', read: generalResponse, answer: 'nothing' }],
  [0x0002, { name: 'heartbeat', read: heartbeat, answer: 'general' }],
  [0x0003, { name: 'sign-off', read: () => status({ signedOff: true }), answer: 'general' }],
  [0x0004, { name: 'question for the time (2019)', read: () => [], answer: 'time' }],
  [0x0100, { name: 'registration', read: () => [], answer: 'registration' }],
  [0x0102, { name: 'authentication', read: () => [], answer: 'general' }],
  [0x0104, { name: 'parameters', read: parameters, answer: 'nothing' }],
  [0x0105, { name: 'result of a control command', read: controlled, answer: 'nothing' }],
  [0x0107, { name: 'attributes', read: attributes, answer: 'nothing' }],
  [0x0108, { name: 'result of an upgrade', read: upgrade, answer: 'general' }],
  [0x0200, { name: 'location', read: location, answer: 'general' }],
  [0x0201, { name: 'location on request', read: answeringLocation, answer: 'nothing' }],
  [0x0205, { name: 'satellites (2019), version (OBD terminals)', read: satellitesOrVersion, answer: 'general' }],
  [0x020a, { name: 'CAN broadcasts (OBD terminals)', read: broadcast, answer: 'general' }],
  [0x0210, { name: 'battery cells; recorded: positions, battery', read: positionsOrBattery, answer: 'general' }],
  [0x0301, { name: 'event of the list', read: listedEvent, answer: 'general' }],
  [0x0302, { name: 'answer of the driver', read: answer, answer: 'general' }],
  [0x0303, { name: 'service asked for', read: service, answer: 'general' }],
  [0x0500, { name: 'vehicle control response', read: answeringLocation, answer: 'nothing' }],
  [0x0700, { name: 'data of the driving recorder', read: recorder, answer: 'general' }],
  [0x0701, { name: 'waybill; recorded: text', read: textAnswer(4), answer: 'general' }],
  [0x0702, { name: 'driver', read: driver, answer: 'general' }],
  [0x0704, { name: 'batch of locations', read: batch, answer: 'general' }],
  [0x0705, { name: 'CAN frames', read: canFrames, answer: 'general' }],
  [0x0800, { name: 'picture, sound or film made', read: mediaEvent, answer: 'general' }],
  [0x0801, { name: 'picture, sound or film', read: multimedia, answer: 'picture' }],
  [0x0802, { name: 'stored pictures, sounds and films', read: storedMedia, answer: 'general' }],
  [0x0805, { name: 'result of a picture command', read: pictures, answer: 'general' }],
  [0x0900, { name: 'data passed through', read: body => [readTransparent(body)], answer: 'general' }],
  [0x0e10, { name: 'comparison of the driver (MettaX)', read: comparison, answer: 'general' }],
  [0x1005, { name: 'passengers (JT/T 1078)', read: passengers, answer: 'general' }],
  [0x2070, { name: 'accelerations (recorded)', read: accelerations, answer: 'general' }],
  [0x5501, { name: 'lock (recorded)', read: body => one(readLock(body)), answer: 'nothing' }],
  [0x5502, { name: 'lock (recorded)', read: body => one(readLock(body)), answer: 'nothing' }],
  [0x6006, { name: 'text (recorded)', read: textAnswer(1), answer: 'general' }],
]);
