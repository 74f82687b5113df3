import { viewOf } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { timeOf } from './cce.ts';
import { EMPTY, positionFrom, voltages } from './report.ts';

/**
 * CCC, the older binary form: version 2, length of a record 2, packets left 4, then records of that length. Little
 * endian. Models differ in the fields after the position; in recordings these are an analog input, battery and external
 * power.
 */
const HEAD_BYTES = 8;
/** Event, place, time, fix. */
const LEAST_RECORD_BYTES = 14;

export function decodeCcc(content: Uint8Array): DecodedMessage[] | null {
  if (content.length < HEAD_BYTES) return null;
  const view = viewOf(content);
  const length = view.getUint16(2, true);
  if (length < LEAST_RECORD_BYTES) return null;
  const messages: DecodedMessage[] = [];
  for (let at = HEAD_BYTES; at + length <= content.length; at += length) {
    messages.push(record(new DataView(view.buffer, view.byteOffset + at, length)));
  }
  return messages.length > 0 ? messages : null;
}

function record(view: DataView): DecodedMessage {
  const u8 = (offset: number): number | null => (offset < view.byteLength ? view.getUint8(offset) : null);
  const u16 = (offset: number): number | null => (offset + 2 <= view.byteLength ? view.getUint16(offset, true) : null);
  const u32 = (offset: number): number | null => (offset + 4 <= view.byteLength ? view.getUint32(offset, true) : null);
  const [mcc, mnc, lac, cell] = [32, 34, 36, 38].map(u16);
  const hdop = u16(20);
  const attributes: Record<string, string | number | boolean> = {};
  const [analog, battery, external] = [42, 44, 46].map(u16);
  if (analog != null) attributes.adc1 = analog;
  if (battery != null && external != null) voltages(battery, external, attributes);
  return positionFrom({
    ...EMPTY,
    code: view.getUint8(0),
    lat: view.getInt32(1, true) / 1e6,
    lon: view.getInt32(5, true) / 1e6,
    time: timeOf(view.getUint32(9, true)),
    valid: view.getUint8(13) === 1,
    satellites: u8(14),
    gsm: u8(15),
    kmh: u16(16),
    course: u16(18),
    hdop: hdop === null ? null : hdop / 10,
    altitude: view.byteLength < 24 ? null : view.getInt16(22, true),
    mileage: u32(24),
    runTime: u32(28),
    cell: mcc ? `${mcc}-${mnc}-${lac}-${cell}` : null,
    outputs: u8(40),
    inputs: u8(41),
    attributes,
  });
}
