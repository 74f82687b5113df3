import { toKnots } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { keywordOf } from './keywords.ts';

/** Messages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */
const text = (words: string): Uint8Array => new ByteWriter().ascii(words).done();

export const encodeLogin = (imei: string): Uint8Array => text(`##,imei:${imei},A;`);
export const encodeHeartbeat = (imei: string): Uint8Array => text(imei);

const flag = (value: unknown): string => (value === true ? '1' : value === false ? '0' : '');

/** Here the tracker's local time is UTC. */
export function encodeReport(imei: string, position: PositionMessage, keyword = keywordOf(position.event)): Uint8Array {
  const { time, lat, lon, fuel, temperature, altitude } = position;
  const clock = clockText(time);
  const fields = [
    `imei:${imei}`,
    keyword,
    `${dateText(time, 'ymd')}${clock}`,
    keyword === 'rfid' ? (position.rfid ?? '') : '',
    'F',
    `${clock}.000`,
    position.valid ? 'A' : 'V',
    angleText(lat, 2, 4),
    latitudeSign(lat),
    angleText(lon, 3, 4),
    longitudeSign(lon),
    position.speed === null ? '' : toKnots(position.speed).toFixed(2),
    position.course === null ? '' : position.course.toFixed(1),
    altitude === null ? '' : altitude.toFixed(1),
    flag(position.ignition),
    flag(position.attributes.doorOpen),
    fuel === null ? '' : `${fuel.toFixed(2)}%`,
    '',
    temperature === null ? '' : temperature.toFixed(1),
  ];
  return text(`${fields.join()};`);
}

/** `**,imei:…,J;` from `J`. The protocol carries no reference; the answer contains the command. */
export const encodeCommand = (command: string, _reference: number, imei: string): Uint8Array =>
  text(`**,imei:${imei},${command};`);
