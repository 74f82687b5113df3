import { crc16Xmodem } from '../crc16.ts';
import { clockText, dateText, gprmcText } from '../nmea.ts';
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
  const text = `${serial},,${gprmcText(position)},${signal},${wordOf(event)}, imei:${imei},${count},${height},F:${volts}V,${attributes.charging === true ? 1 : 0},`;
  return sealed(text, towerText(String(attributes.cell ?? '')));
}

const hex = (digits: string | undefined): string => Number(digits).toString(16).toUpperCase().padStart(4, '0');

function towerText(cell: string): string {
  const [country, network = '', area, number] = cell.split('-');
  return number === undefined ? '' : `,${country},${network.padStart(2, '0')},${hex(area)},${hex(number)}`;
}
