import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import type { PositionMessage } from '../protocol.ts';
import { alertIdOf } from './alert-ids.ts';

/** Messages of a tracker, in the universal protocol and that of the ST300, and of its server. */
export const line = (text: string): Uint8Array => new ByteWriter().ascii(`${text}\r`).done();

/**
 * `ST300:StatusReq` becomes `ST300CMD;id;02;StatusReq`, "Common parts of this command"; anything else, such as `03;01`,
 * a group and action of the universal protocol, becomes `CMD;id;03;01`.
 */
export function encodeCommand(command: string, _reference: number, imei: string): Uint8Array {
  const [, model, words] = /^((?:ST|SA)\d{3}):(.*)$/s.exec(command) ?? [];
  return line(model === undefined ? `CMD;${imei};${command}` : `${model}CMD;${imei};02;${words}`);
}

/** Stops the repetition of an emergency report. */
export const acknowledgeEmergency = (model: string, imei: string): Uint8Array =>
  line(`${model}CMD;${imei};02;AckEmerg`);

/**
 * "ACK in case of UDP" (ST300, ST340, ST600 and others): with UDP_ACK from 1 to 3 the tracker sends a report again every
 * two minutes until it gets this; with 0 it takes no notice.
 */
export const acknowledgeReport = (model: string, imei: string): Uint8Array => line(`${model}ACK;${imei}`);
const ZIP_ACK = 0x15;
/** The same for the zip form; the id is that of the report, packed. */
export const acknowledgeZip = (id: Uint8Array): Uint8Array => Uint8Array.of(ZIP_ACK, ...id);

const signed = (value: number, decimals: number): string =>
  `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(decimals)}`;
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
const clockOf = (time: number): string => new Date(time).toISOString().slice(11, 19);
const volts = (value: unknown, otherwise: number): string => (typeof value === 'number' ? value : otherwise).toFixed(2);
const kmh = ({ speed }: PositionMessage): number => (speed === null ? 0 : toKilometresPerHour(speed));

/** STT, or ALT for an event that has an alert. */
export function encodeUniversal(imei: string, position: PositionMessage, number: number): Uint8Array {
  const { attributes, event, ignition } = position;
  const [mcc = 0, mnc = 0, lac = 0, cell = 0] = String(attributes.cell ?? '0-0-0-0')
    .split('-')
    .map(Number);
  const hexOf = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  const alert = event === null ? null : alertIdOf(event);
  const fields = [
    alert === null ? 'STT' : 'ALT',
    imei,
    'BFFFFF',
    '26',
    '1.0.15',
    attributes.replayed === true ? '0' : '1',
    dateOf(position.time),
    clockOf(position.time),
    hexOf(cell, 8),
    mcc,
    mnc,
    hexOf(lac, 4),
    position.gsm === null ? '' : Math.max(0, position.gsm * 2 - 3),
    signed(position.lat, 6),
    signed(position.lon, 6),
    kmh(position).toFixed(2),
    (position.course ?? 0).toFixed(2),
    position.satellites ?? 0,
    position.valid ? '1' : '0',
    ignition ? '00000001' : '00000000',
    '00000000',
    ...(alert === null
      ? ['1', '1', String(number % 10_000).padStart(4, '0')]
      : [alert, '', event === 'driverIdentified' ? (position.rfid ?? '') : '']),
    '00000003',
    volts(attributes.batteryVoltage, 4.1),
    volts(attributes.externalVoltage, 12.5),
  ];
  return line(fields.join(';'));
}

/** ST300STT, ST300ALT, or ST300EMG for an emergency. */
export function encodeOlder(imei: string, position: PositionMessage, number: number): Uint8Array {
  const { attributes, event, ignition } = position;
  const alert = event === null ? null : alertIdOf(event);
  const type = event === 'sos' ? 'EMG' : alert === null ? 'STT' : 'ALT';
  const fields = [
    `ST300${type}`,
    imei,
    '40',
    '313',
    dateOf(position.time),
    clockOf(position.time),
    'c99e48',
    signed(position.lat, 6),
    signed(position.lon, 6),
    kmh(position).toFixed(3),
    (position.course ?? 0).toFixed(2),
    position.satellites ?? 0,
    position.valid ? '1' : '0',
    Math.round(position.odometer ?? 0),
    volts(attributes.externalVoltage, 12.5),
    `${ignition ? 1 : 0}00000`,
    ...(type === 'STT' ? ['1', String(number % 10_000).padStart(4, '0')] : [type === 'EMG' ? '1' : alert]),
    String(Math.round(Number(attributes.engineHours ?? 0) / 60)).padStart(6, '0'),
    volts(attributes.batteryVoltage, 4.1),
    attributes.replayed === true ? '0' : '1',
  ];
  return line(fields.join(';'));
}

export const encodeKeepAlive = (imei: string): Uint8Array => line(`ALV;${imei}`);
