import { toKnots } from '@milepost/units';
import { crc16Xmodem } from '../crc16.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { wordOf } from './words.ts';

/** Messages of a tracker: the inverse of `decode.ts`, at the protocol's resolution. */

const ascii = new TextEncoder();

/** Adds the length, the checksum of everything up to and with it, and the tower if there is one. */
export function sealed(text: string, tower: string): Uint8Array {
  const counted = `${text}${text.length},`;
  const bytes = ascii.encode(counted);
  return ascii.encode(`${counted}${crc16Xmodem(bytes, 0, bytes.length)}${tower}\r\n`);
}

export function encodeReport(imei: string, position: PositionMessage): Uint8Array {
  const { time, valid, altitude, satellites, event, attributes } = position;
  const serial = `${dateText(time, 'ymd')}${clockText(time)}`;
  const volts = Number(attributes.batteryVoltage ?? 4.1).toFixed(2);
  const [height, count] = [(altitude ?? 0).toFixed(1), String(satellites ?? 0).padStart(2, '0')];
  const signal = valid ? 'F' : 'L';
  const text = `${serial},,${sentenceText(position)},${signal},${wordOf(event)}, imei:${imei},${count},${height},F:${volts}V,${attributes.charging === true ? 1 : 0},`;
  return sealed(text, towerText(String(attributes.cell ?? '')));
}

/** NMEA 0183: the checksum is the exclusive or of what is before the asterisk. */
export function sentenceText({ time, valid, lat, lon, speed, course }: PositionMessage): string {
  const fields = [
    'GPRMC',
    `${clockText(time)}.000`,
    valid ? 'A' : 'V',
    angleText(lat, 2, 4),
    latitudeSign(lat),
    angleText(lon, 3, 4),
    longitudeSign(lon),
    (speed === null ? 0 : toKnots(speed)).toFixed(2),
    (course ?? 0).toFixed(2),
    dateText(time, 'dmy'),
    '',
    '',
    valid ? 'A' : 'N',
  ].join(',');
  let sum = 0;
  for (let i = 0; i < fields.length; i++) sum ^= fields.charCodeAt(i);
  return `${fields}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
}

const hex = (digits: string | undefined): string => Number(digits).toString(16).toUpperCase().padStart(4, '0');

function towerText(cell: string): string {
  const [country, network = '', area, number] = cell.split('-');
  return number === undefined ? '' : `,${country},${network.padStart(2, '0')},${hex(area)},${hex(number)}`;
}
