import { toKilometresPerHour } from '@milepost/units';
import { join } from '../bytes.ts';
import { clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { alarmWord, NOT_MOVING } from './alarms.ts';
import { CLOSE } from './frame.ts';

/** Messages of a watch and its server: the inverse of `decode.ts`, at the protocol's resolution. */

const MAKER = '3G';
const utf8 = new TextEncoder();

/** `[maker*tracker*length*content]`, with a serial number for the makers that have one. */
export function frameOf(tracker: string, content: string | Uint8Array, maker = MAKER, serial = ''): Uint8Array {
  const bytes = typeof content === 'string' ? utf8.encode(content) : content;
  const length = bytes.length.toString(16).toUpperCase().padStart(4, '0');
  const head = [maker, tracker, ...(serial === '' ? [] : [serial]), length].join('*');
  return join([utf8.encode(`[${head}*`), bytes, Uint8Array.of(CLOSE)]);
}

export const encodeLink = (imei: string): Uint8Array => frameOf(imei, 'LK,50,0,100');

/** An alarm if the event has one, otherwise a location. */
export function encodeReport(imei: string, position: PositionMessage): Uint8Array {
  const alarm = alarmWord(position.event);
  return frameOf(imei, `${alarm === null ? 'UD' : 'AL'},${locationText(position, alarm ?? 0)}`);
}

const noteOf = (value: unknown, otherwise: string | number): string => String(value ?? otherwise);

export function locationText(position: PositionMessage, alarm: number): string {
  const { time, valid, lat, lon, speed, course, altitude, satellites, attributes } = position;
  const status = alarm + (attributes.movement === false ? NOT_MOVING : 0);
  return [
    dateText(time, 'dmy'),
    clockText(time),
    valid ? 'A' : 'V',
    Math.abs(lat).toFixed(6),
    latitudeSign(lat),
    Math.abs(lon).toFixed(7),
    longitudeSign(lon),
    (speed === null ? 0 : toKilometresPerHour(speed)).toFixed(2),
    (course ?? 0).toFixed(1),
    (altitude ?? 0).toFixed(1),
    satellites ?? 0,
    noteOf(attributes.signal, 100),
    noteOf(attributes.batteryLevel, 100),
    noteOf(attributes.steps, 0),
    0,
    status.toString(16).toUpperCase().padStart(8, '0'),
    ...towerFields(noteOf(attributes.cells, '')),
    ...stationFields(noteOf(attributes.wifi, '')),
    Number(attributes.accuracy ?? 0).toFixed(1),
  ].join(',');
}

/** Their number, the delay, country and network, then area, cell and signal of each. */
function towerFields(cells: string): string[] {
  if (cells === '') return ['0'];
  const towers = cells.split(' ').map(cell => cell.split(/[-:]/));
  const [[country = '', network = ''] = []] = towers;
  return [String(towers.length), '1', country, network, ...towers.flatMap(([, , ...tower]) => tower)];
}

/** Their number, then name, address and signal of each. */
function stationFields(wifi: string): string[] {
  const stations = wifi === '' ? [] : wifi.split(' ');
  return [
    String(stations.length),
    ...stations.flatMap(station => {
      const colon = station.lastIndexOf(':');
      return ['Depot', station.slice(0, colon), station.slice(colon + 1)];
    }),
  ];
}

/** A command as its content (`UPLOAD,600`), which may have another maker's letters before it: `SG*UPLOAD,600`. */
export function encodeCommand(command: string, _reference: number, imei: string): Uint8Array {
  const [, maker = MAKER, content = command] = /^([0-9A-Z]{2})\*(.*)$/s.exec(command) ?? [];
  return frameOf(imei, content, maker);
}
