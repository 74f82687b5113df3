import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { faultsOf, type Shape } from '../../../../testing/xml-shape.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { gpxOf } from './gpx.ts';
import { kmlOf } from './kml.ts';
import { linesOf, type TrackPoint, type VehicleTrack } from './points.ts';

const MANY = Number.POSITIVE_INFINITY;
/** XML Schema part 2, 3.2.3: no exponent, no infinity. */
const decimal =
  (least: number, below: number) =>
  (value: string): boolean =>
    /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value) && Number(value) >= least && Number(value) < below;
const anyText = (): boolean => true;
const moment = (value: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

/** Written from GPX 1.1 (topografix.com/GPX/1/1) and TrackPointExtension 2, of what we write, in the schema's order. */
const GPX: Readonly<Record<string, Shape>> = {
  gpx: {
    attributes: { version: value => value === '1.1', creator: value => value !== '' },
    children: [['trk', 0, MANY]],
  },
  trk: {
    children: [
      ['name', 0, 1],
      ['trkseg', 0, MANY],
    ],
  },
  name: { text: anyText },
  trkseg: { children: [['trkpt', 0, MANY]] },
  trkpt: {
    // A latitude may be the pole; a longitude is below 180.
    attributes: { lat: decimal(-90, 90 + Number.EPSILON * 64), lon: decimal(-180, 180) },
    children: [
      ['ele', 0, 1],
      ['time', 0, 1],
      ['sat', 0, 1],
      ['hdop', 0, 1],
      ['extensions', 0, 1],
    ],
  },
  ele: { text: decimal(-1e9, 1e9) },
  time: { text: moment },
  sat: { text: value => /^\d+$/.test(value) },
  hdop: { text: decimal(-1e9, 1e9) },
  extensions: { children: [['gpxtpx:TrackPointExtension', 0, 1]] },
  'gpxtpx:TrackPointExtension': {
    children: [
      ['gpxtpx:speed', 0, 1],
      ['gpxtpx:course', 0, 1],
    ],
  },
  'gpxtpx:speed': { text: decimal(0, 1e9) },
  'gpxtpx:course': { text: decimal(0, 360) },
};

const coordinates = (value: string): boolean => {
  const parts = value.split(' ');
  const [lon = '', lat = '', altitude = ''] = parts;
  return parts.length === 3 && decimal(-180, 180.1)(lon) && decimal(-90, 90.1)(lat) && decimal(-1e9, 1e9)(altitude);
};
/** Written from KML 2.2 (OGC 07-147r2) and Google's extension 2.2, of what we write, in the order of their schemas. */
const KML: Readonly<Record<string, Shape>> = {
  kml: { children: [['Document', 1, 1]] },
  Document: {
    children: [
      ['name', 0, 1],
      ['Style', 0, MANY],
      ['Schema', 0, MANY],
      ['Placemark', 0, MANY],
    ],
  },
  name: { text: anyText },
  Style: { attributes: { id: value => /^[A-Za-z_][\w.-]*$/.test(value) }, children: [['LineStyle', 0, 1]] },
  LineStyle: {
    children: [
      ['color', 0, 1],
      ['width', 0, 1],
    ],
  },
  color: { text: value => /^[\da-f]{8}$/.test(value) },
  width: { text: decimal(0, 100) },
  Schema: { attributes: { id: anyText }, children: [['gx:SimpleArrayField', 0, MANY]] },
  'gx:SimpleArrayField': {
    attributes: { name: anyText, type: value => value === 'float' },
    children: [['displayName', 0, 1]],
  },
  displayName: { text: anyText },
  Placemark: {
    children: [
      ['name', 0, 1],
      ['styleUrl', 0, 1],
      ['gx:MultiTrack', 0, 1],
    ],
  },
  styleUrl: { text: value => /^#s\d$/.test(value) },
  'gx:MultiTrack': {
    children: [
      ['gx:interpolate', 0, 1],
      ['gx:Track', 0, MANY],
    ],
  },
  'gx:interpolate': { text: value => value === '0' || value === '1' },
  'gx:Track': {
    children: [
      ['altitudeMode', 0, 1],
      ['when', 0, MANY],
      ['gx:coord', 0, MANY],
      ['ExtendedData', 0, 1],
    ],
  },
  altitudeMode: { text: value => value === 'clampToGround' },
  when: { text: moment },
  'gx:coord': { text: coordinates },
  ExtendedData: { children: [['SchemaData', 0, MANY]] },
  SchemaData: { attributes: { schemaUrl: value => value === '#report' }, children: [['gx:SimpleArrayData', 0, MANY]] },
  'gx:SimpleArrayData': { attributes: { name: value => value === 'speed' }, children: [['gx:value', 0, MANY]] },
  'gx:value': { text: value => value === '' || decimal(0, 1e9)(value) },
};

const maybe = (min: number, max: number) => fc.option(fc.double({ min, max, noNaN: true }));
const angle = (most: number) =>
  fc.oneof(
    fc.double({ min: -most, max: most, noNaN: true }),
    fc.constantFrom(0, -0, most, -most, 1e-7, -5e-7, most - 1e-9),
  );
const point = fc.record({
  lat: angle(90),
  lon: angle(180),
  speed: maybe(0, 9999),
  course: fc.oneof(maybe(0, 360), fc.constantFrom(359.97, 360, 0)),
  altitude: maybe(-99_999, 99_999),
  hdop: maybe(0, 9999),
  satellites: fc.option(fc.integer({ min: 0, max: 99 })),
  valid: fc.boolean(),
  doubts: fc.constantFrom(0, 0, 0, 1),
  gapS: fc.constantFrom(10, 30, 7200),
});
const fleet = fc.array(fc.record({ name: fc.string({ unit: 'binary' }), points: fc.array(point, { maxLength: 12 }) }), {
  maxLength: 3,
});

it.each([
  ['GPX', 'gpx', gpxOf, GPX],
  ['KML', 'kml', kmlOf, KML],
] as const)(
  '[R2.06] a track as %s is what its schema allows, whatever was reported',
  async (_, root, write, shapes) => {
    await fc.assert(
      fc.asyncProperty(fleet, async vehicles => {
        const tracks = vehicles.map(({ name, points }): VehicleTrack => {
          let timeMs = Date.UTC(2026, 10, 19);
          const all = points.map(({ gapS, ...rest }) => {
            timeMs += gapS * 1000;
            return { ...rest, timeMs } as TrackPoint;
          });
          const pages = async function* () {
            yield all;
          };
          return {
            ...{ vehicle: { name } as DirectoryEntry, pages, driverOf: () => null },
            lines: () => linesOf(pages()),
          };
        });
        const all = async function* () {
          yield* tracks;
        };
        const text = await textOf(write(all()));
        expect(faultsOf(text, root, shapes)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  },
);

it('a file that its schema forbids is found', () => {
  const file = (inside: string): string =>
    `<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${inside}</trkseg></trk></gpx>`;
  const time = '<time>2026-11-19T00:00:00.000Z</time>';
  expect(faultsOf(file(`<trkpt lat="1" lon="2"><ele>3</ele>${time}</trkpt>`), 'gpx', GPX)).toEqual([]);
  for (const wrong of [
    `<trkpt lat="1" lon="2">${time}<ele>3</ele></trkpt>`,
    `<trkpt lat="1e-7" lon="2">${time}</trkpt>`,
    `<trkpt lat="1" lon="180">${time}</trkpt>`,
    `<trkpt lat="1">${time}</trkpt>`,
    '<trkpt lat="1" lon="2"><time>yesterday</time></trkpt>',
    '<wpt lat="1" lon="2"/>',
  ]) {
    expect([wrong, faultsOf(file(wrong), 'gpx', GPX)]).not.toEqual([wrong, []]);
  }
});
