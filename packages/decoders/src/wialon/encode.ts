import { type Degrees, type EpochMs, toKilometresPerHour } from '@milepost/units';
import { crc16Ibm } from '../crc16.ts';
import type { PositionMessage } from '../protocol.ts';

/** Messages of a tracker in version 2.0, their answers, and commands. */
const utf8 = new TextEncoder();

export const line = (type: string, message: string): Uint8Array => utf8.encode(`#${type}#${message}\r\n`);

/** `message` ends with the separator before the checksum. */
function checked(lead: string, type: string, message: string): Uint8Array {
  const bytes = utf8.encode(message);
  const crc = crc16Ibm(bytes, 0, bytes.length).toString(16).toUpperCase().padStart(4, '0');
  return utf8.encode(`${lead}#${type}#${message}${crc}\r\n`);
}

/** A complete frame, or a message to the driver. */
export const encodeCommand = (command: string): Uint8Array =>
  command.startsWith('#') ? utf8.encode(`${command}\r\n`) : line('M', command);

export const encodeLogin = (imei: string, password = 'NA'): Uint8Array => checked('', 'L', `2.0;${imei};${password};`);

export const encodeHeartbeat = (): Uint8Array => line('P', '');

/** A data packet; over UDP, `imei` comes first. */
export const encodeData = (position: PositionMessage, imei: string | null = null): Uint8Array =>
  checked(imei === null ? '' : `2.0;${imei}`, 'D', `${record(position)};`);

/** A black box: many records in one packet. */
export const encodeBlackBox = (positions: readonly PositionMessage[]): Uint8Array =>
  checked('', 'B', positions.map(position => `${record(position)}|`).join(''));

const orNA = (value: number | string | null, decimals?: number): string =>
  value === null ? 'NA' : typeof value === 'number' && decimals !== undefined ? value.toFixed(decimals) : String(value);

function record(position: PositionMessage): string {
  const { speed, course, altitude, satellites, hdop, valid, rfid } = position;
  return [
    ...clock(position.time),
    ...angle(position.lat, 2, 'N', 'S'),
    ...angle(position.lon, 3, 'E', 'W'),
    orNA(speed === null ? null : toKilometresPerHour(speed), 3),
    orNA(course),
    orNA(altitude),
    valid ? orNA(satellites) : '0',
    orNA(hdop),
    'NA',
    'NA',
    '',
    orNA(rfid),
    parameters(position) || 'NA',
  ].join(';');
}

function clock(time: EpochMs): string[] {
  const text = new Date(time).toISOString();
  const fraction = time % 1000 === 0 ? '' : text.slice(19, 23);
  return [
    `${text.slice(8, 10)}${text.slice(5, 7)}${text.slice(2, 4)}`,
    text.slice(11, 19).replaceAll(':', '') + fraction,
  ];
}

/** Ten-millionths of a minute are 0.2 mm. */
function angle(value: Degrees, digits: number, positive: string, negative: string): string[] {
  const tenMillionths = Math.round(Math.abs(value) * 60 * 1e7);
  const whole = Math.floor(tenMillionths / (60 * 1e7));
  const minutes = ((tenMillionths - whole * 60 * 1e7) / 1e7).toFixed(7).padStart(10, '0');
  return [`${String(whole).padStart(digits, '0')}${minutes}`, value < 0 ? negative : positive];
}

function parameters({ ignition, odometer, fuel, temperature, gsm, event, attributes }: PositionMessage): string {
  const columns = {
    ignition: ignition === null ? null : Number(ignition),
    odometer,
    fuel,
    temp: temperature,
    gsm,
    event,
  };
  return Object.entries({ ...attributes, ...columns })
    .filter(([name, value]) => value !== null && /^[\w.-]{1,64}$/.test(name) && !/[,;|:#\r\n]/.test(String(value)))
    .map(([name, value]) => `${name}:${typeof value !== 'number' ? 3 : Number.isInteger(value) ? 1 : 2}:${value}`)
    .join(',');
}

/** A message to the driver, with the checksum that version 2.0 requires. */
export function messageText(text: string, version: string): string {
  if (version !== '2.0') return `#M#${text}`;
  const bytes = utf8.encode(`${text};`);
  return `#M#${text};${crc16Ibm(bytes, 0, bytes.length).toString(16).toUpperCase().padStart(4, '0')}`;
}
