import { isDeepStrictEqual } from 'node:util';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DamagedTrack,
  headerOf,
  openTrack,
  type Packing,
  packColumns,
  packTrack,
  type SomeColumns,
  type TrackPosition,
  unpackColumns,
  unpackTrack,
} from './index.ts';

const ZSTD: Packing = {
  number: 1,
  pack: bytes => zstdCompressSync(bytes),
  unpack: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
};

const four = fc.float({ noNaN: true }).map(value => Number(value.toPrecision(7)));
const eight = fc.double();
const decimal = fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map(whole => whole / 1e7);
const ofMinutes = fc.integer({ min: -324_000_000, max: 324_000_000 }).map(whole => whole / 1_800_000);
const kmh = fc.integer({ min: 0, max: 300 }).map(speed => Number(Math.fround(speed / 3.6).toPrecision(8)));
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
/** What PostgreSQL's JSON can hold. */
const value = fc.jsonValue({ maxDepth: 2 }).map(each => JSON.parse(JSON.stringify(each)) as unknown);
const name = fc.oneof(fc.constantFrom('io1', 'adc', '__proto__', 'constructor', '7', ''), text);

const position = (place: fc.Arbitrary<number>, speed: fc.Arbitrary<number>) =>
  fc.record(
    {
      fixAt: fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 }),
      receivedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
      lat: place,
      lon: place,
      speed: maybe(speed),
      course: maybe(four),
      altitude: maybe(four),
      odometer: maybe(eight),
      fuel: maybe(four),
      temperature: maybe(four),
      hdop: maybe(four),
      satellites: maybe(fc.integer({ min: -32_768, max: 32_767 })),
      gsm: maybe(fc.nat(100)),
      valid: fc.boolean(),
      ignition: maybe(fc.boolean()),
      late: fc.boolean(),
      doubts: fc.integer({ min: -32_768, max: 32_767 }),
      protocol: text,
      event: maybe(text),
      rfid: maybe(text),
      attributes: maybe(fc.array(fc.tuple(name, value), { maxLength: 5 }).map(entries => Object.fromEntries(entries))),
    },
    { noNullPrototype: true },
  );

const history = fc
  .oneof(
    ...[eight, decimal, ofMinutes].flatMap(place =>
      [four, kmh].map(speed => fc.array(position(place, speed), { minLength: 1, maxLength: 60 })),
    ),
  )
  .map((positions): TrackPosition[] =>
    [...new Map(positions.map(each => [each.fixAt, each])).values()].toSorted((a, b) => a.fixAt - b.fixAt),
  );

/** A drive as a tracker tells it. */
const drive = (count: number): TrackPosition[] =>
  Array.from({ length: count }, (_, i) => ({
    fixAt: 1_760_000_000_000 + i * 10_000,
    receivedAt: 1_760_000_000_900 + i * 10_000 + (i % 7) * 13,
    lat: (418_781_000 + i * 611 + (i % 5)) / 1e7,
    lon: (-876_298_000 + i * 377 - (i % 3)) / 1e7,
    speed: Number(Math.fround((40 + (i % 9)) / 3.6).toPrecision(8)),
    course: (90 + (i % 11)) % 360,
    altitude: 180 + (i % 4),
    odometer: 120_000_000 + i * 112,
    fuel: 63.5,
    temperature: null,
    hdop: 0.9,
    satellites: 11 + (i % 3),
    gsm: 80,
    valid: true,
    ignition: true,
    late: false,
    doubts: 0,
    protocol: 'teltonika',
    event: null,
    rfid: null,
    attributes: { io24: 40 + (i % 9), battery: 4.1 },
  }));

describe('a packed track', () => {
  it('comes back as it was, to the last bit', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(undefined, ZSTD), (positions, packing) => {
        const packed = packTrack(positions, packing);
        const unpacked = unpackTrack(packed, [ZSTD]);
        expect(isDeepStrictEqual(unpacked, positions)).toBe(true);
        // The order of names counts, too: an export writes them so.
        const attributes = (each: readonly TrackPosition[]) =>
          JSON.stringify(each.map(position => position.attributes));
        expect(attributes(unpacked)).toBe(attributes(positions));
        expect(headerOf(packed)).toMatchObject({
          count: positions.length,
          late: positions.filter(({ late }) => late).length,
          believed: positions.filter(({ valid, doubts }) => valid && doubts === 0).length,
          firstAt: positions[0]?.fixAt,
          lastAt: positions.at(-1)?.fixAt,
        });
      }),
    );
  });

  it('gives single columns as they were', () => {
    const names = Object.keys(drive(1)[0] ?? {}) as (keyof TrackPosition)[];
    fc.assert(
      fc.property(history, fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }), (positions, some) => {
        const columns = unpackColumns(packTrack(positions, ZSTD), some, [ZSTD]);
        for (const name of some) {
          const expected = positions.map(position => position[name]);
          expect(isDeepStrictEqual(columns[name], expected)).toBe(true);
        }
      }),
    );
  });

  it('gives a part of its columns as it was', () => {
    const names = Object.keys(drive(1)[0] ?? {}) as (keyof TrackPosition)[];
    const some = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });
    fc.assert(
      fc.property(history, some, fc.nat(60), fc.nat(60), (positions, wanted, one, other) => {
        const [lo, hi] = [Math.min(one, other), Math.max(one, other)].map(at => Math.min(at, positions.length)) as [
          number,
          number,
        ];
        const columns = openTrack(packTrack(positions, ZSTD), [ZSTD]).columns(wanted, [lo, hi]);
        for (const name of wanted) {
          const expected = positions.slice(lo, hi).map(position => position[name]);
          expect(isDeepStrictEqual(columns[name], expected)).toBe(true);
        }
      }),
    );
  });

  it('copies some of its columns as if only these had been packed', () => {
    const names = Object.keys(drive(1)[0] ?? {}) as (keyof TrackPosition)[];
    const least = ['fixAt', 'lat', 'lon', 'valid', 'doubts'] as const;
    const subset = fc.tuple(fc.subarray(names), fc.subarray(names));
    fc.assert(
      fc.property(history, subset, fc.constantFrom(undefined, ZSTD), (positions, [some, readBefore], packing) => {
        const track = openTrack(packTrack(positions, packing), [ZSTD]);
        // Which columns were found before makes no difference.
        track.columns(readBefore);
        const copied = track.only(some);
        const columns = unpackColumns(packTrack(positions), names);
        const kept = Object.fromEntries([...least, ...some].map(name => [name, columns[name]]));
        expect(isDeepStrictEqual(copied, packColumns(kept as unknown as SomeColumns))).toBe(true);
        const nothing = { late: false, protocol: '' };
        const expected = positions.map(position =>
          Object.fromEntries(
            names.map(name => {
              if ((least as readonly string[]).includes(name) || some.includes(name)) return [name, position[name]];
              if (name === 'receivedAt') return [name, position.fixAt];
              return [name, name in nothing ? nothing[name as keyof typeof nothing] : null];
            }),
          ),
        );
        expect(isDeepStrictEqual(unpackTrack(copied), expected)).toBe(true);
        expect(headerOf(copied)).toEqual({ ...track.header, late: some.includes('late') ? track.header.late : 0 });
      }),
    );
  });

  it('that is damaged or cut anywhere is refused, never read as something else', () => {
    const packed = packTrack(drive(40), ZSTD);
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = packed.slice();
        damaged[at] = (damaged[at] as number) ^ change;
        expect(() => unpackTrack(damaged, [ZSTD])).toThrow(DamagedTrack);
        expect(() => unpackTrack(packed.slice(0, at), [ZSTD])).toThrow(DamagedTrack);
      }),
    );
    expect(() => unpackTrack(new Uint8Array([...packed, 0]), [ZSTD])).toThrow(DamagedTrack);
  });

  it('says which packing it needs', () => {
    expect(() => unpackTrack(packTrack(drive(2), ZSTD))).toThrow(/packed in a way that is unknown here: 1/);
  });

  it('takes only moments in their order, each once, in whole milliseconds', () => {
    const [first, second] = drive(2) as [TrackPosition, TrackPosition];
    expect(() => packTrack([])).toThrow(RangeError);
    expect(() => packTrack([second, first])).toThrow(RangeError);
    expect(() => packTrack([first, first])).toThrow(RangeError);
    expect(() => packTrack([{ ...first, fixAt: first.fixAt + 0.5 }])).toThrow(RangeError);
  });

  it('takes few bytes for a drive', () => {
    const positions = drive(2000);
    expect(packTrack(positions, ZSTD).length / positions.length).toBeLessThan(12);
  });
});
