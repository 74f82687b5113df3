import type { EpochMs } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Modbus } from '../crc16.ts';
import { clockText, dateText, gprmcText } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { ALARMS, BY_TIME, HEARTBEAT } from './alarms.ts';
import { xorOf } from './frame.ts';

/** Reports of a tracker: the inverse of `decode.ts`, at the protocol's resolution. */

const hexText = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
const HEAD_BYTES = 4;
const CHECKSUM_BYTES = 4;

/** Start, length, content with its last bar, CRC-16/MODBUS, line end, which the length does not count. */
export function sealed(content: string): Uint8Array {
  const length = hexText((HEAD_BYTES + content.length + CHECKSUM_BYTES) & 0xff, 2);
  const bytes = new ByteWriter().ascii(`$$${length}${content}`).done();
  return new ByteWriter()
    .bytes(bytes)
    .ascii(`${hexText(crc16Modbus(bytes, 0, bytes.length), 4)}\r\n`)
    .done();
}

const AT_HEAD_BYTES = 2 + 4 + 2 + 15 + 1;

/** The AT series: start, length, type, IMEI, content, the characters' XOR. */
export function sealedSeries(type: string, imei: string, content: string): Uint8Array {
  const length = String(AT_HEAD_BYTES + content.length + 2).padStart(4, '0');
  const bytes = new ByteWriter().ascii(`$$${length}${type}${imei}|${content}`).done();
  return new ByteWriter()
    .bytes(bytes)
    .ascii(hexText(xorOf(bytes, bytes.length), 2))
    .done();
}

const NO_FIX = '0'.repeat(60);
const dop = (value: number | null): string => (value ?? 0).toFixed(1).padStart(4, '0');
const hundredths = (volts: unknown, digits: number): string =>
  String(typeof volts === 'number' ? Math.round(volts * 100) : 0).padStart(digits, '0');
const bit = (value: unknown): string => (value === true ? '1' : '0');
const rtcOf = (time: EpochMs): string => `20${dateText(time, 'ymd')}${clockText(time)}`;

/** The fields behind the fix, as TZ-AVL05 and AVL08 have them. */
export function fieldsOf({ time, hdop, temperature, rfid, attributes }: PositionMessage, serial: number): string[] {
  const status = [1, 2, 3, 4].map(i => bit(attributes[`input${i}`])).join('');
  const outputs = [1, 2, 3, 4].map(i => bit(attributes[`output${i}`])).join('');
  const { charging, batteryVoltage, externalVoltage, analogInput1, analogInput2, areaCode, cellId } = attributes;
  const tenths = Math.round((temperature ?? 0) * 10);
  return [
    dop(0),
    dop(hdop),
    dop(0),
    `0000${status}${outputs}`,
    rtcOf(time),
    bit(charging) + hundredths(batteryVoltage, 3) + hundredths(externalVoltage, 4),
    hundredths(analogInput1, 4) + hundredths(analogInput2, 4),
    hexText(Number(areaCode ?? 0), 4) + hexText(Number(cellId ?? 0), 4),
    tenths < 0 ? `-${String(-tenths).padStart(3, '0')}` : String(tenths).padStart(4, '0'),
    '0.0000',
    String(serial).padStart(4, '0'),
    ...(/^[0-9A-F]{10}$/.test(rfid ?? '') ? [String(rfid)] : []),
  ];
}

const TYPE_OF_EVENT = new Map(
  Object.entries(ALARMS).flatMap(([type, { event }]) => (event === null ? [] : [[event as string, type] as const])),
);

/** With the type of alarm of its event, if it has one. */
export function encodeReport(imei: string, position: PositionMessage, serial: number): Uint8Array {
  const type = TYPE_OF_EVENT.get(position.event ?? '') ?? BY_TIME;
  return sealed([`${imei}`, `${type}$${gprmcText(position)}`, ...fieldsOf(position, serial), ''].join('|'));
}

/** A heartbeat has no fix here. */
export const encodeHeartbeat = (imei: string, time: PositionMessage, serial: number): Uint8Array =>
  sealed([imei, `${HEARTBEAT}${NO_FIX}`, ...fieldsOf(time, serial), ''].join('|'));
