import { celsius, metres } from '@milepost/units';
import type { TrackerEvent } from '../events.ts';
import { positionOf } from '../position.ts';
import type { DecodedMessage } from '../protocol.ts';
import { alertOf, EMERGENCY_IDS } from './alert-ids.ts';
import { csqOf, number, type Place, readCell } from './place.ts';

/**
 * The older protocols (SA200, ST200 to ST600): HDR; id; model; firmware; date; time; cell (ST600: MCC; MNC; LAC; level too); place;
 * satellites; fix; distance; voltage; inputs and outputs; then by the report mode and number, alert or emergency; hour meter,
 * backup voltage, message type. ST600 adds an analogue input, driver and probes; ST410 towers before the date.
 */
export function readOlder(model: string, type: string, fields: readonly string[], place: Place): DecodedMessage {
  const { at, dateAt } = place;
  const tail = fields.slice(at + 6);
  const [distance, volts, lines = '', code] = tail;
  const attributes: Record<string, string | number | boolean> = {};
  const wired = model !== 'ST410' && /^\d+$/.test(distance ?? '') && /^\d+\.\d+$/.test(volts ?? '');
  if (wired) {
    attributes.externalVoltage = number(volts) ?? 0;
    inputsAndOutputs(lines, attributes);
  }
  const cell = towerOf(model, fields, place);
  if (cell !== null) attributes.cell = cell;
  if (model === 'ST410') battery(fields.slice(0, dateAt), attributes);
  // Mode and number of a status take one field more than the id of an alert.
  const behind = tail.slice(type === 'STT' ? 5 : 4);
  const { rfid, temperature } = wired && type !== 'UEX' ? meters(behind, attributes) : NONE;
  return positionOf({
    ...place,
    valid: fields[at + 5] === '1',
    satellites: number(fields[at + 4]),
    gsm: model === 'ST600' ? csqOf(number(fields[at - 1])) : null,
    ignition: wired && lines.length >= 6 ? lines.startsWith('1') : null,
    odometer: wired ? metres(Number(distance)) : null,
    temperature,
    event: wired ? eventOf(type, number(code), attributes) : null,
    rfid,
    attributes,
  });
}

const NONE = { rfid: null, temperature: null } as const;

/** `100000`: ignition, inputs 1–3, outputs 1–2. */
function inputsAndOutputs(text: string, attributes: Record<string, string | number | boolean>): void {
  if (!/^[01]{6,}$/.test(text)) return;
  for (let i = 1; i <= 3; i++) attributes[`input${i}`] = text[i] === '1';
  for (let i = 4; i <= 5; i++) attributes[`output${i - 3}`] = text[i] === '1';
}

/** ST600 has the tower before the place; ST410 has towers of cell, MCC, MNC, level, LAC, advance behind the firmware. */
function towerOf(model: string, fields: readonly string[], { at, dateAt }: Place): string | null {
  if (model === 'ST600' && at - dateAt >= 7) return readCell(...(fields.slice(at - 5, at - 1) as [string?, string?]));
  if (model !== 'ST410') return null;
  const [cell, mcc, mnc, , lac] = fields.slice(4, 9);
  const [id, area] = [number(cell), number(lac)];
  return id === null || area === null || Number(mcc) === 0 ? null : `${mcc}-${Number(mnc)}-${area}-${id}`;
}

/** ST410 runs on a battery, whose voltage is the last decimal number before the date. */
function battery(before: readonly string[], attributes: Record<string, string | number | boolean>): void {
  const volts = number(before.findLast(text => /^\d\.\d+$/.test(text)));
  if (volts !== null) attributes.batteryVoltage = volts;
}

function eventOf(
  type: string,
  code: number | null,
  attributes: Record<string, string | number | boolean>,
): TrackerEvent | null {
  if (code === null || type === 'STT' || type === 'UEX') return null;
  if (type === 'EVT') {
    attributes.eventCode = code;
    return null;
  }
  if (type === 'EMG') {
    const event = EMERGENCY_IDS.get(code);
    if (event === undefined) attributes.alarmCode = code;
    return event ?? 'alarm';
  }
  const { event, alarmCode } = alertOf(code);
  if (alarmCode !== null) attributes.alarmCode = alarmCode;
  return event;
}

const DRIVER = /^[0-9A-F]{14}$/i;
const PROBE = /^([0-9A-F]{16}):([+-]?\d+(?:\.\d+)?)$/i;
const MINUTE = 60;

/** Hour meter (minutes), backup voltage, message type (0: out of the memory), analogue input, driver, probes. */
function meters(
  [hours, backup, kind, analogue, ...more]: readonly string[],
  attributes: Record<string, string | number | boolean>,
): Pick<Extract<DecodedMessage, { kind: 'position' }>, 'rfid' | 'temperature'> {
  if (!/^\d{1,8}$/.test(hours ?? '') || !/^\d\.\d+$/.test(backup ?? '')) return NONE;
  attributes.engineHours = Number(hours) * MINUTE;
  attributes.batteryVoltage = Number(backup);
  if (kind === '0') attributes.replayed = true;
  if (/^\d+\.\d+$/.test(analogue ?? '')) attributes.analogInput1 = Number(analogue);
  const driver = more.find(text => DRIVER.test(text));
  let first: number | null = null;
  for (const [i, probe] of more.filter(text => text.includes(':')).entries()) {
    const [, id, value] = PROBE.exec(probe) ?? [];
    if (id === undefined || value === undefined) continue;
    attributes[`temperatureSensor${i + 1}`] = id;
    attributes[`temperature${i + 1}`] = Number(value);
    first ??= Number(value);
  }
  return {
    rfid: driver === undefined || /^0+$/.test(driver) ? null : driver.toUpperCase(),
    temperature: first === null ? null : celsius(first),
  };
}
