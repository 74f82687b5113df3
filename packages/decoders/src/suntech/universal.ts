import { positionOf } from '../position.ts';
import type { DecodedMessage } from '../protocol.ts';
import { alertOf } from './alert-ids.ts';
import { csqOf, hexNumber, number, type Place, readCell } from './place.ts';

/**
 * The universal protocol (ST4300 series and later): HDR; id; report map; model; firmware; message type; date; time; cell; MCC;
 * MNC; LAC; level; place; satellites; fix; inputs; outputs; and, by the report, mode, type and number (STT) or alert, its
 * modifier and its data (ALT); then, where the map asks for it, the assign map and a value for each of its bits.
 */
const RESERVED = 1 << 22;
const ASSIGN_MAP = 1 << 23;
/** Values of the assign map that have a name here; others become `assign` and the number of their bit. */
const ASSIGNED: Readonly<Record<number, string>> = { 0: 'batteryVoltage', 1: 'externalVoltage' };

export function readUniversal(type: string, fields: readonly string[], place: Place): DecodedMessage {
  const { at, dateAt } = place;
  const attributes: Record<string, string | number | boolean> = {};
  const cell = readCell(...tower(fields, dateAt + 2));
  if (cell !== null) attributes.cell = cell;
  if (fields[dateAt - 1] === '0') attributes.replayed = true;
  const inputs = lines('input', fields[at + 6], attributes);
  lines('output', fields[at + 7], attributes);
  let event: ReturnType<typeof alertOf>['event'] = null;
  if (type === 'ALT') {
    const alert = alertOf(number(fields[at + 8]) ?? 0);
    event = alert.event;
    if (alert.alarmCode !== null) attributes.alarmCode = alert.alarmCode;
    if (fields[at + 10]) attributes.alarmData = fields[at + 10] ?? '';
  }
  if (type === 'ALT' || type === 'STT') assigned(hexNumber(fields[2]) ?? 0, fields, at + 11, attributes);
  return positionOf({
    ...place,
    valid: fields[at + 5] === '1',
    satellites: number(fields[at + 4]),
    gsm: csqOf(number(fields[dateAt + 6])),
    ignition: inputs === null ? null : (inputs & 1) !== 0,
    event,
    rfid: event === 'driverIdentified' && typeof attributes.alarmData === 'string' ? attributes.alarmData : null,
    attributes,
  });
}

const tower = (fields: readonly string[], at: number): [string?, string?, string?, string?] => [
  fields[at],
  fields[at + 1],
  fields[at + 2],
  fields[at + 3],
];

/** Bits as binary digits, the lowest last; bit 0 of the inputs is the ignition. */
function lines(
  name: 'input' | 'output',
  text: string | undefined,
  attributes: Record<string, string | number | boolean>,
): number | null {
  if (!/^[01]{1,16}$/.test(text ?? '')) return null;
  const bits = Number.parseInt(text ?? '0', 2);
  const first = name === 'input' ? 1 : 0;
  for (let i = first; i < first + 3; i++) attributes[`${name}${i + 1 - first}`] = (bits & (1 << i)) !== 0;
  return bits;
}

function assigned(
  map: number,
  fields: readonly string[],
  from: number,
  attributes: Record<string, string | number | boolean>,
): void {
  let at = from + (map & RESERVED ? 1 : 0);
  if ((map & ASSIGN_MAP) === 0) {
    for (let i = 1; at < fields.length; i++, at++) if (fields[at]) attributes[`assign${i}`] = fields[at] ?? '';
    return;
  }
  const bits = hexNumber(fields[at++]) ?? 0;
  for (let bit = 0; bit < 32; bit++) {
    if (((bits >>> bit) & 1) === 0) continue;
    const text = fields[at++];
    if (text === undefined || text === '') continue;
    attributes[ASSIGNED[bit] ?? `assign${bit}`] = number(text) ?? text;
  }
}
