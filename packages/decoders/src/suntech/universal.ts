import { degrees, fromKilometresPerHour } from '@milepost/units';
import { positionOf } from '../position.ts';
import { reasonOf } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { alertOf } from './alert-ids.ts';
import { csqOf, hexNumber, isAngle, number, type Place, readCell, readTime } from './place.ts';
import { ASSIGN_MAP, FIELD, type UniversalFields, universalFields } from './universal-fields.ts';

/**
 * The universal protocol (ST4300 series and later): HDR; id; report map; then the fields that the map selects; then, if
 * selected, the assign map and a value for each of its bits.
 */

/** Values of the assign map with a name here; others become `assign` and their bit number. */
const ASSIGNED: Readonly<Record<number, string>> = { 0: 'batteryVoltage', 1: 'externalVoltage' };

type Notes = Record<string, string | number | boolean>;

/** `place` is null if the report map leaves out the position. */
export function readUniversal(type: string, fields: readonly string[], place: Place | null): DecodedMessage {
  const named = universalFields(fields, place);
  const { get } = named;
  const attributes: Notes = {};
  const cell = readCell(get(FIELD.cell), get(FIELD.mcc), get(FIELD.mnc), get(FIELD.lac));
  if (cell !== null) attributes.cell = cell;
  const firmware = get(FIELD.firmware);
  if (firmware) attributes.firmware = firmware;
  if (get(FIELD.sent) === '0') attributes.replayed = true;
  const inputs = lines('input', get(FIELD.inputs), attributes);
  lines('output', get(FIELD.outputs), attributes);
  const event = type === 'ALT' ? alert(named, attributes) : type === 'EMG' ? 'sos' : null;
  if (type === 'ALT' || type === 'STT') assigned(named, attributes);
  const ignition = inputs === null ? null : (inputs & 1) !== 0;
  if (place === null) {
    const gsm = csqOf(number(get(FIELD.level)));
    const satellites = number(get(FIELD.satellites));
    if (ignition !== null) attributes.ignition = ignition;
    if (gsm !== null) attributes.gsm = gsm;
    if (satellites !== null) attributes.satellites = satellites;
    const time = readTime(get(FIELD.date) ?? '', get(FIELD.clock) ?? '');
    return { kind: 'status', time, event, attributes: { ...reasonOf(fields.some(isAngle)), ...attributes } };
  }
  const [speed, course] = [number(get(FIELD.speed)), number(get(FIELD.course))];
  const fix = get(FIELD.fix);
  return positionOf({
    ...place,
    valid: fix === undefined || fix === '1',
    speed: speed === null ? null : fromKilometresPerHour(speed),
    course: course === null ? null : degrees(course),
    satellites: number(get(FIELD.satellites)),
    gsm: csqOf(number(get(FIELD.level))),
    ignition,
    event,
    rfid: event === 'driverIdentified' && typeof attributes.alarmData === 'string' ? attributes.alarmData : null,
    attributes,
  });
}

function alert({ get }: UniversalFields, attributes: Notes): ReturnType<typeof alertOf>['event'] {
  const { event, alarmCode } = alertOf(number(get(FIELD.reason)) ?? 0);
  if (alarmCode !== null) attributes.alarmCode = alarmCode;
  const data = get(FIELD.data);
  if (data) attributes.alarmData = data;
  return event;
}

/** Bits as binary digits, lowest last; bit 0 of the inputs is the ignition. */
function lines(name: 'input' | 'output', text: string | undefined, attributes: Notes): number | null {
  if (!/^[01]{1,16}$/.test(text ?? '')) return null;
  const bits = Number.parseInt(text ?? '0', 2);
  const first = name === 'input' ? 1 : 0;
  for (let i = first; i < first + 3; i++) attributes[`${name}${i + 1 - first}`] = (bits & (1 << i)) !== 0;
  return bits;
}

function assigned({ assigned: values, map }: UniversalFields, attributes: Notes): void {
  if ((map & ASSIGN_MAP) === 0) {
    for (const [i, text] of values.entries()) if (text !== '') attributes[`assign${i + 1}`] = text;
    return;
  }
  const bits = hexNumber(values[0]) ?? 0;
  let at = 1;
  for (let bit = 0; bit < 32; bit++) {
    if (((bits >>> bit) & 1) === 0) continue;
    const text = values[at++];
    if (text === undefined || text === '') continue;
    attributes[ASSIGNED[bit] ?? `assign${bit}`] = number(text) ?? text;
  }
}
