import { ByteWriter } from '../byte-writer.ts';
import { crc16Ibm } from '../crc16.ts';
import type { PositionMessage } from '../protocol.ts';
import { MESSAGE_CODECS, MESSAGE_TYPES } from './messages.ts';
import { type AvlElement, type AvlRecord, recordFrom } from './record-from.ts';
import { AVL_CODECS } from './records.ts';

/** Messages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */
export type AvlCodec = keyof typeof AVL_CODECS;

export const encodeLogin = (imei: string): Uint8Array => new ByteWriter().u16(imei.length).ascii(imei).done();

/** A packet of positions over TCP. */
export const encodePacket = (positions: readonly PositionMessage[], codec: AvlCodec = 'codec8Extended'): Uint8Array =>
  encodeRecords(
    positions.map(position => recordFrom(position, codec === 'codec16')),
    codec,
  );

export const encodeRecords = (records: readonly AvlRecord[], codec: AvlCodec): Uint8Array =>
  envelope(dataArray(records, codec));

export interface DatagramHead {
  readonly imei: string;
  /** 0–65535, counted by the tracker. */
  readonly packetId: number;
  /** 0–255. */
  readonly avlPacketId: number;
}

/** The same over UDP. */
export function encodeDatagram(
  { imei, packetId, avlPacketId }: DatagramHead,
  positions: readonly PositionMessage[],
  codec: AvlCodec = 'codec8Extended',
): Uint8Array {
  const data = dataArray(
    positions.map(position => recordFrom(position, codec === 'codec16')),
    codec,
  );
  const head = new ByteWriter().u16(packetId).u8(1).u8(avlPacketId).u16(imei.length).ascii(imei).done();
  return new ByteWriter()
    .u16(head.length + data.length)
    .bytes(head)
    .bytes(data)
    .done();
}

/** A command for the tracker, Codec 12. The protocol carries no reference. */
export const encodeCommand = (command: string, _reference = 0): Uint8Array => message(MESSAGE_TYPES.command, command);

/** A tracker's answer to a command. */
export const encodeResponse = (text: string): Uint8Array => message(MESSAGE_TYPES.response, text);

const message = (type: number, text: string): Uint8Array =>
  envelope(new ByteWriter().u8(MESSAGE_CODECS.codec12).u8(1).u8(type).u32(text.length).ascii(text).u8(1).done());

const envelope = (data: Uint8Array): Uint8Array =>
  new ByteWriter()
    .u32(0)
    .u32(data.length)
    .bytes(data)
    .u32(crc16Ibm(data, 0, data.length))
    .done();

function dataArray(records: readonly AvlRecord[], codec: AvlCodec): Uint8Array {
  const writer = new ByteWriter().u8(AVL_CODECS[codec]).u8(records.length);
  for (const record of records) writeRecord(writer, record, codec);
  return writer.u8(records.length).done();
}

const COORDINATE_SCALE = 1e7;
/** Codec 16, "Generation Type": 7 is periodical, 5 on change. */
const PERIODICAL = 7;
const ON_CHANGE = 5;

function writeRecord(writer: ByteWriter, record: AvlRecord, codec: AvlCodec): void {
  writer
    .u64(record.time)
    .u8(record.priority)
    .u32(Math.round(record.lon * COORDINATE_SCALE))
    .u32(Math.round(record.lat * COORDINATE_SCALE))
    .u16(record.altitude)
    .u16(record.angle)
    .u8(record.satellites)
    .u16(record.speedKmh);
  const id = (value: number) => (codec === 'codec8' ? writer.u8(value) : writer.u16(value));
  const count = (value: number) => (codec === 'codec8Extended' ? writer.u16(value) : writer.u8(value));
  // Codec 8 has one-byte ids.
  const elements = codec === 'codec8' ? record.elements.filter(element => element.id < 256) : record.elements;
  id(record.eventId);
  if (codec === 'codec16') writer.u8(record.eventId === 0 ? PERIODICAL : ON_CHANGE);
  count(elements.length);
  for (const size of [1, 2, 4, 8] as const) {
    const group = elements.filter(element => element.size === size);
    count(group.length);
    for (const element of group) {
      id(element.id);
      writeValue(writer, element);
    }
  }
  if (codec === 'codec8Extended') writer.u16(0);
}

function writeValue(writer: ByteWriter, element: AvlElement): void {
  if (element.size === 8) writer.hex(element.value);
  else if (element.size === 4) writer.u32(element.value);
  else if (element.size === 2) writer.u16(element.value);
  else writer.u8(element.value);
}
