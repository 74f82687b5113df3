import { metres } from '@milepost/units';
import type { TrackerEvent } from '../events.ts';
import { positionOf } from '../position.ts';
import type { DecodedMessage } from '../protocol.ts';
import { hexNumber, number, type Place } from './place.ts';
import { towerIn } from './towers.ts';

/**
 * ST910 and ST940, "Reporting to server": a word for the type of report; date, time, cell, position, fix. After the
 * fix, PROT_TYPE 0 has the battery in volts and PROT_TYPE 1 the distance and the battery in percent; then the message
 * type, and depending on the firmware, the model, distance, cell and tower.
 */
export const ST910 = /^ST9\d\d$/;

const EVENTS: Readonly<Record<string, TrackerEvent>> = { Emergency: 'sos', Alert: 'alarm' };
const MODEL = /^\d\d$/;

export function readSt910(fields: readonly string[], place: Place): DecodedMessage {
  const [, kind = '', , firmware = ''] = fields;
  const behind = fields.slice(place.at + 5);
  const attributes: Record<string, string | number | boolean> = {};
  if (place.dateAt > 3 && firmware !== '') attributes.firmware = firmware;
  const [first = '', second = ''] = behind;
  const volts = /^\d\.\d+$/.test(first);
  if (volts) attributes.batteryVoltage = Number(first);
  else if (/^\d{1,3}$/.test(second) && Number(second) <= 100) attributes.batteryLevel = Number(second);
  if (volts && second === '0') attributes.replayed = true;
  const distance = volts ? distanceBehindModel(behind) : number(first);
  const tower = towerIn(behind, hexNumber(cellOf(fields, place, behind)?.slice(0, 4)));
  if (tower.cell !== null) attributes.cell = tower.cell;
  if (kind === 'Alert' && volts && number(behind[2]) !== null) attributes.alarmCode = Number(behind[2]);
  return positionOf({
    ...place,
    valid: fields[place.at + 4] === '1',
    odometer: distance === null ? null : metres(distance),
    gsm: tower.gsm,
    event: Object.hasOwn(EVENTS, kind) ? (EVENTS[kind] ?? null) : null,
    attributes,
  });
}

/** Cell, area and the serving cell's color code, ten digits, come before the position or after the distance. */
const cellOf = (fields: readonly string[], { at, dateAt }: Place, behind: readonly string[]): string | undefined =>
  [...fields.slice(dateAt + 2, at), ...behind].find(text => /^[0-9A-F]{10}$/i.test(text));

function distanceBehindModel(behind: readonly string[]): number | null {
  const at = behind.findIndex((text, i) => i >= 3 && MODEL.test(text));
  return at < 0 ? null : number(behind[at + 1]);
}
