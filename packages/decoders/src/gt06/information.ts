import { celsius } from '@milepost/units';
import { ascii, hex, isText, Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { readTime } from './fix.ts';
import { type Notes, noted, type PacketDecoder } from './packet.ts';

/** 0x94, "Information transmission packet": everything except positions, by the number of its type. */
export const informationTransmission: PacketDecoder = ({ content }) => {
  const kind = content.u8();
  if (content.overrun) return null;
  const { bytes, at, end } = content;
  const notes = KINDS[kind]?.(content);
  // Some makers send other content under a documented number, usually a single byte.
  return status(notes === undefined || content.overrun ? unexplained(kind, new Reader(bytes, at, end)) : notes);
};

const status = (attributes: Notes): DecodedMessage => ({ kind: 'status', time: null, event: null, attributes });

const MAX_DATA_BYTES = 512;
const unexplained = (kind: number, content: Reader): Notes => ({
  informationKind: kind,
  data: hex(content.rest().subarray(0, MAX_DATA_BYTES)),
});

const KINDS: Readonly<Record<number, (content: Reader) => Notes>> = {
  // A third byte of 1 means the second input (VG04).
  0: content => {
    const volts = content.u16() / 100;
    const name = content.remaining > 0 && content.u8() === 1 ? 'externalVoltage2' : 'externalVoltage';
    return { [name]: volts };
  },
  4: content => synchronisation(ascii(content.rest())),
  5: content => {
    const bits = content.u8();
    return { doorOpen: (bits & 1) !== 0, input: (bits & 4) !== 0 };
  },
  8: content => noted({ selfCheck: ascii(content.rest()) }),
  9: content => satellites(content),
  10: content => ({
    imei: hex(content.take8(8)).replace(/^0/, ''),
    imsi: hex(content.take8(8)).replace(/^0/, ''),
    iccid: hex(content.take8(10)),
  }),
  // Known from recordings, not documented: hundredths of volts.
  11: content => ({ externalVoltage: content.u16() / 100 }),
  13: content => fuelSensor(content),
  27: content => ({ rfid: cardText(content.rest()) }),
  // Known from recordings, not documented: tenths of a degree and of a percent.
  30: content => ({ temperature: celsius(content.i32() / 10), humidity: content.u32() / 10 }),
  33: content => ({ bluetoothAddress: hex(content.take8(6)) }),
};

/**
 * `ALM1=C5;STA1=C0;…`: settings of alarms, arming, relay, phone numbers, geofence. Kept unchanged, under `sync` names.
 */
const MAX_PAIRS = 32;
function synchronisation(text: string): Notes {
  const notes: Notes = {};
  for (const pair of text.split(';').slice(0, MAX_PAIRS)) {
    const [name = '', ...value] = pair.split('=');
    if (/^[A-Z]\w{0,15}$/.test(name)) notes[`sync${name[0]}${name.slice(1).toLowerCase()}`] = value.join('=');
  }
  return notes;
}

/** Module status, then the signal strengths of the satellites used in the fix and of those only in view. */
function satellites(content: Reader): Notes {
  const gnssStatus = content.u8();
  const satellitesUsed = content.u8();
  content.skip(satellitesUsed);
  const satellitesVisible = content.u8();
  return { gnssStatus, satellitesUsed, satellitesVisible };
}

/** Time, then `!AIOIL,address,level cm,temperature °C,…`; the seventh field is the measured level in cm. */
function fuelSensor(content: Reader): Notes {
  readTime(content);
  const text = ascii(content.rest());
  const parts = text.slice(text.indexOf('!')).split(',');
  const level = Number.parseFloat(parts[6] ?? '');
  const temperature = Number.parseFloat(parts[3] ?? '');
  return noted({
    fuelSensor: text,
    fuelSensorLevel: Number.isFinite(level) ? level / 100 : null,
    fuelSensorTemperature: Number.isFinite(temperature) ? temperature : null,
  });
}

const STX = 0x02;
const ETX = 0x03;

/**
 * A card's number: eight bytes by the document; in recordings also text (`RFID:008F…`), or as a reader sends it,
 * between STX with its length and a check byte with ETX.
 */
function cardText(bytes: Uint8Array): string {
  if (bytes.length > 4 && bytes[0] === STX && bytes.at(-1) === ETX && bytes[1] === bytes.length) {
    return hex(bytes.subarray(2, -2));
  }
  if (isText(bytes)) return ascii(bytes).replace(/^RFID:/, '');
  return hex(bytes);
}

/** 0x9B: data from a device on the tracker's port, as text if it is text. */
export const externalDevice: PacketDecoder = ({ content }) => {
  const module = content.u8();
  const data = content.rest();
  if (content.overrun) return null;
  const framed = data.length > 2 && data[0] === STX && data.at(-1) === ETX ? data.subarray(1, -1) : data;
  const text = isText(framed) ? ascii(framed) : hex(framed.subarray(0, MAX_DATA_BYTES));
  return status({ externalModule: module, externalData: text });
};

/** 0x9C: the same, preceded by the module's number and the length. */
export const externalModule: PacketDecoder = ({ content }) => {
  const module = content.u8();
  const data = content.rest();
  if (content.overrun) return null;
  return status({ externalModule: module, externalData: hex(data.subarray(0, MAX_DATA_BYTES)) });
};
