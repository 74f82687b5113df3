import { END_OF_TRACKS, inTrackFile, packTrack, type TrackPosition } from '@milepost/track';
import { expect, it } from 'vitest';
import { unpackMeasures } from './measures.ts';

const position = (fixAt: number, fields: Partial<TrackPosition>): TrackPosition => ({
  fixAt,
  receivedAt: fixAt,
  lat: 1,
  lon: 1,
  speed: null,
  course: null,
  altitude: null,
  odometer: null,
  fuel: null,
  temperature: null,
  hdop: null,
  satellites: null,
  gsm: null,
  valid: true,
  ignition: null,
  late: false,
  doubts: 0,
  protocol: '',
  event: null,
  rfid: null,
  attributes: null,
  ...fields,
});

it('[R2.06] every field that a vehicle measured comes by name, also without GPS, and what it never said is missing', () => {
  const days = [
    [
      position(1, { temperature: -18.5, rfid: 'A' }),
      position(2, { valid: false, attributes: { rpm: 900, door: true, note: 'x' } }),
    ],
    [position(3, { temperature: 4, rfid: 'B' }), position(4, { rfid: 'A' })],
  ];
  const file = Buffer.concat([...days.map(day => inTrackFile(packTrack(day))), END_OF_TRACKS]);
  const { timeMs, fields, card, cards } = unpackMeasures(file);
  expect([...timeMs]).toEqual([1, 2, 3, 4]);
  expect([...fields.keys()].sort()).toEqual(['door', 'rpm', 'temperature']);
  const none = Number.NaN;
  expect([...(fields.get('temperature') ?? [])]).toEqual([-18.5, none, 4, none]);
  expect([...(fields.get('rpm') ?? [])]).toEqual([none, 900, none, none]);
  expect([...(fields.get('door') ?? [])]).toEqual([none, 1, none, none]);
  expect([...card].map(at => cards[at] ?? null)).toEqual(['A', null, 'B', 'A']);
});
