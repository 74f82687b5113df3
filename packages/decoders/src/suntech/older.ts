import { celsius, metres } from '@milepost/units';
import type { TrackerEvent } from '../events.ts';
import { positionOf } from '../position.ts';
import { reasonOf } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { alertOf, EMERGENCY_IDS } from './alert-ids.ts';
import { csqOf, isAngle, number, type Place, readCell, readMoment, reportText } from './place.ts';
import { towerIn, towersIn } from './towers.ts';

/**
 * The older protocols (SA200, ST200 to ST600): HDR; id; model; firmware; date; time; cell (ST600: MCC; MNC; LAC; level
 * too); position; satellites; fix; distance; voltage; inputs and outputs; then, by the type of report, mode and number,
 * alert or emergency; hour meter, backup voltage, message type. ST600 adds an analog input, driver and probes, later
 * models the tower; ST410 has towers before the date, and no position without a fix.
 */
export function readOlder(model: string, type: string, fields: readonly string[], place: Place | null): DecodedMessage {
  const attributes: Record<string, string | number | boolean> = {};
  const moment = readMoment(fields);
  // Before the date, after the model number if there is one; ST410 has one after it, and towers.
  const firmware = fields[model === 'ST410' || moment === null ? 2 : moment.at - 1];
  if (firmware && /^\d{3,5}[A-Z]?$/.test(firmware)) attributes.firmware = firmware;
  if (model === 'ST410') batteryTracker(fields.slice(0, moment?.at ?? fields.length), attributes);
  if (place === null) {
    const kept = { ...reasonOf(fields.some(isAngle)), ...attributes, report: reportText(fields) };
    return { kind: 'status', time: moment?.time ?? null, event: null, attributes: kept };
  }
  const { at } = place;
  const tail = fields.slice(at + 6);
  const [distance, volts, lines = '', code] = tail;
  const wired = model !== 'ST410' && /^\d+$/.test(distance ?? '') && /^\d+\.\d+$/.test(volts ?? '');
  if (wired) {
    attributes.externalVoltage = number(volts) ?? 0;
    inputsAndOutputs(lines, attributes);
  }
  const behind = tail.slice(REASON_FIELDS[type] ?? REASON_FIELDS.ALT);
  const tower = towerOf(model, fields, place, behind);
  if (tower.cell !== null) attributes.cell = tower.cell;
  // An alert about a driver has the driver before the meters.
  const driver = DRIVER.test(behind[0] ?? '') ? driverOf(behind) : null;
  const { rfid, temperature } = wired
    ? meters(driver === null ? behind : behind.slice(1), fields[2], attributes)
    : NONE;
  return positionOf({
    ...place,
    valid: fields[at + 5] === '1',
    satellites: number(fields[at + 4]),
    gsm: tower.gsm,
    ignition: wired && lines.length >= 6 ? lines.startsWith('1') : null,
    odometer: wired ? metres(Number(distance)) : null,
    temperature,
    event: wired ? eventOf(type, number(code), attributes) : null,
    rfid: wired ? (driver ?? rfid) : null,
    attributes,
  });
}

/** Fields before the hour meter: mode and number; length, data and checksum; the id of an alert. */
const REASON_FIELDS: Readonly<Record<string, number>> = { STT: 5, UEX: 6, ALT: 4 };

const NONE = { rfid: null, temperature: null } as const;

/** `100000`: ignition, inputs 1–3, outputs 1–2; ST300V has eight lines: ignition, inputs 1–4, outputs 1–3. */
function inputsAndOutputs(text: string, attributes: Record<string, string | number | boolean>): void {
  if (!/^[01]{6,}$/.test(text)) return;
  const [inputs, outputs] = text.length === 8 ? [4, 3] : [3, 2];
  for (let i = 1; i <= inputs; i++) attributes[`input${i}`] = text[i] === '1';
  for (let i = 1; i <= outputs; i++) attributes[`output${i}`] = text[inputs + i] === '1';
}

/** ST600 has the tower before the position, ST390 and later ST300 after the message type, ST410 before the date. */
function towerOf(model: string, fields: readonly string[], { at, dateAt }: Place, behind: readonly string[]) {
  if (at - dateAt >= 7) {
    const cell = readCell(...(fields.slice(at - 5, at - 1) as [string?, string?]));
    return { cell, gsm: csqOf(number(fields[at - 1])) };
  }
  return towerIn(model === 'ST410' ? fields.slice(4, dateAt) : behind);
}

/**
 * ST410 runs on a battery: towers, its voltage, message type, number and mode come before the date. The voltage is the
 * last decimal number there.
 */
function batteryTracker(before: readonly string[], attributes: Record<string, string | number | boolean>): void {
  const at = before.findLastIndex(text => /^\d\.\d+$/.test(text));
  const cells = towersIn(before.slice(4, at < 0 ? before.length : at));
  if (cells.length > 0) attributes.cells = cells.join(' ');
  if (at < 0) return;
  attributes.batteryVoltage = Number(before[at]);
  if (before[at + 1] === '0') attributes.replayed = true;
}

/** In other reports, what comes after the inputs and outputs is not the number of an alert. */
const WITH_REASON = new Set(['EVT', 'EMG', 'ALT']);

function eventOf(
  type: string,
  code: number | null,
  attributes: Record<string, string | number | boolean>,
): TrackerEvent | null {
  if (code === null || !WITH_REASON.has(type)) return null;
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
/** ST300F, which has two fuel sensors behind the analog input (ST300/340 Operation Manual, 6-3). */
const FUEL_MODEL = '14';

/** Zeros mean no driver. */
function driverOf(fields: readonly string[]): string | null {
  const driver = fields.find(text => DRIVER.test(text));
  return driver === undefined || /^0+$/.test(driver) ? null : driver.toUpperCase();
}

/** Hour meter (minutes), backup voltage, message type (0: from memory), analog input, driver, probes. */
function meters(
  [hours, backup, kind, analogue, ...more]: readonly string[],
  model: string | undefined,
  attributes: Record<string, string | number | boolean>,
): Pick<Extract<DecodedMessage, { kind: 'position' }>, 'rfid' | 'temperature'> {
  if (!/^\d{1,8}$/.test(hours ?? '') || !/^\d\.\d+$/.test(backup ?? '')) return NONE;
  attributes.engineHours = Number(hours) * MINUTE;
  attributes.batteryVoltage = Number(backup);
  if (kind === '0') attributes.replayed = true;
  if (/^\d+\.\d+$/.test(analogue ?? '')) attributes.analogInput1 = Number(analogue);
  if (model === FUEL_MODEL) {
    for (const [i, level] of more.slice(0, 2).entries()) {
      const value = number(level);
      if (value !== null) attributes[`fuelSensor${i + 1}`] = value;
    }
  }
  let first: number | null = null;
  for (const [i, probe] of more.filter(text => text.includes(':')).entries()) {
    const [, id, value] = PROBE.exec(probe) ?? [];
    if (id === undefined || value === undefined) continue;
    attributes[`temperatureSensor${i + 1}`] = id;
    attributes[`temperature${i + 1}`] = Number(value);
    first ??= Number(value);
  }
  return {
    rfid: driverOf(more),
    temperature: first === null ? null : celsius(first),
  };
}
