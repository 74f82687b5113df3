import { END_OF_TRACKS, inTrackFile, packTrack, type TrackPosition } from '@milepost/track';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unpackTrackFile } from './unpack.ts';

const NOTHING = {
  altitude: null,
  odometer: null,
  fuel: null,
  temperature: null,
  hdop: null,
  satellites: null,
  gsm: null,
  protocol: '',
  event: null,
  rfid: null,
  attributes: null,
} as const;

const point = fc.record({
  step: fc.integer({ min: 1, max: 100_000 }),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  speed: fc.option(fc.float({ min: 0, max: 60, noNaN: true })),
  course: fc.option(fc.float({ min: 0, max: 360, noNaN: true })),
  ignition: fc.option(fc.boolean()),
  late: fc.boolean(),
  valid: fc.boolean(),
  doubts: fc.constantFrom(0, 0, 0, 1, 4),
});

it('gives every point where the vehicle was for sure, in the order of time, from any number of tracks', () => {
  fc.assert(
    fc.property(fc.array(fc.array(point, { minLength: 1, maxLength: 20 }), { maxLength: 4 }), days => {
      let time = 1_700_000_000_000;
      const tracks = days.map(steps =>
        steps.map(({ step, ...rest }): TrackPosition => {
          time += step;
          return { ...NOTHING, ...rest, fixAt: time, receivedAt: time };
        }),
      );
      const file = Buffer.concat([...tracks.map(track => inTrackFile(packTrack(track))), END_OF_TRACKS]);
      const { timeMs, lat, lon, speed, course, ignition, late } = unpackTrackFile(file);
      const read = [...timeMs].map((at, i) => [at, lat[i], lon[i], speed[i], course[i], ignition[i], late[i]]);
      const unsure = tracks.flat().filter(({ valid, doubts }) => !valid || doubts !== 0);
      const { doubtedMs, doubtedLat, doubtedLon, doubtedGps } = unpackTrackFile(file);
      expect([...doubtedMs].map((at, i) => [at, doubtedLat[i], doubtedLon[i], doubtedGps[i]])).toEqual(
        unsure.map(({ fixAt, lat, lon, valid }) => [fixAt, lat, lon, Number(valid)]),
      );
      const sure = tracks.flat().filter(({ valid, doubts }) => valid && doubts === 0);
      expect(read).toEqual(
        sure.map(({ fixAt, lat, lon, speed, course, ignition, late }) => [
          fixAt,
          lat,
          lon,
          speed ?? Number.NaN,
          course ?? Number.NaN,
          Number(ignition ?? -1),
          Number(late),
        ]),
      );
    }),
  );
});

it('takes no file for whole that was cut off', () => {
  const position = {
    ...NOTHING,
    fixAt: 1,
    receivedAt: 1,
    lat: 1,
    lon: 1,
    speed: 1,
    course: null,
    ignition: null,
    valid: true,
    late: false,
    doubts: 0,
  };
  const file = Buffer.concat([inTrackFile(packTrack([position])), END_OF_TRACKS]);
  expect(unpackTrackFile(file).timeMs).toHaveLength(1);
  for (let length = 0; length < file.length; length++) {
    expect(() => unpackTrackFile(file.subarray(0, length)), `${length} bytes`).toThrow();
  }
});
