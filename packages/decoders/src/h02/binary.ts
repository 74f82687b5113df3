import { degrees, fromKnots } from '@milepost/units';
import { hex, viewOf } from '../bytes.ts';
import { numberOf, timeOf } from '../nmea.ts';
import { positionOf } from '../position.ts';
import type { DecodedMessage, DecodeErrorCode } from '../protocol.ts';
import { levelOf } from './beside.ts';
import { hasLongId, LONG_ID, MILEAGE_RECORD, SHORT_ID_BYTES } from './frame.ts';
import { mileageOf } from './report.ts';
import { statusOf } from './status.ts';

/** After the identity: time, date, latitude, battery, longitude with flags, speed and course, status. */
const FIX_BYTES = 23;
const NETWORK_BYTES = 45;
/** Country, network, area, cell and a counter at the end of the 45-byte record. */
const CELL_BYTES = 8;
const FLAGS = { east: 8, north: 4, valid: 2 } as const;
/** Digits of degrees followed by minutes with four decimals. */
const minutes = (digits: string, degreeDigits: number): number =>
  Number(digits.slice(0, degreeDigits)) + Number(digits.slice(degreeDigits)) / 10_000 / 60;

/**
 * A binary record: the tracker's ID and the report. Packed decimals throughout. A record with a mileage (`X`) has none
 * of an ID, and a temperature without a known form where others have the battery.
 */
export function readBinary(
  record: Uint8Array,
):
  | { readonly imei: string | null; readonly message: DecodedMessage }
  | { readonly error: DecodeErrorCode; readonly at: number } {
  const long = hasLongId(record);
  const idBytes = long ? LONG_ID : SHORT_ID_BYTES;
  const at = 1 + idBytes;
  if (record.length < at + FIX_BYTES) return { error: 'too-short', at: record.length };
  const digits = hex(record.subarray(1, at + 19));
  // A fifteen-digit identity is padded.
  const imei = digits.slice(0, long ? 15 : 10);
  const rest = digits.slice(idBytes * 2);
  const places = rest.slice(0, 20) + rest.slice(22, 31);
  if (!/^\d+$/.test(imei + places)) return { error: 'bad-field', at: 1 };
  const time = timeOf(rest.slice(0, 6), rest.slice(6, 12), 'dmy');
  if (time === null) return { error: 'bad-field', at };
  const flags = Number.parseInt(rest.slice(31, 32), 16);
  const lat = minutes(rest.slice(12, 20), 2);
  const lon = minutes(rest.slice(22, 31), 3);
  const { event, ignition, attributes } = statusOf(viewOf(record).getUint32(at + 19));
  const hasMileage = record[0] === MILEAGE_RECORD;
  const battery = hasMileage ? 0 : (record[at + 10] ?? 0);
  const batteryLevel = levelOf(battery) ?? (battery > 0 && battery <= 100 ? battery : null);
  const cell = record.length === NETWORK_BYTES ? cellIn(record) : null;
  const [knots, angle] = [numberOf(rest.slice(32, 35)), numberOf(rest.slice(35, 38))];
  const message = positionOf({
    time,
    valid: (flags & FLAGS.valid) !== 0,
    lat: degrees(flags & FLAGS.north ? lat : 0 - lat),
    lon: degrees(flags & FLAGS.east ? lon : 0 - lon),
    // Without a fix, some have no digits here.
    speed: knots === null ? null : fromKnots(knots),
    course: angle === null ? null : degrees(angle),
    odometer: hasMileage ? mileageOf(imei) : null,
    event,
    ignition,
    attributes: {
      ...attributes,
      ...(batteryLevel === null ? {} : { batteryLevel }),
      ...(cell === null ? {} : { cell }),
    },
  });
  return { imei: hasMileage ? null : imei, message };
}

function cellIn(record: Uint8Array): string | null {
  const view = viewOf(record);
  const at = record.length - CELL_BYTES;
  const mcc = view.getUint16(at);
  return mcc < 200 || mcc > 799
    ? null
    : [mcc, view.getUint8(at + 2), view.getUint16(at + 3), view.getUint16(at + 5)].join('-');
}
