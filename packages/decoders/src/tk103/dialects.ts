import { toKilometresPerHour } from '@milepost/units';
import {
  cutAnywhere,
  type Dialect,
  type Dialects,
  separated,
  slot,
  together,
  unknownFields,
} from '../dialects/dialect.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeReport } from './encode.ts';

/** What varies between makers and models, see `dialects/dialect.ts`. */

const IDENTITY = '013912345678';
const IMEI = '352093081452251';

const sealed = (parts: readonly Uint8Array[]): Uint8Array =>
  together([Uint8Array.of(0x28), ...parts, Uint8Array.of(0x29)]);

/**
 * After identity, word and date: validity 1, latitude 10, longitude 11, speed 5, time 6, course 6, inputs and outputs
 * 8, mileage 9.
 */
const pieces = (position: PositionMessage) => {
  const text = String.fromCharCode(...encodeReport(IDENTITY, position)).slice(1 + IDENTITY.length + 4, -1);
  const widths = [6, 1, 9, 1, 10, 1, 5, 6, 6, 8, 9];
  const starts = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width, 0));
  return widths.map((width, i) => text.slice(starts[i], (starts[i] ?? 0) + width));
};
const short = (text: string): string => text.replace(/^0+(?=\d)/, '');
const blank = (text: string): string => short(text).padStart(text.length);

const text: Dialect = {
  name: 'text',
  brings: 'fix',
  slots: (position, random) => {
    const [
      date = '',
      flag = '',
      lat = '',
      north = '',
      lon = '',
      east = '',
      speed = '',
      clock = '',
      course = '',
      io = '',
      mileage = '',
    ] = pieces(position);
    const words = [
      'BR00',
      'BR01',
      'BR02',
      `BP05${IMEI}`,
      'BP04',
      'BP02,G,2,',
      'BO012',
      'BO019',
      'BQ81,1,',
      'BR03',
      'BZ01',
      'CC07',
      'BS08',
      'BU00',
      'br00',
    ];
    return [
      slot('identity', IDENTITY, IMEI, `00${IDENTITY}`, '0135904567', ` ${IDENTITY}`, `0${IMEI}`, '141046'),
      slot('word', ...words),
      slot('date', date, ` ${date}`, `,${date}`, `20${date}`),
      slot('validity', flag, 'V', 'a'),
      slot(
        'place',
        `${lat}${north}${lon}${east}`,
        `${lat}0${north}${lon}${east}`,
        `${lat}00000${north}${lon}00000${east}`,
        `${blank(lat)}${north}${lon}${east}`,
        `${lat}${north}${lon.slice(0, -1)}0${east}`,
        `${lat}${north}${blank(lon)}${east}`,
        `${lat}${north}${lon}${east}`.toLowerCase(),
        `-${lat}${north}-${lon}${east}`,
        ` ${lat}${north} ${lon}${east} `,
        `,${lat},${north},${lon},${east},`,
        ...[4, 6, 10].map(
          places => `${Math.abs(position.lat).toFixed(places)}${north}${Math.abs(position.lon).toFixed(places)}${east}`,
        ),
      ),
      slot('speed', speed, short(speed), blank(speed), `0${speed}`, `${speed} `, `${speed},`),
      slot('clock', clock, `${clock} `, `${clock},`),
      cutAnywhere(
        'course and inputs',
        Uint8Array.from(`${course}${io}${mileage}`, sign => sign.charCodeAt(0)),
      ),
      unknownFields('tail', random, 4),
    ];
  },
  seal: sealed,
};

const fields: Dialect = {
  name: 'fields',
  brings: 'fix',
  slots: (position, random) => {
    const { time, lat, lon, speed } = position;
    return [
      slot('identity', IMEI, IDENTITY),
      slot('word', ',ZC07,', ',zc07,', ',DW3B,', ',BR00,', ',ZC11,', ',ZC17,', ',DW31,', ',ZC99,', 'BR00,', 'BP02,'),
      ...separated(',', [
        slot('date', dateText(time, 'dmy'), dateText(time, 'ymd')),
        slot('validity', 'A', 'V'),
        slot(
          'latitude',
          `${angleText(lat, 2, 4)}${latitudeSign(lat)}`,
          `${angleText(lat, 2, 5)}${latitudeSign(lat)}`,
          `${angleText(lat, 2, 4)},${latitudeSign(lat)}`,
        ),
        slot(
          'longitude',
          `${angleText(lon, 3, 4)}${longitudeSign(lon)}`,
          `${longitudeSign(lon)}${angleText(lon, 3, 4)}`,
        ),
        slot('speed', (speed === null ? 0 : toKilometresPerHour(speed)).toFixed(1), '', '0.089'),
        slot('clock', clockText(time)),
        slot('course', '178.48', '', '0', '17848', '-1'),
      ]),
      unknownFields('tail', random, 4),
    ];
  },
  seal: sealed,
};

const noFix: Dialect = {
  name: 'without a fix',
  brings: 'no fix',
  slots: (_position, random) => [
    slot('identity', IDENTITY),
    slot('word', 'BR00', `BP05${IMEI}`, 'BO012', 'BQ81', 'BZ00', ',ZC20,', ',DW51,', 'BP00', 'XX99'),
    slot(
      'towers',
      '',
      ',310,260,7f01,1a2b,7f01,1a2c,01000000',
      '260304V    .    N     .    E000.0',
      '000007V0000.0000N00000.0000E000.0001403',
    ),
    unknownFields('tail', random, 4),
  ],
  seal: sealed,
};

export const dialects: Dialects = { over: 'stream', dialects: [text, fields, noFix] };
