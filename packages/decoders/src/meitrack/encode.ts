import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import type { PositionMessage } from '../protocol.ts';
import { codeOf } from './event-codes.ts';
import { checksum } from './frame.ts';
import { IGNITION_INPUT } from './report.ts';

/** Messages of a tracker, as text and in CCE, and of its server. */
const FIRST_FLAG = 0x41;
const FLAGS = 58;
const flagOf = (number: number): string => String.fromCharCode(FIRST_FLAG + (number % FLAGS));
/** The reverse. */
export const numberOf = (flag: string): number => flag.charCodeAt(0) - FIRST_FLAG;

/** Start, flag, length from the first comma on, IMEI, content, star, checksum, CR LF. */
function envelope(start: string, flag: string, imei: string, content: Uint8Array): Uint8Array {
  const behind = new ByteWriter().ascii(`,${imei},`).bytes(content).ascii('*').done();
  const head = new ByteWriter()
    .ascii(`${start}${flag}${behind.length + 4}`)
    .bytes(behind)
    .done();
  const sum = checksum(head, head.length).toString(16).toUpperCase().padStart(2, '0');
  return new ByteWriter().bytes(head).ascii(`${sum}\r\n`).done();
}

const text = (words: string): Uint8Array => new ByteWriter().ascii(words).done();

/** `@@`: sent by the server. */
export const command = (words: string, flag: string, imei: string): Uint8Array =>
  envelope('@@', flag, imei, text(words));

/** The tracker answers with the same flag. */
export const encodeCommand = (words: string, reference: number, imei: string): Uint8Array =>
  command(words, flagOf(reference), imei);

export const encodeReply = (imei: string, words: string, number: number): Uint8Array =>
  envelope('$$', flagOf(number), imei, text(words));

const inputsOf = ({ ignition }: PositionMessage): number => (ignition ? 1 << (IGNITION_INPUT - 1) : 0);
const hundredths = (volts: unknown): number => (typeof volts === 'number' ? Math.round(volts * 100) : 0);

/** Any content, text or bytes, starting with its command. */
export const encodeContent = (imei: string, content: Uint8Array, number: number): Uint8Array =>
  envelope('$$', flagOf(number), imei, content);

/** AAA. `code` is the event code for a report without an event. */
export function encodeText(
  imei: string,
  position: PositionMessage,
  number: number,
  code = codeOf(position.event),
): Uint8Array {
  const { attributes, rfid, event, fuel } = position;
  const [mcc = 0, mnc = 0, lac = 0, cell = 0] = String(attributes.cell ?? '0-0-0-0')
    .split('-')
    .map(Number);
  const hexOf = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');
  const voltages = [
    0,
    0,
    0,
    hundredths(attributes.batteryVoltage ?? 4),
    hundredths(attributes.externalVoltage ?? 12.5),
  ];
  const fields = [
    'AAA',
    code,
    position.lat.toFixed(6),
    position.lon.toFixed(6),
    new Date(position.time).toISOString().replace(/\D/g, '').slice(2, 14),
    position.valid ? 'A' : 'V',
    position.satellites ?? 0,
    position.gsm ?? 0,
    Math.round(toKilometresPerHour(position.speed ?? (0 as never))),
    Math.round(position.course ?? 0),
    (position.hdop ?? 0).toFixed(1),
    Math.round(position.altitude ?? 0),
    Math.round(position.odometer ?? 0),
    Number(attributes.runTime ?? 0),
    `${mcc}|${mnc}|${hexOf(lac)}|${hexOf(cell)}`,
    hexOf(inputsOf(position) << 8),
    voltages.map(hexOf).join('|'),
    event === 'driverIdentified' ? (rfid ?? '') : '',
    '',
    '',
    fuel === null ? '' : hexOf((Math.floor(fuel) << 8) | Math.round((fuel % 1) * 100)),
    '',
  ];
  return envelope('$$', flagOf(number), imei, text(fields.join()));
}

const MILLENNIUM_MS = Date.UTC(2000, 0, 1);

/** CCE, one packet for each position. */
export function encodeCce(imei: string, positions: readonly PositionMessage[], number: number): Uint8Array {
  const content = new ByteWriter().ascii('CCE,').u32(0).bytes(le16(positions.length));
  for (const position of positions) {
    const packet = parameters(position);
    content.bytes(le16(packet.length)).bytes(packet);
  }
  return envelope('$$', flagOf(number), imei, content.done());
}

const le16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, (value >> 8) & 0xff);
const le32 = (value: number): Uint8Array =>
  Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff);

function parameters(position: PositionMessage): Uint8Array {
  const { attributes } = position;
  const bytes: [number, number][] = [
    [0x05, position.valid ? 1 : 0],
    [0x06, position.satellites ?? 0],
    [0x07, position.gsm ?? 0],
    [0x14, 0],
    [0x15, inputsOf(position)],
  ];
  const words: [number, number][] = [
    [0x08, Math.round(toKilometresPerHour(position.speed ?? (0 as never)))],
    [0x09, Math.round(position.course ?? 0)],
    [0x0a, Math.round((position.hdop ?? 0) * 10)],
    [0x0b, Math.round(position.altitude ?? 0)],
    [0x19, hundredths(attributes.batteryVoltage ?? 4)],
    [0x1a, hundredths(attributes.externalVoltage ?? 12.5)],
    [0x40, codeOf(position.event)],
  ];
  if (position.fuel !== null) words.push([0x29, Math.round(position.fuel * 100)]);
  const longs: [number, number][] = [
    [0x02, Math.round(position.lat * 1e6)],
    [0x03, Math.round(position.lon * 1e6)],
    [0x04, Math.floor((position.time - MILLENNIUM_MS) / 1000)],
    [0x0c, Math.round(position.odometer ?? 0)],
    [0x0d, Number(attributes.runTime ?? 0)],
  ];
  if (/^[0-9A-F]{8}$/.test(position.rfid ?? '')) longs.push([0x25, Number.parseInt(position.rfid ?? '0', 16)]);
  const writer = new ByteWriter().bytes(le16(bytes.length + words.length + longs.length + 1)).u8(bytes.length);
  for (const [id, value] of bytes) writer.u8(id).u8(value);
  writer.u8(words.length);
  for (const [id, value] of words) writer.u8(id).bytes(le16(value));
  writer.u8(longs.length);
  for (const [id, value] of longs) writer.u8(id).bytes(le32(value));
  const [mcc = 0, mnc = 0, lac = 0, cell = 0] = String(attributes.cell ?? '0-0-0-0')
    .split('-')
    .map(Number);
  writer.u8(1).u8(0x0e).u8(12);
  return writer.bytes(le16(mcc)).bytes(le16(mnc)).bytes(le16(lac)).bytes(le32(cell)).bytes(le16(0)).done();
}
