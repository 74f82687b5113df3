import { degrees, type EpochMs } from '@milepost/units';
import { ascii, hex } from '../bytes.ts';
import { errorIn, silent } from '../outcome.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { acknowledgeEmergency, encodeCommand } from './encode.ts';
import { MAX_FRAME_BYTES, nextFrame, serialData, ZIP_ALERT, ZIP_STATUS } from './frame.ts';
import { readOlder } from './older.ts';
import { number, type Place, readPlace, readTime } from './place.ts';
import { readUniversal } from './universal.ts';
import { decodeZip } from './zip.ts';

/** Suntech's older protocols and its universal one. Every report names its tracker; the protocol has no checksum. */
const HEADER = /^((?:ST|SA)\d{3})?(STT|EMG|EVT|ALT|ALV|UEX|HTE|CMD|BLE|BSA|RES|CRR)$/;
const ID = /^[0-9A-Z]{5,20}$/;

function decode(frame: Uint8Array, _session: Session): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  if (frame[0] === ZIP_STATUS || frame[0] === ZIP_ALERT) return decodeZip(frame);
  const data = serialData(frame, frame.length);
  const fields = fieldsOf(frame, data === 'more' ? null : data);
  const [head = '', second = ''] = fields;
  if (head === 'ST910') return st910(fields);
  const [, model = '', type] = HEADER.exec(head) ?? [];
  if (type === undefined) return errorIn('unknown-type', 0);
  if (type === 'CMD') return second === 'Res' ? reply(fields, 2) : errorIn('unknown-type', head.length);
  if (!ID.test(second)) return errorIn('bad-field', Math.min(frame.length, head.length + 1));
  if (type === 'RES') return reply(fields, 1);
  const who: DecodedMessage = { kind: 'login', imei: second };
  if (type === 'ALV') return silent([who, { kind: 'heartbeat', attributes: {} }]);
  if (type === 'HTE') return travel(who, fields);
  const place = readPlace(fields);
  if (place === null) return errorIn('bad-field', Math.min(frame.length, head.length + second.length + 2));
  if (type === 'BLE' || type === 'BSA') return silent([who, beacon(type, fields, place)]);
  const read = model === '' ? readUniversal(type, fields, place) : readOlder(model, type, fields, place);
  const message = data && data !== 'more' ? withData(read, frame.subarray(data.from, data.to)) : read;
  const acknowledgement = type === 'EMG' && model !== '' ? acknowledgeEmergency(model, second) : null;
  return { messages: [who, message], acknowledgement, refusal: null };
}

/** The bytes of a serial device are one field, whatever is in them. */
function fieldsOf(frame: Uint8Array, data: { from: number; to: number } | null): string[] {
  if (data === null) return ascii(frame).split(';');
  const before = ascii(frame.subarray(0, data.from)).replace(/;$/, '').split(';');
  const behind = ascii(frame.subarray(data.to)).replace(/^;/, '').split(';');
  return [...before, '', ...behind];
}

function reply(fields: readonly string[], idAt: number): Decoded {
  const imei = fields[idAt] ?? '';
  if (!ID.test(imei)) return errorIn('bad-field', 0);
  const text = fields.slice(idAt + 1).join(';');
  return silent([
    { kind: 'login', imei },
    { kind: 'reply', text, reference: null },
  ]);
}

/** ST910: its kind instead of a header's type; place, fix, then what differs by version. */
function st910(fields: readonly string[]): Decoded {
  const [, kind = '', imei = ''] = fields;
  const place = readPlace(fields);
  if (!ID.test(imei) || place === null) return errorIn('bad-field', 0);
  const fix = fields[place.at + 4];
  const volts = fields.slice(place.at + 5).find(text => /^\d\.\d+$/.test(text));
  return silent([
    { kind: 'login', imei },
    positionOf({
      ...place,
      valid: fix === '1',
      event: kind === 'Emergency' ? 'sos' : kind === 'Alert' ? 'alarm' : null,
      attributes: volts === undefined ? {} : { batteryVoltage: Number(volts) },
    }),
  ]);
}

/** HTE: a trip that ended, with where it began and ended and who drove. */
function travel(who: DecodedMessage, fields: readonly string[]): Decoded {
  const time = readTime(fields[4] ?? '', fields[5] ?? '');
  if (time === null) return errorIn('bad-field', 0);
  const driver = fields.findLast(text => /^[0-9A-F]{14}$/i.test(text));
  const attributes: Attributes = {
    tripDistance: number(fields[6]) ?? 0,
    externalVoltage: number(fields[7]) ?? 0,
    ...(driver === undefined ? {} : { driver }),
  };
  return silent([who, { kind: 'status', time, event: null, attributes }]);
}

/** BLE and BSA: a beacon and how well it is heard; BLE at the place of the tracker. */
function beacon(type: string, fields: readonly string[], place: Place): DecodedMessage {
  const mac = fields.find((text, i) => i > place.at && /^([0-9A-F]{2}:?){6}$/i.test(text)) ?? '';
  const attributes: Attributes = { tag1Mac: mac.replaceAll(':', ''), tag1Rssi: number(fields[place.at + 3]) ?? 0 };
  if (type === 'BSA') return { kind: 'status', time: place.time, event: null, attributes };
  return positionOf({
    time: place.time,
    valid: fields[place.at + 2] === '1',
    lat: degrees(place.lat),
    lon: degrees(place.lon),
    attributes,
  });
}

const SENSOR = /N_(\d)=([0-9A-F]{1,4})(?:\.\d+)?/gi;
/** Readers write `GTSL|6|1|0|number|1|`. */
const CARD = /^GTSL\|[^|]*\|[^|]*\|[^|]*\|(\d{4,20})\|/;

/** What a serial device said: text or bytes; level sensors and card readers that are known are read. */
function withData(message: DecodedMessage, bytes: Uint8Array): DecodedMessage {
  if (message.kind !== 'position') return message;
  const printable = bytes.every(byte => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a);
  const text = printable ? ascii(bytes) : hex(bytes);
  const sensors: Record<string, number> = {};
  for (const [, index, value] of text.matchAll(SENSOR)) {
    sensors[`fuelSensor${Number(index) + 1}`] = Number.parseInt(value ?? '0', 16);
  }
  return {
    ...message,
    rfid: message.rfid ?? CARD.exec(text)?.[1] ?? null,
    attributes: { ...message.attributes, serialData: text, ...sensors },
  };
}

export const suntechTcp: StreamProtocol = {
  name: 'suntech',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

export const suntechUdp: DatagramProtocol = {
  name: 'suntech',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: (datagram: Uint8Array, receivedAt: EpochMs) => decode(datagram, { imei: null, receivedAt }),
  encodeCommand,
};
