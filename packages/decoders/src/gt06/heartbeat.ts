import { Reader } from '../bytes.ts';
import { cardOf } from './alarm.ts';
import { readWideCell } from './cells.ts';
import { fixBegin } from './find-fix.ts';
import { positionAt, readFix } from './fix.ts';
import { moduleAttributes } from './modules.ts';
import { type Notes, noted, type PacketDecoder } from './packet.ts';
import { batteryLevel, gsmSignal, terminalInformation } from './terminal.ts';

function information(byte: number): Notes {
  const { ignition, charging, cutOff, armed } = terminalInformation(byte);
  return { ignition, charging, cutOff, armed };
}

/**
 * "Language/Extended Port Status", latter byte: 0 none, 1 Chinese, 2 English. In recordings: tenths of volts instead.
 */
const LAST_LANGUAGE = 2;
const RECORDED_VOLTAGE_BYTES = 14;

/** 0x13. */
export const heartbeat: PacketDecoder = ({ content }) => {
  const notes = information(content.u8());
  if (content.remaining === RECORDED_VOLTAGE_BYTES - 1) {
    content.skip(6);
    return { kind: 'heartbeat', attributes: { ...notes, externalVoltage: content.u16() / 100 } };
  }
  const status = noted({ batteryLevel: batteryLevel(content.u8()), gsm: gsmSignal(content.u8()) });
  if (content.overrun) return null;
  content.skip(1);
  const language = content.u8();
  const externalVoltage = language > LAST_LANGUAGE ? language / 10 : null;
  return { kind: 'heartbeat', attributes: { ...notes, ...status, ...noted({ externalVoltage }) } };
};

/** 0x23 of EG02, EG03, BL10: hundredths of volts instead of a level. */
export const voltageHeartbeat: PacketDecoder = ({ content }) => {
  const notes = information(content.u8());
  const externalVoltage = content.u16() / 100;
  const gsm = gsmSignal(content.u8());
  return content.overrun ? null : { kind: 'heartbeat', attributes: { ...notes, ...noted({ externalVoltage, gsm }) } };
};

/**
 * 0x36: as 0x13, then modules; in recordings also a fix with level, tenths of volts and a driver's card. A fix of
 * another length is found as in any packet.
 */
export const extendedHeartbeat: PacketDecoder = packet => {
  const { content } = packet;
  const recorded = content.remaining === RECORDED_FIX_BYTES ? recordedFix(content) : null;
  if (recorded !== null) return recorded;
  if (fixBegin(content) === 0) return null;
  const notes = information(content.u8());
  const status = noted({ batteryLevel: batteryLevel(content.u8()), gsm: gsmSignal(content.u8()) });
  content.skip(2);
  if (content.overrun) return null;
  const modules = moduleAttributes(content, 1);
  return { kind: 'heartbeat', attributes: { ...notes, ...status, ...modules } };
};

const RECORDED_FIX_BYTES = 48;

/** Null, with nothing read, if it does not begin with a time. */
function recordedFix({ bytes, at, end }: Reader): ReturnType<PacketDecoder> {
  const content = new Reader(bytes, at, end);
  const fix = readFix(content);
  if (fix === null) return null;
  const cell = readWideCell(content);
  const ignition = content.u8() !== 0;
  content.skip(5);
  const level = batteryLevel(content.u8());
  content.skip(2);
  const batteryVoltage = content.u8() / 10;
  content.skip(3);
  const rfid = cardOf(content.rest());
  return positionAt(fix, { ignition, rfid, attributes: noted({ cell, batteryLevel: level, batteryVoltage }) });
}
