import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { positionOf } from '../position.ts';
import type { PositionMessage } from '../protocol.ts';
import { join } from '../testing/stream.ts';

/**
 * Dialects: the ways in which trackers say the same thing. A maker's document gives one form of a report; its other models
 * and those who copied it leave fields out, add some, and write them otherwise. A protocol lists what may vary, and tests
 * and `npm run fuzz` try every way and mixes of them, each in an envelope that is right.
 */

export type Random = () => number;

/** One piece of a frame and the ways of writing it. The first is the maker's. */
export interface Slot {
  readonly name: string;
  readonly ways: readonly Uint8Array[];
}

export interface Dialect {
  readonly name: string;
  /** What comes of it, whichever ways are taken: the fix, no position at all, or either. */
  readonly brings: 'fix' | 'no fix' | 'either';
  /** The pieces of a report of this position. `random` makes what has no form, such as the bytes of unknown fields. */
  slots(position: PositionMessage, random: Random): readonly Slot[];
  /** Lengths, checksums, and whatever else goes around. */
  seal(parts: readonly Uint8Array[], position: PositionMessage): Uint8Array;
}

export interface Dialects {
  readonly over: 'stream' | 'datagram' | 'http';
  readonly dialects: readonly Dialect[];
}

export const asciiBytes = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));

const bytesOf = (way: string | Uint8Array): Uint8Array => (typeof way === 'string' ? asciiBytes(way) : way);

export const slot = (name: string, ...ways: readonly (string | Uint8Array)[]): Slot => ({
  name,
  ways: ways.map(bytesOf),
});

const NOTHING = new Uint8Array(0);

export const randomBytes = (random: Random, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => Math.floor(random() * 256));

const FILLS = [
  (_random: Random, length: number): Uint8Array => new Uint8Array(length),
  (_random: Random, length: number): Uint8Array => new Uint8Array(length).fill(0xff),
  randomBytes,
];

/** Bytes that no document at hand explains, or none: of every length, all alike or at random. */
export const unknownBytes = (name: string, random: Random, longest: number): Slot => ({
  name,
  ways: [
    NOTHING,
    ...Array.from(
      { length: longest },
      (_, i) => FILLS[Math.floor(random() * FILLS.length)]?.(random, i + 1) ?? NOTHING,
    ),
  ],
});

/** Every beginning of what follows the fix: models leave off from the end. The whole is the maker's. */
export const cutAnywhere = (name: string, whole: Uint8Array): Slot => ({
  name,
  ways: Array.from({ length: whole.length + 1 }, (_, i) => whole.subarray(0, whole.length - i)),
});

const WORDS = ['', '0', '1', '-1', '00000000', 'FFFFFFFF', '12.6', '310', 'A', 'N', 'V', '99999999999', '1.5', 'x=y'];

/** Fields of text that no document at hand explains, or none, each led by the separator. */
export const unknownFields = (name: string, random: Random, most: number, separator = ',', words = WORDS): Slot => {
  const field = (): string => separator + (words[Math.floor(random() * words.length)] ?? '');
  const lists = Array.from({ length: most }, (_, i) => [
    separator.repeat(i + 1),
    Array.from({ length: i + 1 }, field).join(''),
    Array.from({ length: i + 1 }, field).join(''),
  ]);
  return slot(name, '', ...lists.flat());
};

/** The pieces as they stand, without anything around. */
export const together = (parts: readonly Uint8Array[]): Uint8Array => join(parts);

/** Somewhere on Earth, sometime in ten years, in a vehicle. */
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

/** Fields of text: each but the first led by the separator, in all of its ways. */
export const separated = (separator: string, slots: readonly Slot[]): Slot[] =>
  slots.map(({ name, ways }, i) => ({
    name,
    ways: i === 0 ? ways : ways.map(way => join([asciiBytes(separator), way])),
  }));
