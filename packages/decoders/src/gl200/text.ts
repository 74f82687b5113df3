import { type Celsius, type EpochMs, type Percent, percent } from '@milepost/units';
import { letters } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import { errorIn, silent } from '../outcome.ts';
import { positionOf } from '../position.ts';
import { reasonOf } from '../possible.ts';
import type { Attributes, Decoded, DecodedMessage, PositionMessage, Session } from '../protocol.ts';
import { readExtended, VEHICLE_BUS } from './extended.ts';
import { asLaterModels } from './first-models.ts';
import { INFORMATION, readFirstInformation, readInformation, readVersion } from './information.ts';
import { hasCoordinates, type Place, placesIn, withoutBlank } from './place.ts';
import { readTail } from './report-tail.ts';
import { eventOf } from './reports.ts';
import { special } from './special.ts';
import { readCell, readHex, readNumber, readTime } from './text-fields.ts';
import { readBus } from './vehicle-bus.ts';

/** `+RESP:NAME,version,IMEI,device name, … ,send time,count$`; `+BUFF:` is a report from memory. */
const REPORT = /^\+(RESP|BUFF|ACK):(GT[A-Z0-9]{3}),(.*?)\$?$/s;
/** The sign of life of the first models. */
const LIFE = /^AT\+GTHBD=HeartBeat,(\d{15}),(\d{14}),([0-9A-F]{4}),/i;
/** An answer of the GL601 and similar models: name, IMEI, device type, protocol, custom, … serial number, time, count. */
const ANSWER = /^\+(ACK|NACK|QRY):([A-Z0-9]{3}),(\d{15}),(.*?)\$?$/s;
const IDENTITY = /^(\d{15}|[0-9A-F]{14})$/i;
/** OBD models put the VIN before the device's name. */
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;
/** At the end of every report: send time, count number. */
const TRAILER = 2;
const FIRST = 3;

export function decodeText(frame: Uint8Array, session: Session): Decoded {
  const words = letters(frame);
  const [, kind, name = '', rest = ''] = REPORT.exec(words) ?? [];
  if (kind === undefined) return lifeOf(words) ?? answerOf(words) ?? errorIn('unknown-type', 0);
  const sent = rest.split(',');
  // The first models have no version before the IMEI.
  const first = IDENTITY.test(sent[0] ?? '');
  const fields = first ? asLaterModels(sent) : sent;
  const vin = VIN.test(fields[2] ?? '') ? (fields.splice(2, 1)[0] ?? null) : null;
  const [version = '', imei = ''] = fields;
  if (!IDENTITY.test(imei)) {
    return errorIn('bad-field', Math.min(frame.length, kind.length + name.length + version.length + 4));
  }
  if (fields.length < FIRST + TRAILER) return errorIn('too-short', frame.length);
  const who: DecodedMessage = { kind: 'login', imei: imei.toUpperCase() };
  const count = fields.at(-1) ?? '';
  if (kind === 'ACK') return acknowledgement(name, version, fields, who);
  const messages = report({ name, fields, session, replayed: kind === 'BUFF', vin, first });
  return {
    messages: [who, ...messages],
    acknowledgement: /^[0-9A-F]{4}$/i.test(count) ? textBytes(first ? `+SRVACK:${count}\0` : `+SACK:${count}$`) : null,
    refusal: null,
  };
}

const utf8 = new TextEncoder();
const textBytes = (text: string): Uint8Array => utf8.encode(text);

/** GL100, "Heart Beat Data". */
function lifeOf(words: string): Decoded | null {
  const [, imei, time, count] = LIFE.exec(words) ?? [];
  if (imei === undefined) return null;
  return {
    messages: [
      { kind: 'login', imei },
      { kind: 'heartbeat', attributes: {} },
    ],
    acknowledgement: textBytes(`+RESP:GTHBD,GPRS ACTIVE,HeartBeat,${imei},${time},${count}\0`),
    refusal: null,
  };
}

const ANSWER_HEAD = 3;

function answerOf(words: string): Decoded | null {
  const [, kind, name, imei, rest = ''] = ANSWER.exec(words) ?? [];
  if (imei === undefined) return null;
  const fields = rest.split(',');
  const content = fields.slice(ANSWER_HEAD, -3).filter(part => part !== '');
  const text = [...(kind === 'ACK' ? [] : [kind]), name, ...content].join(' ');
  return silent([
    { kind: 'login', imei },
    { kind: 'reply', text, reference: readHex(fields.at(-3)) },
  ]);
}

/** "+ACK:GTHBD" is the heartbeat; any other answers a command and has its serial number before the send time. */
function acknowledgement(name: string, version: string, fields: readonly string[], who: DecodedMessage): Decoded {
  if (name === 'GTHBD') {
    const answer = textBytes(`+SACK:GTHBD,${version},${fields.at(-1)}$`);
    return { messages: [who, { kind: 'heartbeat', attributes: {} }], acknowledgement: answer, refusal: null };
  }
  const text = [name, ...fields.slice(FIRST, -3)].filter(part => part !== '').join(' ');
  const reply: DecodedMessage = { kind: 'reply', text, reference: readHex(fields.at(-3)) };
  return { messages: [who, reply], acknowledgement: null, refusal: null };
}

interface Report {
  readonly name: string;
  readonly fields: readonly string[];
  readonly session: Session;
  readonly replayed: boolean;
  readonly vin: string | null;
  /** From one of the first models. */
  readonly first: boolean;
}

function report(received: Report): DecodedMessage[] {
  const { name, fields, first } = received;
  const content = fields.slice(FIRST, -TRAILER);
  const fixed = { ...received, fields: withoutBlank(fields, FIRST) };
  const places = placesIn(fixed.fields, FIRST);
  const positions = places.map((place, i) => position(fixed, place, i === places.length - 1 ? null : places[i + 1]));
  if (name === 'GTINF') {
    const attributes = first ? readFirstInformation(content) : readInformation(content);
    return [{ kind: 'heartbeat', attributes }, ...positions];
  }
  if (name === 'GTVER') return [{ kind: 'heartbeat', attributes: readVersion(content) }, ...positions];
  const information = INFORMATION[name];
  if (information) return [status(received, null, kept(information(content), name, content)), ...positions];
  return positions.length === 0 ? [placeless(received)] : positions;
}

function status({ fields, session, vin }: Report, event: TrackerEvent | null, content: Attributes): DecodedMessage {
  const attributes = vin === null ? content : { vin, ...content };
  return { kind: 'status', time: sentAt(fields, session), event, attributes };
}

const MOST_TEXT = 512;

/** A report of which nothing is read is kept as sent. */
function kept(attributes: Attributes, name: string, content: readonly string[]): Attributes {
  if (Object.keys(attributes).length > 0 || content.every(text => text === '')) return attributes;
  return { report: [name, ...content].join().slice(0, MOST_TEXT) };
}

const HOUR_MS = 3_600_000;

/** The send time is in the tracker's time zone; it is used only if it agrees with the time of arrival. */
function sentAt(fields: readonly string[], session: Session): EpochMs | null {
  const sent = readTime(fields.at(-2));
  return sent !== null && Math.abs(sent - session.receivedAt) <= HOUR_MS ? sent : null;
}

function placeless(received: Report): DecodedMessage {
  const { name, fields } = received;
  const cellAt = fields.findIndex((text, i) => i >= FIRST && /^0[2-9]\d\d$/.test(text) && readCell(fields, i) !== null);
  const cell = cellAt < 0 ? null : readCell(fields, cellAt);
  const end = fields.length - TRAILER;
  const { ignition, odometer, fuel, attributes, extended } = isBus(name)
    ? { ...readBus(name, fields, FIRST, end), extended: -1 }
    : { ...(isBlank(fields, cellAt) ? readTail(fields, cellAt + CELL_FIELDS, end) : EMPTY_TAIL), fuel: null };
  const before = isBlank(fields, cellAt) ? fields.slice(FIRST, cellAt - BLANK_FIELDS) : [];
  const content = fields.slice(FIRST, -TRAILER);
  const own = special(name, content);
  const event = own.event ?? eventOf(name, before.length > 0 ? reportKind(before).type : null);
  const accessories: Record<string, string | number | boolean> = {};
  const mask = name === 'GTERI' && extended >= 0 ? eriMask(before) : null;
  if (mask !== null) readExtended(mask, fields, extended, end, accessories);
  const isLocated = hasCoordinates(fields);
  const notes = {
    ...(isLocated || isBlank(fields, cellAt) ? reasonOf(isLocated) : {}),
    ...accessories,
    ...(cell === null ? {} : { cell }),
    ...(ignition === null ? {} : { ignition }),
    ...(odometer === null ? {} : { odometer }),
    ...(fuel === null ? {} : { fuelLevel: fuel }),
    ...attributes,
    ...power(before),
    ...(own.satellites === null ? {} : { satellites: own.satellites }),
    ...own.attributes,
  };
  return status(received, event, event === null ? kept(notes, name, content) : notes);
}

const eriMask = (before: readonly string[]): number | null => readHex(before.find(text => /^[0-9A-F]{8}$/i.test(text)));

const CELL_FIELDS = 4;
/** Accuracy, speed, azimuth, altitude, longitude, latitude, time. */
const BLANK_FIELDS = 7;
const EMPTY_TAIL = { ignition: null, odometer: null, attributes: {}, extended: -1 };

/** There is an empty position before the tower; the rest of the report is as usual. */
const isBlank = (fields: readonly string[], cellAt: number): boolean =>
  cellAt >= FIRST + BLANK_FIELDS && fields.slice(cellAt - BLANK_FIELDS + 1, cellAt).every(text => text === '');

const isBus = (name: string): name is 'GTCAN' | 'GTOBD' => name === 'GTCAN' || name === 'GTOBD';

/** The fields before the position, and those after it up to the next position or the send time. */
function position(received: Report, place: Place, next: Place | null | undefined): PositionMessage {
  const { name, fields, session, replayed, vin } = received;
  const before = fields.slice(FIRST, place.from);
  const end = next?.from ?? fields.length - TRAILER;
  const tail = readTail(fields, Math.min(place.to, end), end);
  const mask = name === 'GTERI' ? eriMask(before) : null;
  const bus = isBus(name)
    ? readBus(name, fields, FIRST, place.from)
    : mask !== null && mask & VEHICLE_BUS && tail.extended >= 0
      ? readBus('GTCAN', fields, tail.extended, end)
      : null;
  const engine = vin !== null && name === 'GTFRI' ? engineIn(fields, tail.extended, end) : null;
  const { id, type } = reportKind(before);
  const { event: ownEvent, temperature, rfid, satellites, attributes: own } = special(name, before);
  const event = ownEvent ?? eventOf(name, type);
  const attributes: Record<string, string | number | boolean> = {
    ...(vin === null ? {} : { vin }),
    ...(place.cell === null ? {} : { cell: place.cell }),
    ...tail.attributes,
    ...(ANALOG.has(name) ? analog(before, id) : power(before)),
    ...engine?.attributes,
    ...bus?.attributes,
    ...own,
  };
  if (name === 'GTGEO' && id !== null) attributes.fence = Number(id);
  if (name === 'GTDIS' && id !== null) attributes[`input${Number(id)}`] = type === '1';
  if (replayed) attributes.replayed = true;
  const extended: { temperature: Celsius | null } =
    mask !== null && tail.extended >= 0
      ? readExtended(mask, fields, tail.extended, end, attributes)
      : { temperature: null };
  // A failed fix repeats the last position with its time; with that time, the event would look like a duplicate.
  const time = !place.valid && event !== null ? (sentAt(fields, session) ?? place.time) : place.time;
  return positionOf({
    ...place,
    time,
    satellites: tail.satellites ?? satellites,
    hdop: tail.hdop ?? place.hdop,
    gsm: tail.gsm,
    ignition: tail.ignition ?? bus?.ignition ?? ignitionBy(event),
    // A tracker that does not count the distance sends 0.
    odometer: tail.odometer || (bus?.odometer ?? tail.odometer),
    fuel: bus?.fuel ?? engine?.fuel ?? null,
    temperature: temperature ?? extended.temperature,
    event,
    rfid,
    attributes,
  });
}

const ignitionBy = (event: TrackerEvent | null): boolean | null =>
  event === 'ignitionOn' ? true : event === 'ignitionOff' ? false : null;

/**
 * "Report ID/Report Type": two digits in one field on vehicle models, two fields on handhelds; followed by the number
 * of fixes.
 */
function reportKind(before: readonly string[]): { id: string | null; type: string | null } {
  const [first, second] = before.slice(-3, -1);
  const joined = before.at(-2);
  if (joined !== undefined && /^\d\d$/.test(joined)) return { id: joined[0] ?? null, type: joined[1] ?? null };
  return { id: first ?? null, type: second ?? null };
}

/** "External Power VCC" in millivolts comes before the report's two digits. */
function power(before: readonly string[]): Attributes {
  const [millivolts, kind] = before.slice(-3, -1);
  return /^\d{4,5}$/.test(millivolts ?? '') && /^\d\d$/.test(kind ?? '')
    ? { externalVoltage: Number(millivolts) / 1000 }
    : {};
}

/** Reports of an analog input; its voltage stands where others have the vehicle's. */
const ANALOG = new Set(['GTAIS', 'GTMAI']);

const analog = (before: readonly string[], id: string | null): Attributes => {
  const { externalVoltage } = power(before);
  return externalVoltage === undefined ? {} : { [`analogInput${id ?? ''}`]: externalVoltage };
};

/** OBD models (GV500): revolutions, consumption and the fuel level in percent follow the device status. */
function engineIn(
  fields: readonly string[],
  at: number,
  end: number,
): { fuel: Percent | null; attributes: Attributes } {
  const [rpm, consumption, level] = (at < 0 ? [] : fields.slice(at, Math.min(at + 3, end))).map(readNumber);
  return {
    fuel: level == null || level > 100 ? null : percent(level),
    attributes: {
      ...(rpm == null ? {} : { rpm }),
      ...(consumption == null ? {} : { fuelConsumption: consumption }),
    },
  };
}
