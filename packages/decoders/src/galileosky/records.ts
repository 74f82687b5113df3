import { celsius, degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';
import { ascii, letters } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import { unread } from '../outcome.ts';
import { positionOf } from '../position.ts';
import { withoutFix } from '../possible.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { signed, unsigned } from './little.ts';
import { type RawRecord, splitRecords } from './split.ts';
import { TAG } from './tags.ts';
import { readValues, type Values } from './values.ts';

/** What the tags of a pack say. */
export interface Pack {
  /** The first IMEI in it. */
  readonly imei: string | null;
  /** Versions and the number that the tracker was given. */
  readonly about: Attributes;
  readonly messages: readonly DecodedMessage[];
}

const IMEI = /^\d{15}$/;
const IDENTIFICATION: ReadonlySet<number> = new Set([0x01, 0x02, TAG.imei, TAG.device]);

export function readPack(content: Uint8Array): Pack {
  const { records, rests } = splitRecords(content);
  const imeis = records.map(({ tags }) => ascii(tags.get(TAG.imei) ?? new Uint8Array(0)));
  const messages = records.flatMap(messagesOf);
  for (const { code, from, to } of rests) {
    messages.push(unread(code, `0x${(content[from] ?? 0).toString(16)}`, content.subarray(from, to)));
  }
  return { imei: imeis.find(imei => IMEI.test(imei)) ?? null, about: aboutIn(records), messages };
}

function aboutIn(records: readonly RawRecord[]): Attributes {
  const about: Values = {};
  for (const [name, tag] of [
    ['hardware', 0x01] as const,
    ['firmware', 0x02] as const,
    ['deviceNumber', TAG.device] as const,
  ]) {
    const data = records[0]?.tags.get(tag);
    if (data) about[name] = unsigned(data);
  }
  return about;
}

function messagesOf({ tags }: RawRecord): DecodedMessage[] {
  const text = tags.get(TAG.text);
  const number = tags.get(TAG.command);
  if (text) {
    return [{ kind: 'reply', text: letters(text.subarray(1)), reference: number ? unsigned(number) : null }];
  }
  return [...tags.keys()].every(tag => IDENTIFICATION.has(tag)) ? [] : [reportOf(tags)];
}

/** "Reason for recording an archive point". */
export const REASONS: Readonly<Record<number, TrackerEvent>> = { 2: 'driverIdentified', 12: 'alarm', 13: 'sos' };

/** "Coordinates correctness": other values mean that the coordinates are not correct. */
const FROM_SATELLITES = 0;
const FROM_CELLS = 2;
const COORDINATE_SCALE = 1e6;

function reportOf(tags: ReadonlyMap<number, Uint8Array>): DecodedMessage {
  const values = readValues(tags);
  const record = tags.get(0x11) ?? tags.get(TAG.record);
  if (record) values.recordNumber = unsigned(record);
  const columns = columnsFrom(values);
  const seconds = tags.get(TAG.time);
  const milliseconds = unsigned(tags.get(TAG.milliseconds) ?? new Uint8Array(0));
  const time = seconds ? epochMs(unsigned(seconds) * 1000 + (milliseconds < 1000 ? milliseconds : 0)) : null;
  const place = tags.get(TAG.place);
  if (place === undefined) {
    const { event, rfid, ...known } = columns;
    for (const [name, value] of Object.entries({ rfid, ...known })) if (value !== null) values[name] = value;
    return { kind: 'status', time, event, attributes: values };
  }
  const [first = 0] = place;
  const [lat, lon] = [signed(place.subarray(1, 5)), signed(place.subarray(5, 9))];
  const source = first >> 4;
  const accuracy = tags.get(TAG.accuracy);
  if (source === FROM_CELLS) values.positionFrom = 'cells';
  // "Error in meters, if cellular base stations are a source … multiplied by 10".
  if (accuracy && source === FROM_CELLS) values.accuracy = unsigned(accuracy) * 10;
  const motion = tags.get(TAG.motion);
  const altitude = tags.get(TAG.altitude);
  const position = positionOf({
    ...columns,
    time: time ?? epochMs(0),
    valid: source === FROM_SATELLITES,
    lat: degrees(lat / COORDINATE_SCALE),
    lon: degrees(lon / COORDINATE_SCALE),
    speed: motion ? fromKilometresPerHour(unsigned(motion.subarray(0, 2)) / 10) : null,
    course: motion ? degrees(unsigned(motion.subarray(2)) / 10) : null,
    altitude: altitude ? metres(signed(altitude)) : null,
    satellites: first & 0x0f,
    hdop: accuracy && source === FROM_SATELLITES ? unsigned(accuracy) / 10 : null,
    attributes: values,
  });
  const isPlace = (source === FROM_SATELLITES || source === FROM_CELLS) && (lat !== 0 || lon !== 0);
  return isPlace ? position : withoutFix(position);
}

const CARDS = ['iButton64', 'iButton'] as const;
const PROBES = Array.from({ length: 8 }, (_, i) => `temperature${i + 1}`);

/** Takes what has a column of its own out of the attributes. */
function columnsFrom(values: Values) {
  const taken = (name: string | undefined): number | null => {
    const value = name === undefined ? undefined : values[name];
    if (name !== undefined) delete values[name];
    return typeof value === 'number' ? value : null;
  };
  const odometer = taken(values.odometer === undefined ? 'canOdometer' : 'odometer');
  const fuel = typeof values.canFuelLevel === 'number' && values.canFuelLevel <= 100 ? taken('canFuelLevel') : null;
  const card = CARDS.find(name => values[name] !== undefined);
  const rfid = card === undefined ? null : String(values[card]);
  if (card !== undefined) delete values[card];
  const probe = PROBES.find(name => values[name] !== undefined);
  const event = REASONS[Number(values.recordReason)] ?? null;
  return {
    odometer: odometer === null ? null : metres(odometer),
    fuel: fuel === null ? null : percent(fuel),
    temperature: probe === undefined ? null : celsius(Number(values[probe])),
    rfid,
    event,
  };
}
