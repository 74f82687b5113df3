import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { positionOf } from '../position.ts';
import type { PositionMessage } from '../protocol.ts';
import { join } from '../testing/stream.ts';

/**
 * Dialects: the different ways in which trackers send the same report. A maker's document shows one form; other models
 * and clones leave fields out, add some, or write them differently. A protocol lists what may vary; tests and `npm run
 * fuzz` try every variant and combinations of them, each in a valid envelope.
 */

export type Random = () => number;

/** One piece of a frame and its variants. The first is the maker's. */
export interface Slot {
  readonly name: string;
  readonly alternatives: readonly Uint8Array[];
}

export interface Dialect {
  readonly name: string;
  /** The expected result for every variant: a fix, no position at all, or either. */
  readonly brings: 'fix' | 'no fix' | 'either';
  /**
   * The pieces of a report for this position. `random` supplies bytes without a defined form, such as unknown fields.
   */
  slots(position: PositionMessage, random: Random): readonly Slot[];
  /** Adds the envelope: lengths, checksums and the like. */
  seal(parts: readonly Uint8Array[], position: PositionMessage): Uint8Array;
}

export interface Dialects {
  readonly over: 'stream' | 'datagram' | 'http';
  readonly dialects: readonly Dialect[];
}

export const asciiBytes = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));

const bytesOf = (alternative: string | Uint8Array): Uint8Array =>
  typeof alternative === 'string' ? asciiBytes(alternative) : alternative;

export const slot = (name: string, ...alternatives: readonly (string | Uint8Array)[]): Slot => ({
  name,
  alternatives: alternatives.map(bytesOf),
});

const NOTHING = new Uint8Array(0);

export const randomBytes = (random: Random, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => Math.floor(random() * 256));

const FILLS = [
  (_random: Random, length: number): Uint8Array => new Uint8Array(length),
  (_random: Random, length: number): Uint8Array => new Uint8Array(length).fill(0xff),
  randomBytes,
];

/** Undocumented bytes, or none: of any length, all equal or random. */
export const unknownBytes = (name: string, random: Random, longest: number): Slot => ({
  name,
  alternatives: [
    NOTHING,
    ...Array.from(
      { length: longest },
      (_, i) => FILLS[Math.floor(random() * FILLS.length)]?.(random, i + 1) ?? NOTHING,
    ),
  ],
});

/** Cuts off what follows the fix at any point, because models omit fields from the end. The whole is the maker's. */
export const cutAnywhere = (name: string, whole: Uint8Array): Slot => ({
  name,
  alternatives: Array.from({ length: whole.length + 1 }, (_, i) => whole.subarray(0, whole.length - i)),
});

/** The last two: letters beyond ASCII, as UTF-8 and as Latin-1. */
const WORDS = [
  '',
  '0',
  '1',
  '-1',
  '00000000',
  'FFFFFFFF',
  '12.6',
  '310',
  'A',
  'N',
  'V',
  '99999999999',
  '1.5',
  'x=y',
  'Cami\xc3\xb3n 12',
  'Se\xf1al',
];

/** Undocumented text fields, or none, each preceded by a separator. */
export const unknownFields = (name: string, random: Random, most: number, separator = ',', words = WORDS): Slot => {
  const field = (): string => separator + (words[Math.floor(random() * words.length)] ?? '');
  const lists = Array.from({ length: most }, (_, i) => [
    separator.repeat(i + 1),
    Array.from({ length: i + 1 }, field).join(''),
    Array.from({ length: i + 1 }, field).join(''),
  ]);
  return slot(name, '', ...lists.flat());
};

/** The pieces joined, without an envelope. */
export const together = (parts: readonly Uint8Array[]): Uint8Array => join(parts);

/** A random position: anywhere on Earth, within ten years, at a vehicle's speed. */
export function anyPosition(random: Random): PositionMessage {
  const within = (most: number, decimals: number): number => Number((random() * most).toFixed(decimals));
  const sign = (): number => (random() < 0.5 ? -1 : 1);
  return positionOf({
    time: epochMs(Date.UTC(2020, 0) + Math.floor(random() * 315_000_000) * 1000),
    valid: true,
    lat: degrees(sign() * within(89.9, 5)),
    lon: degrees(sign() * within(179.9, 5)),
    speed: fromKilometresPerHour(Math.floor(random() * 150)),
    course: degrees(Math.floor(random() * 360)),
    altitude: metres(Math.floor(random() * 3000)),
    satellites: 4 + Math.floor(random() * 9),
    hdop: within(3, 1) + 0.5,
    ignition: random() < 0.5,
    odometer: metres(Math.floor(random() * 1e9)),
  });
}

/** Text fields, with the separator before every variant of each field but the first. */
export const separated = (separator: string, slots: readonly Slot[]): Slot[] =>
  slots.map(({ name, alternatives }, i) => ({
    name,
    alternatives: i === 0 ? alternatives : alternatives.map(alternative => join([asciiBytes(separator), alternative])),
  }));
