import { type EpochMs, epochMs, fromKilometresPerHour } from '@milepost/units';
import { hex, Reader } from '../bytes.ts';
import { missingIn } from '../possible.ts';
import { fixOf, positionAt, readPlace, readStatusWord } from './fix.ts';
import type { Notes, PacketDecoder } from './packet.ts';

/**
 * Packets made of modules: number 2, length, value. In 0x36 and 0xF1, 0xF2 the length has one byte, in 0x70 two. The
 * modules are known only from recordings, the external voltage from the firmware of Goome's trackers: those with a
 * recognizable meaning have names, the others keep their number.
 */
const MODULE = {
  imei: 0x0001,
  imsi: 0x0002,
  iccid: 0x0003,
  voltage: 0x0018,
  externalVoltage: 0x0027,
  time: 0x002c,
  fix: 0x0033,
  alarm: 0x0034,
  batteryLevel: 0x006a,
} as const;

/** More than any packet has; limits what one packet can become. */
const MAX_MODULES = 64;

/** Calls back for each module until the content ends; false if a module does not fit. */
function eachModule(content: Reader, lengthBytes: 1 | 2, found: (number: number, value: Uint8Array) => void): boolean {
  for (let n = 0; content.remaining > 0 && n < MAX_MODULES; n++) {
    const number = content.u16();
    const value = content.take8(lengthBytes === 1 ? content.u8() : content.u16());
    if (content.overrun) return false;
    found(number, value);
  }
  return true;
}

const NAMES: Readonly<Record<number, (value: Uint8Array) => readonly [string, string | number]>> = {
  [MODULE.imei]: value => ['imei', hex(value).replace(/^0/, '')],
  [MODULE.imsi]: value => ['imsi', hex(value).replace(/^0/, '')],
  [MODULE.iccid]: value => ['iccid', hex(value)],
  [MODULE.voltage]: value => ['batteryVoltage', new Reader(value).u16() / 100],
  [MODULE.externalVoltage]: value => ['externalVoltage', new Reader(value).u16() / 100],
  [MODULE.batteryLevel]: value => ['batteryLevel', new Reader(value).u8()],
};

function note(notes: Notes, number: number, value: Uint8Array): void {
  const [name, content] = NAMES[number]?.(value) ?? [`module${number}`, hex(value)];
  notes[name] = content;
}

export function moduleAttributes(content: Reader, lengthBytes: 1 | 2): Notes {
  const notes: Notes = {};
  eachModule(content, lengthBytes, (number, value) => note(notes, number, value));
  return notes;
}

const HEAD_BYTES = 5;
const TAMPER_ALARM = 0x12;

interface Modules {
  readonly whole: boolean;
  readonly notes: Notes;
  time: EpochMs | null;
  fix: Uint8Array | null;
  event: string | null;
}

/** `whole` if the modules fill the content exactly. */
function readModules(content: Reader): Modules {
  const modules: Omit<Modules, 'whole'> = { notes: {}, time: null, fix: null, event: null };
  const whole = eachModule(content, 2, (number, value) => {
    if (number === MODULE.time) modules.time = secondsOf(value);
    else if (number === MODULE.fix) modules.fix = value;
    else if (number === MODULE.alarm) modules.event = value[0] === TAMPER_ALARM ? 'tamper' : 'alarm';
    else note(modules.notes, number, value);
  });
  return { ...modules, whole };
}

/** 0x70: five bytes, then modules; in some packets the modules come first. A fix counts even if the rest does not fit. */
export const modular: PacketDecoder = ({ content }) => {
  const { bytes, at, end } = content;
  const forms = [readModules(new Reader(bytes, at + HEAD_BYTES, end)), readModules(content)];
  const whole = forms.find(form => form.whole);
  if (whole === undefined)
    return forms.map(({ fix, event, notes }) => fix && sure(place(fix, event, notes))).find(Boolean) ?? null;
  const { notes, time, fix, event } = whole;
  return fix === null ? { kind: 'status', time, event, attributes: notes } : place(fix, event, notes);
};

/** A position where the modules do not fit must be one that a tracker can have. */
const sure = (message: ReturnType<PacketDecoder>): ReturnType<PacketDecoder> =>
  message?.kind === 'position' && missingIn(message) === null && (message.lat !== 0 || message.lon !== 0)
    ? message
    : null;

/** Time 4, satellites 1, two unexplained bytes, latitude 4, longitude 4, speed 1, course and status 2. */
function place(value: Uint8Array, event: string | null, attributes: Notes): ReturnType<PacketDecoder> {
  const reader = new Reader(value);
  const time = epochMs(reader.u32() * 1000);
  const satellites = reader.u8();
  reader.skip(2);
  const where = readPlace(reader);
  const speed = fromKilometresPerHour(reader.u8());
  const fix = fixOf(time, satellites, where, speed, readStatusWord(reader));
  return reader.overrun ? null : positionAt(fix, { event, attributes });
}

const secondsOf = (value: Uint8Array): EpochMs => epochMs(new Reader(value).u32() * 1000);

const POWER_FIELD = 0x0005;

/** 0xF1, 0xF2: seconds since 1970, then numbered fields; one is evidently hundredths of volts. */
export const fields: PacketDecoder = ({ content, type }) => {
  const time = epochMs(content.u32() * 1000);
  const notes: Notes = {};
  const whole = eachModule(content, 1, (number, value) => {
    if (type === 0xf1 && number === POWER_FIELD) notes.externalVoltage = new Reader(value).u16() / 100;
    else notes[`field${number}`] = hex(value);
  });
  return whole ? { kind: 'status', time, event: null, attributes: notes } : null;
};
