import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { alarmCode } from './alarms.ts';

/** Messages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */
const frame = (words: string): Uint8Array => new ByteWriter().ascii(`(${words})`).done();

export const encodeHandshake = (imei: string): Uint8Array => frame(`${imei}BP00${imei.padStart(15, '0')}HSO`);

/** An alarm if the event has a code, otherwise a position. */
export function encodeReport(imei: string, position: PositionMessage): Uint8Array {
  const code = alarmCode(position.event);
  return frame(`${imei}${code === null ? 'BR00' : `BO01${code}`}${placeText(position)}`);
}

/** The answer to a command. */
export const encodeAnswer = (imei: string, word: string, body: string): Uint8Array => frame(`${imei}${word}${body}`);
export const encodePlace = (imei: string, word: string, position: PositionMessage): Uint8Array =>
  frame(`${imei}${word}${placeText(position)}`);

/** The login with a position. */
export const encodeLogin = (imei: string, position: PositionMessage): Uint8Array =>
  frame(`${imei}BP05${imei.padStart(15, '0')}${placeText(position)}`);

function placeText({ time, valid, lat, lon, speed, course, ignition, odometer, attributes }: PositionMessage): string {
  const power = attributes.externalPower === false ? '1' : '0';
  return [
    dateText(time, 'ymd'),
    valid ? 'A' : 'V',
    angleText(lat, 2, 4),
    latitudeSign(lat),
    angleText(lon, 3, 4),
    longitudeSign(lon),
    (speed === null ? 0 : toKilometresPerHour(speed)).toFixed(1).padStart(5, '0'),
    clockText(time),
    (course ?? 0).toFixed(2).padStart(6, '0'),
    `${power}${ignition ? '1' : '0'}000000`,
    odometer === null ? '' : `L${Math.round(odometer).toString(16).toUpperCase().padStart(8, '0')}`,
  ].join('');
}

/** `(identity`, the command, and `)`, for a command such as `AV010`. The protocol carries no reference. */
export const encodeCommand = (command: string, _reference: number, imei: string): Uint8Array =>
  frame(`${imei}${command}`);
