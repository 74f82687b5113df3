import { ByteWriter } from '../byte-writer.ts';
import type { PositionMessage } from '../protocol.ts';
import { MOBILE_ID, MOBILE_ID_TYPE, SERVICE } from './header.ts';
import { dbmOf } from './reports.ts';

/** Messages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */
export const TYPE = { null: 0, ack: 1, event: 2, userMessage: 4, unitRequest: 7 } as const;

/** "ACK/NAK Message": the type that it answers, 0 for success, a spare byte, no version. */
export const acknowledgement = (type: number, sequence: number): Uint8Array =>
  new ByteWriter().u8(SERVICE.response).u8(TYPE.ack).u16(sequence).u8(type).u8(0).u8(0).u24(0).done();

/**
 * "Unit Request Message": action, then 8, 16 and 32 bits of data, written `unit 1 0 0 0`. Anything else is sent as the
 * text of a user message. The sequence number comes back in the acknowledgement.
 */
export function encodeCommand(command: string, reference: number): Uint8Array {
  const writer = new ByteWriter().u8(SERVICE.acknowledged);
  const [, action, data8 = '0', data16 = '0', data32 = '0'] =
    /^unit (\d{1,3})(?: (\d{1,3})(?: (\d{1,5})(?: (\d{1,10}))?)?)?$/.exec(command) ?? [];
  if (action === undefined)
    return writer
      .u8(TYPE.userMessage)
      .u16(reference & 0xffff)
      .bytes(userText(command))
      .done();
  return writer
    .u8(TYPE.unitRequest)
    .u16(reference & 0xffff)
    .u8(Number(action))
    .u8(Number(data8))
    .u16(Number(data16))
    .u32(Number(data32))
    .done();
}

/** For the device on the tracker's port: route and number of the message, its length, its text. */
const userText = (text: string): Uint8Array => new ByteWriter().u8(0).u8(0).u16(text.length).ascii(text).done();

const IMEI_TYPE = 2;
const ESN_TYPE = 1;
const IMEI_DIGITS = 15;

function head(identity: string, service: number, type: number, sequence: number): ByteWriter {
  const digits = identity.length % 2 === 0 ? identity : `${identity}F`;
  return new ByteWriter()
    .u8(0x80 | MOBILE_ID | MOBILE_ID_TYPE)
    .u8(digits.length / 2)
    .hex(digits)
    .u8(1)
    .u8(identity.length === IMEI_DIGITS ? IMEI_TYPE : ESN_TYPE)
    .u8(service)
    .u8(type)
    .u16(sequence & 0xffff);
}

export const encodeNull = (identity: string, sequence: number): Uint8Array =>
  head(identity, SERVICE.acknowledged, TYPE.null, sequence).done();

/** A tracker's acknowledgement of a command. */
export const encodeAck = (
  identity: string,
  sequence: number,
  result: number,
  type: number = TYPE.unitRequest,
): Uint8Array => head(identity, SERVICE.response, TYPE.ack, sequence).u8(type).u8(result).u8(0).u24(0).done();

const COORDINATE_SCALE = 1e7;
const CENTI = 100;
const INVALID = 1 << 3;
const NO_SIGNAL = 0;

export function encodeEventReport(identity: string, position: PositionMessage, sequence: number): Uint8Array {
  const { attributes } = position;
  const seconds = position.time / 1000;
  const accumulators: number[] = [];
  for (let i = 1; typeof attributes[`accumulator${i}`] === 'number'; i++) {
    accumulators.push(Number(attributes[`accumulator${i}`]));
  }
  const inputs = (Number(attributes.inputs ?? 0) & ~1) | (position.ignition ? 1 : 0);
  const writer = head(identity, SERVICE.acknowledged, TYPE.event, sequence)
    .u32(seconds)
    .u32(seconds)
    .u32(Math.round(position.lat * COORDINATE_SCALE))
    .u32(Math.round(position.lon * COORDINATE_SCALE))
    .u32(Math.round((position.altitude ?? 0) * CENTI))
    .u32(Math.round((position.speed ?? 0) * CENTI))
    .u16(Math.round(position.course ?? 0))
    .u8(position.satellites ?? 0)
    .u8(position.valid ? 0 : INVALID)
    .u16(Number(attributes.carrier ?? 0))
    .u16(position.gsm === null ? NO_SIGNAL : dbmOf(position.gsm))
    .u8(0)
    .u8(Math.round((position.hdop ?? 0) * 10))
    .u8(inputs)
    .u8(Number(attributes.unitStatus ?? 0))
    .u8(Number(attributes.eventIndex ?? 0))
    .u8(Number(attributes.eventCode ?? 0))
    .u8(accumulators.length)
    .u8(0);
  for (const accumulator of accumulators) writer.u32(accumulator);
  return writer.done();
}
