import { viewOf } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { timeOf } from './cce.ts';
import { EMPTY, positionFrom } from './report.ts';

/** CCC, the older binary form: version 2, length of a record 2, packets left 4, then records of that length. Little endian. */
const HEAD_BYTES = 8;
const RECORD_BYTES = 42;

export function decodeCcc(content: Uint8Array): DecodedMessage[] | null {
  if (content.length < HEAD_BYTES) return null;
  const view = viewOf(content);
  const length = view.getUint16(2, true);
  if (length < RECORD_BYTES) return null;
  const messages: DecodedMessage[] = [];
  for (let at = HEAD_BYTES; at + length <= content.length; at += length) messages.push(record(view, at));
  return messages.length > 0 ? messages : null;
}

function record(view: DataView, at: number): DecodedMessage {
  const u16 = (offset: number): number => view.getUint16(at + offset, true);
  const [mcc, mnc, lac, cell] = [32, 34, 36, 38].map(u16);
  return positionFrom({
    ...EMPTY,
    code: view.getUint8(at),
    lat: view.getInt32(at + 1, true) / 1e6,
    lon: view.getInt32(at + 5, true) / 1e6,
    time: timeOf(view.getUint32(at + 9, true)),
    valid: view.getUint8(at + 13) === 1,
    satellites: view.getUint8(at + 14),
    gsm: view.getUint8(at + 15),
    kmh: u16(16),
    course: u16(18),
    hdop: u16(20) / 10,
    altitude: view.getInt16(at + 22, true),
    mileage: view.getUint32(at + 24, true),
    runTime: view.getUint32(at + 28, true),
    cell: mcc === 0 ? null : `${mcc}-${mnc}-${lac}-${cell}`,
    outputs: view.getUint8(at + 40),
    inputs: view.getUint8(at + 41),
    attributes: {},
  });
}
