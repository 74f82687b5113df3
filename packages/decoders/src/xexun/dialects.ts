import { toKnots } from '@milepost/units';
import {
  asciiBytes,
  type Dialect,
  type Dialects,
  type Slot,
  separated,
  slot,
  together,
  unknownFields,
} from '../dialects/dialect.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { sealed } from './encode.ts';

/** What varies between models, see `dialects/dialect.ts`. */

const textIn = (parts: readonly Uint8Array[]): string => String.fromCharCode(...together(parts));

const head: readonly Slot[] = [
  slot('serial number', '260304050607,', '0711011831,', '', 'x,', '1203292316,'),
  slot('authorized number', '13145826175,', '+8613145826126,', ',', 'TESCO_INFO,', ''),
];

const short = (text: string): string => text.replace(/^0+(?=\d{3})/, '');

function sentence({ time, lat, lon, speed }: PositionMessage): Slot[] {
  const [north, east] = [angleText(lat, 2, 4), angleText(lon, 3, 4)];
  const [latSide, lonSide] = [latitudeSign(lat), longitudeSign(lon)];
  return separated(',', [
    slot('sentence', 'GPRMC', 'GNRMC', 'GLRMC', 'gprmc'),
    slot(
      'time',
      `${clockText(time)}.000`,
      clockText(time),
      `${Number(clockText(time))}.000`,
      `${clockText(time)}.4`,
      ` ${clockText(time)}.00`,
    ),
    slot('validity', 'A', 'V', '', 'a'),
    slot(
      'place',
      `${north},${latSide},${east},${lonSide}`,
      `${north}00,${latSide},${east}00,${lonSide}`,
      `${north}0000000,${latSide},${east}0000000,${lonSide}`,
      `${short(north)},${latSide.toLowerCase()},${east},${lonSide}`,
      `${north},${latSide},${short(east)},${lonSide}`,
      `${latSide},${north},${lonSide},${east}`,
      `${north}${latSide},${east}${lonSide}`,
      `${Math.abs(lat).toFixed(5)},${latSide},${Math.abs(lon).toFixed(5)},${lonSide}`,
    ),
    slot('speed', toKnots(speed ?? (0 as never)).toFixed(2), '', '0.0', 'x', '9999999'),
    slot('course', '117.4', '', '400', '-1'),
    slot(
      'date',
      dateText(time, 'dmy'),
      `${Number(dateText(time, 'dmy'))}`,
      dateText(time, 'dmy').replace(/..$/, '20$&'),
    ),
    slot('variation', ',', '00,0000.0', '0.0,E'),
    slot('mode', 'A*47', 'A*7A', 'N*00', '*6a', 'A*'),
  ]);
}

const states: readonly Slot[] = [
  slot('signal', ',F', ',L', ','),
  slot('event', ',', ',help me', ',helpme', ',low battery!', ',Stockade', ',speed 080', ',nonsense', ''),
  slot('IMEI', ', imei:', ',imei:', ',imei: ', ',IMEI:'),
  slot('number', '352093081452251', '10000000000000', '3520930814522510'),
];

/** With length and checksum, and what may be behind them. */
const full: Dialect = {
  name: 'with a checksum',
  brings: 'fix',
  slots: (position, random) => [
    ...head,
    ...sentence(position),
    ...states,
    slot('satellites', ',05', ',00', ','),
    slot('altitude', ',50.1', ',', ',-4'),
    slot('battery', ',F:4.11V', ',L:3.65V', ',F:4.01V/ADC1=0.20V/ADC2=0.00V', ','),
    slot('charging', ',0,', ',1,', ',,'),
    slot('tower', ',460,01,2533,720B', '', ',262,01,224CE1,379B', ',460,01', ',FFF,FF,FFFF,FFFF'),
    unknownFields('tail', random, 3),
  ],
  seal: parts => sealed(textIn(parts.slice(0, -2)), textIn(parts.slice(-2))),
};

/** Older ones, and others that leave the end out. */
const older: Dialect = {
  name: 'without a checksum',
  brings: 'fix',
  slots: position => [
    ...head,
    ...sentence(position),
    ...states,
    slot(
      'end',
      Uint8Array.of(...asciiBytes(',101'), 0x8d),
      ',101j',
      ',99]',
      ',\n',
      '\r\n',
      ',05\r\n',
      ',132,40512\r\n',
      ',05,50.1\n',
      ',05,50.1,F:4.11V,0\r\n',
      ',00,,F:3.88V,0,125,,262,01,224CE1,379B\r\n',
      ',05,106.4,F:4.01V,0,999,955,520,01,5DE8,0399,6.21km\r\n',
    ),
  ],
  seal: together,
};

const noFix: Dialect = {
  name: 'without a fix',
  brings: 'no fix',
  slots: (position, random) => [
    ...head,
    slot(
      'sentence',
      'GPRMC,,V,,,,,,,,,,N*53',
      '',
      `GPRMC,${clockText(position.time)},V,,,,,,,${dateText(position.time, 'dmy')},,,N*53`,
      `GPRMC,${clockText(position.time)},A,0000.0000,N,00000.0000,E,0,0,${dateText(position.time, 'dmy')},,,A*53`,
      `GPRMC,${clockText(position.time)},A,4160.0000,N,08737.0000,W,0,0,${dateText(position.time, 'dmy')},,,A*53`,
      `GPRMC,000000,A,4152.0000,N,08737.0000,W,0,0,000000,,,A*53`,
    ),
    ...states,
    slot('tail', ',05,50.1,F:4.11V,0,', ',,,F:4.28V,1,'),
    unknownFields('more', random, 3),
  ],
  seal: parts => sealed(textIn(parts.slice(0, -1)), textIn(parts.slice(-1))),
};

export const dialects: Dialects = { over: 'stream', dialects: [full, older, noFix] };
