import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import type { PositionMessage } from '../protocol.ts';
import { reportOf } from './reports.ts';
import { timeText } from './text-fields.ts';

/** Messages of a tracker, in the layout of a GV300, and its commands. */
const VERSION = '060228';
const NAME = 'gv300';
const bytes = (text: string): Uint8Array => new ByteWriter().ascii(text).done();
const countText = (count: number): string => (count & 0xffff).toString(16).toUpperCase().padStart(4, '0');

/** `AT+GTRTO=gv300,1,,,,,` becomes `AT+GTRTO=gv300,1,,,,,,0007$`: the serial number comes back in the reply. */
export const encodeCommand = (command: string, reference: number): Uint8Array =>
  bytes(command.endsWith('$') ? command : `${command},${countText(reference)}$`);

export const encodeHeartbeat = (imei: string, time: PositionMessage['time'], count: number): Uint8Array =>
  bytes(`+ACK:GTHBD,${VERSION},${imei},${NAME},${timeText(time)},${countText(count)}$`);

/** The answer to a command: its name, the sub command for GTRTO, and the command's serial number. */
export function encodeAck(
  imei: string,
  name: string,
  sub: string | null,
  serial: string,
  time: PositionMessage['time'],
): Uint8Array {
  const fields = [VERSION, imei, NAME, ...(sub === null ? [] : [sub]), serial, timeText(time), countText(0)];
  return bytes(`+ACK:${name},${fields.join()}$`);
}

/** A report with its position. Values without a field in the layout are left out. */
export function encodeReport(imei: string, position: PositionMessage, count: number): Uint8Array {
  const { attributes, event } = position;
  const [name, type] = reportOf(event);
  const millivolts =
    typeof attributes.externalVoltage === 'number' ? Math.round(attributes.externalVoltage * 1000) : '';
  const before = name === 'GTIDA' ? ['', position.rfid ?? '', '1', '1'] : [millivolts, `1${type}`, '1'];
  const fields = [
    VERSION,
    imei,
    NAME,
    ...before,
    ...placeFields(position),
    '00',
    position.odometer === null ? '' : (position.odometer / 1000).toFixed(1),
    '',
    '',
    '',
    typeof attributes.batteryLevel === 'number' ? attributes.batteryLevel : 100,
    statusText(position),
    '',
    '',
    '',
    timeText(position.time),
    countText(count),
  ];
  return bytes(`+${attributes.replayed === true ? 'BUFF' : 'RESP'}:${name},${fields.join(',')}$`);
}

function placeFields({ valid, hdop, speed, course, altitude, lat, lon, time, attributes }: PositionMessage): string[] {
  const [mcc = '', mnc = '', lac = '', cell = ''] = String(attributes.cell ?? '').split('-');
  const hexOf = (digits: string): string =>
    digits === '' ? '' : Number(digits).toString(16).toUpperCase().padStart(4, '0');
  return [
    valid ? String(Math.min(50, Math.max(1, Math.round(hdop ?? 1)))) : '0',
    speed === null ? '' : toKilometresPerHour(speed).toFixed(1),
    course === null ? '' : String(Math.round(course)),
    altitude === null ? '' : altitude.toFixed(1),
    lon.toFixed(6),
    lat.toFixed(6),
    timeText(time),
    mcc.padStart(mcc === '' ? 0 : 4, '0'),
    mnc.padStart(mnc === '' ? 0 : 4, '0'),
    hexOf(lac),
    hexOf(cell),
  ];
}

/** Ignition and motion, the ignition as an input, no outputs. */
function statusText({ ignition, speed, attributes }: PositionMessage): string {
  const source = ignition === null ? '4' : ignition ? '2' : '1';
  const moving = typeof attributes.movement === 'boolean' ? attributes.movement : (speed ?? 0) > 0;
  return `${source}${moving ? 2 : 1}${ignition ? '01' : '00'}00`;
}
