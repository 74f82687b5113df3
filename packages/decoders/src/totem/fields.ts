import { type Celsius, celsius, type EpochMs } from '@milepost/units';
import { momentOf, twoDigits } from '../calendar.ts';
import { numberOf } from '../nmea.ts';

/** The fields between the bars behind the fix, AVL02 User Guide V1.5, §3. */
export interface Behind {
  readonly hdop: number | null;
  readonly time: EpochMs | null;
  readonly temperature: Celsius | null;
  readonly rfid: string | null;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

const STATUS = /^[01]{8,12}$/;
const WHOLE_STATUS = 12;
const FIRST_INPUT = 4;
const FIRST_OUTPUT = 8;
const CLOCK = /^\d{14}$/;
const DECIMAL = /^-?\d+\.\d+$/;
const CARD = /^[0-9A-F]{5,16}$/i;

type Notes = Record<string, string | number | boolean>;

/**
 * `PDOP|HDOP|VDOP|status|clock|voltage|ADC|LACCI|temperature|odometer|serial|RFID`: models leave out the ADC (AVL201),
 * the odometer (AVL02), the RFID, the clock and two of the DOPs.
 */
export function readBehind(fields: readonly string[]): Behind {
  const statusAt = fields.findIndex(field => STATUS.test(field));
  const at = statusAt < 0 ? fields.length : statusAt;
  const hdop = numberOf(fields[at === 1 ? 0 : 1]);
  const attributes: Notes = {};
  addStatus(fields[at] ?? '', attributes);
  const clock = fields[at + 1] ?? '';
  const hasClock = CLOCK.test(clock);
  const voltageAt = at + (hasClock ? 2 : 1);
  addVoltage(fields[voltageAt] ?? '', attributes);
  const rest = fields.slice(voltageAt + 1);
  return {
    hdop: hdop === null || hdop === 0 || at === 0 ? null : hdop,
    time: hasClock ? clockOf(clock) : null,
    ...readRest(rest, attributes),
    attributes,
  };
}

/** Buttons, then four inputs and four outputs. */
function addStatus(text: string, attributes: Notes): void {
  if (text.length !== WHOLE_STATUS) return;
  for (let i = 0; i < 4; i++) {
    attributes[`input${i + 1}`] = text[FIRST_INPUT + i] === '1';
    attributes[`output${i + 1}`] = text[FIRST_OUTPUT + i] === '1';
  }
}

/** `ABBBIIII`: whether it charges, hundredths of a volt of the battery and of the input. */
function addVoltage(text: string, attributes: Notes): void {
  if (!/^[01]\d{3,7}$/.test(text)) return;
  attributes.charging = text.startsWith('1');
  attributes.batteryVoltage = Number(text.slice(1, 4)) / 100;
  if (text.length === 8) attributes.externalVoltage = Number(text.slice(4)) / 100;
}

/** Seen from the odometer, which has a point, or from the serial number. */
function readRest(rest: readonly string[], attributes: Notes): Pick<Behind, 'temperature' | 'rfid'> {
  const odometerAt = rest.findIndex(field => DECIMAL.test(field));
  const before = rest.slice(0, odometerAt < 0 ? Math.max(0, rest.length - 1) : odometerAt);
  const card = odometerAt < 0 ? '' : (rest[odometerAt + 2] ?? '');
  const [adc = '', cell = '', heat = ''] = before.slice(-3).length < 3 ? ['', ...before.slice(-2)] : before.slice(-3);
  const volts = /^(\d{4})(\d{4})$/.exec(adc);
  if (volts) {
    attributes.analogInput1 = Number(volts[1]) / 100;
    attributes.analogInput2 = Number(volts[2]) / 100;
  }
  const tower = /^([0-9A-F]{4})([0-9A-F]{4}|[0-9A-F]{6})$/i.exec(cell);
  if (tower && !/^0+$/.test(cell)) {
    attributes.areaCode = Number.parseInt(tower[1] ?? '', 16);
    attributes.cellId = Number.parseInt(tower[2] ?? '', 16);
  }
  return {
    temperature: temperatureOf(heat),
    rfid: CARD.test(card) && !/^0+$/.test(card) ? card.toUpperCase() : null,
  };
}

/** `STTT`: tenths of a degree, of which the first digit may be a sign. Without a sensor it is zero. */
function temperatureOf(text: string): Celsius | null {
  const value = /^[01-]\d{3}$/.test(text) ? Number(text) : 0;
  return value === 0 ? null : celsius(value / 10);
}

/** `yyyymmddhhmmss`, in UTC. */
export const clockOf = (text: string): EpochMs | null => (text.startsWith('20') ? shortClockOf(text.slice(2)) : null);

/** `yymmddhhmmss`. */
export function shortClockOf(text: string): EpochMs | null {
  const [year = -1, month = 0, day = 0, hour = -1, minute = -1, second = -1] = [0, 2, 4, 6, 8, 10].map(at =>
    twoDigits(text, at),
  );
  return year < 0 ? null : momentOf(2000 + year, month, day, hour, minute, second);
}
