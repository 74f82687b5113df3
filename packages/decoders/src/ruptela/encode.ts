import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Kermit } from '../crc16.ts';
import type { PositionMessage } from '../protocol.ts';
import { EVENTS } from './element-events.ts';
import { ELEMENTS, elementNamed } from './elements.ts';
import type { RecordForm } from './records.ts';

/** Messages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */
function packet(content: Uint8Array): Uint8Array {
  return new ByteWriter()
    .u16(content.length)
    .bytes(content)
    .u16(crc16Kermit(content, 0, content.length))
    .done();
}

export const SMS_OVER_GPRS = 108;

/** A command in the words of its SMS, without the password. The protocol carries no reference. */
export const encodeCommand = (command: string, _reference = 0): Uint8Array =>
  packet(new ByteWriter().u8(SMS_OVER_GPRS).ascii(command).done());

/** "Server response": the command number of the answer, and whether the packet was accepted. */
export const answer = (command: number, accepted: number): Uint8Array => packet(Uint8Array.of(command, accepted));

const fromTracker = (imei: string, command: number, payload: Uint8Array): Uint8Array =>
  packet(new ByteWriter().u64(Number(imei)).u8(command).bytes(payload).done());

const IDENTIFICATION = 15;
const HEARTBEAT = 16;
const REPLY = 7;
const PLAIN = 1;
const EXTENDED = 68;

export const encodeIdentification = (imei: string): Uint8Array =>
  fromTracker(imei, IDENTIFICATION, new ByteWriter().ascii('MLPS00.00.01.01').u8(0).done());
export const encodeHeartbeat = (imei: string): Uint8Array => fromTracker(imei, HEARTBEAT, new Uint8Array(0));
export const encodeReply = (imei: string, text: string): Uint8Array =>
  fromTracker(imei, REPLY, new ByteWriter().ascii(text).done());

/** At most 255 positions. */
export function encodeRecords(imei: string, positions: readonly PositionMessage[], form: RecordForm): Uint8Array {
  const writer = new ByteWriter().u8(0).u8(positions.length);
  for (const position of positions) writeRecord(writer, position, form);
  return fromTracker(imei, form === 'extended' ? EXTENDED : PLAIN, writer.done());
}

const COORDINATE_SCALE = 1e7;
const IGNITION_INPUT = 5;
const MAX_PLAIN_ID = 255;

interface Element {
  readonly id: number;
  readonly bytes: 1 | 2 | 4 | 8;
  readonly value: number | string;
}

function writeRecord(writer: ByteWriter, position: PositionMessage, form: RecordForm): void {
  const event = eventElement(position.event);
  const elements = elementsOf(position, event).filter(({ id }) => form === 'extended' || id <= MAX_PLAIN_ID);
  const id = (value: number) => (form === 'extended' ? writer.u16(value) : writer.u8(value));
  writer.u32(position.time / 1000).u8(0);
  if (form === 'extended') writer.u8(0);
  writer
    .u8(Number(position.attributes.priority ?? 0))
    .u32(Math.round(position.lon * COORDINATE_SCALE))
    .u32(Math.round(position.lat * COORDINATE_SCALE))
    .u16(Math.round((position.altitude ?? -3276.8) * 10))
    .u16(position.course === null ? 0xffff : Math.round(position.course * 100))
    .u8(position.valid ? (position.satellites ?? 0xff) : 0)
    .u16(position.speed === null ? 0xffff : Math.round(toKilometresPerHour(position.speed)))
    .u8(position.hdop === null ? 0xff : Math.round(position.hdop * 10));
  id(event?.id ?? 0);
  for (const bytes of [1, 2, 4, 8] as const) {
    const group = elements.filter(element => element.bytes === bytes);
    writer.u8(group.length);
    for (const element of group) {
      id(element.id);
      writeValue(writer, element);
    }
  }
}

function writeValue(writer: ByteWriter, { bytes, value }: Element): void {
  if (bytes === 8) writer.hex(String(value).padStart(16, '0'));
  else if (bytes === 4) writer.u32(Number(value));
  else if (bytes === 2) writer.u16(Number(value));
  else writer.u8(Number(value));
}

/** The element that reports an event; ignition has its own column. */
function eventElement(event: string | null): Element | null {
  for (const [id, meaning] of Object.entries(EVENTS).toReversed()) {
    if (Number(id) === IGNITION_INPUT) continue;
    const [value] =
      typeof meaning === 'string' ? [] : (Object.entries(meaning).find(([, name]) => name === event) ?? []);
    const found = meaning === event || value !== undefined;
    const row = ELEMENTS.find(([known]) => known === Number(id));
    if (found && row) return { id: Number(id), bytes: row[1], value: Number(value ?? 1) };
  }
  return null;
}

function elementsOf(position: PositionMessage, event: Element | null): Element[] {
  const elements = new Map<number, Element>();
  const put = (name: string, value: number | boolean | string | null | undefined): void => {
    const row = elementNamed(name);
    if (row === undefined || value === null || value === undefined) return;
    const [id, bytes, , , { scale = 1, offset = 0 } = {}] = row;
    const raw = bytes === 8 ? String(value) : Math.round((Number(value) - offset) / scale);
    elements.set(id, { id, bytes, value: raw });
  };
  for (const [name, value] of Object.entries(position.attributes)) put(name, value);
  put('ignition', position.ignition);
  put('odometer', position.odometer);
  put('canFuelLevel', position.fuel);
  put('gsm', position.gsm);
  if (/^[0-9A-F]{16}$/.test(position.rfid ?? '')) put('iButton', position.rfid);
  // Ids of one byte cannot express the ignition element, so the ignition input is used.
  if (position.ignition !== null)
    elements.set(IGNITION_INPUT, { id: IGNITION_INPUT, bytes: 1, value: Number(position.ignition) });
  if (event !== null && event.bytes !== 8) elements.set(event.id, event);
  return [...elements.values()];
}
