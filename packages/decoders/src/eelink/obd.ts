import { epochMs, fromKilometresPerHour } from '@milepost/units';
import { hex, type Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { nothingBeside } from './beside.ts';
import { addStatus } from './status.ts';

/** Name, bytes, and the value of the number that they are: SAE J1979, service 01, at its resolution, in SI units. */
type Pid = readonly [name: string, bytes: 1 | 2 | 4, value: (raw: number) => number];

const percentOf = (raw: number): number => (raw * 100) / 255;
const trim = (raw: number): number => (raw * 100) / 128 - 100;
const celsiusOf = (raw: number): number => raw - 40;
const same = (raw: number): number => raw;
const kilo = (raw: number): number => raw * 1000;

export const PIDS: Readonly<Record<number, Pid>> = {
  4: ['engineLoad', 1, percentOf],
  5: ['coolantTemperature', 1, celsiusOf],
  6: ['shortTermFuelTrim', 1, trim],
  7: ['longTermFuelTrim', 1, trim],
  10: ['fuelPressure', 1, raw => raw * 3],
  11: ['intakePressure', 1, same],
  12: ['rpm', 2, raw => raw / 4],
  13: ['obdSpeed', 1, fromKilometresPerHour],
  14: ['timingAdvance', 1, raw => raw / 2 - 64],
  15: ['intakeTemperature', 1, celsiusOf],
  16: ['airFlow', 2, raw => raw / 100],
  17: ['throttle', 1, percentOf],
  31: ['engineRunTime', 2, same],
  33: ['troubleDistance', 2, kilo],
  47: ['obdFuelLevel', 1, percentOf],
  49: ['clearedDistance', 2, kilo],
  51: ['atmosphericPressure', 1, same],
  66: ['moduleVoltage', 2, raw => raw / 1000],
  67: ['absoluteLoad', 2, percentOf],
  70: ['ambientTemperature', 1, celsiusOf],
  73: ['acceleratorPedal', 1, percentOf],
  92: ['oilTemperature', 1, celsiusOf],
  94: ['fuelRate', 2, raw => raw / 20],
};

/** Lists of what the vehicle supports. */
const isListOfPids = (pid: number): boolean => pid % 0x20 === 0;
export const PID_BYTES = 5;
const STATUS_BYTES = 4;

const tidy = (value: number): number => Number(value.toFixed(6));

/**
 * Known from recordings: a time, then pairs of a PID of service 01 and four bytes, of which the value has the first. A
 * package of four bytes begins with the status. PIDs without a name here become `obd` and their number.
 */
export function readObd(content: Reader): DecodedMessage | null {
  const beside = nothingBeside();
  const { attributes } = beside;
  if (content.remaining === STATUS_BYTES) {
    addStatus(content.u16(), beside);
    if (beside.ignition !== undefined && beside.ignition !== null) attributes.ignition = beside.ignition;
    return { kind: 'status', time: null, event: null, attributes };
  }
  const time = epochMs(content.u32() * 1000);
  if (content.overrun || content.remaining === 0 || content.remaining % PID_BYTES !== 0) return null;
  while (content.remaining >= PID_BYTES) {
    const pid = content.u8();
    const value = content.take8(4);
    const known = PIDS[pid];
    if (known) attributes[known[0]] = tidy(known[2](numberIn(value, known[1])));
    else if (!isListOfPids(pid)) attributes[`obd${pid}`] = hex(value);
  }
  return { kind: 'status', time, event: null, attributes };
}

export function numberIn(bytes: Uint8Array, count: number): number {
  let value = 0;
  for (const byte of bytes.subarray(0, count)) value = value * 256 + byte;
  return value;
}
