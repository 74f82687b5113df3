import { toKilometresPerHour } from '@milepost/units';
import {
  asciiBytes,
  type Dialect,
  type Dialects,
  type Random,
  type Slot,
  slot,
  together,
} from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';

/** What varies between the apps and programs that report in this format. */

const isoOf = (time: number): string => new Date(time).toISOString();
const escaped = encodeURIComponent;

const query: Dialect = {
  name: 'query',
  brings: 'fix',
  slots: ({ time, lat, lon, speed, course }: PositionMessage, random: Random) => {
    const seconds = time / 1000;
    const iso = isoOf(time).slice(0, 19);
    const [north, east] = [lat.toFixed(6), lon.toFixed(6)];
    const knots = (toKilometresPerHour(speed ?? (0 as never)) / 1.852).toFixed(3);
    const own = `x${Math.floor(random() * 1000)}`;
    return [
      slot(
        'id',
        'id=352093081452251',
        'deviceid=352093081452251',
        'id=my-phone_1.2',
        'device_id=352093081452251',
        'imei=352093081452251',
        'deviceId=352093081452251',
        'ID=352093081452251',
      ),
      slot(
        'timestamp',
        ...[`${seconds}`, `${time}`, `${seconds}.0`, `${iso}Z`, iso, iso.replace('T', ' '), `${iso}.000Z`].map(
          text => `&timestamp=${escaped(text)}`,
        ),
        `&timestamp=${seconds / 1e9}E9`,
        `&timestamp=${escaped(`${iso},000z`)}`,
        `&Timestamp=${seconds}`,
        `&time=${escaped(`${iso}Z`)}`,
        `&time=${seconds}`,
        `&timestamp=&datetime=${time}`,
        `&timestamp=null&time=${iso}`,
        `&timestamp=${iso}+00:00`,
        `&timestamp=${iso}-0000`,
        `&timestamp=${iso.replaceAll(/\D/g, '')}`,
      ),
      slot(
        'place',
        `&lat=${north}&lon=${east}`,
        `&location=${north},${east}`,
        `&location=${escaped(`${north},${east}`)}`,
        `&lon=${east}&lat=${north}`,
        `&lat=${escaped(north.replace('.', ','))}&lon=${escaped(east.replace('.', ','))}`,
        `&lat=${lat}&lon=${lon}`,
        `&latitude=${north}&longitude=${east}`,
        `&lat=${north}&lng=${east}`,
        `&LAT=${north}&LON=${east}`,
        `&Latitude=${north}&Longitude=${east}`,
        `&lat=${Math.abs(lat)}${lat < 0 ? 'S' : 'N'}&lon=${Math.abs(lon)}${lon < 0 ? 'W' : 'E'}`,
        `&lat=${lat < 0 ? 's' : 'n'}${Math.abs(lat)}&lon=${lon < 0 ? 'w' : 'e'}+${Math.abs(lon)}`,
        `&location=${escaped(`${Math.abs(lat)} ${lat < 0 ? 'S' : 'N'},${Math.abs(lon)} ${lon < 0 ? 'W' : 'E'}`)}`,
      ),
      slot('speed', `&speed=${knots}`, '', '&speed=', '&speed=-1', '&speed=fast', '&speed=NaN'),
      slot('course', `&bearing=${course}`, '', `&heading=${course}`, '&bearing=-1', '&bearing=null'),
      slot('altitude', '&altitude=181', '', '&altitude=', '&altitude=x'),
      slot('accuracy', '&hdop=0.8', '&accuracy=12', '', '&hacc=0&vacc=0'),
      slot('battery', '&batt=87&charge=true', '', '&batt=', '&batt=full'),
      slot('network', '', '&cell=310,410,33278,421210', '&wifi=00-14-22-01-23-45,-80', '&cell=&wifi='),
      slot('own', '', `&${own}=1`, `&${own}=%E2%9C%93`, '&__proto__=1', '&valid=true', '&event=sos', `&${own}`),
    ];
  },
  seal: together,
};

const json = (name: string, many: boolean): Dialect => ({
  name,
  brings: 'fix',
  slots: ({ time, lat, lon, speed, course }: PositionMessage): Slot[] => [
    slot(
      'head',
      '{"device_id":"352093081452251",',
      '{"id":"352093081452251",',
      '{"deviceId":"352093081452251",',
      '{"device_id":352093081452251,',
    ),
    slot('location', many ? '"location":[{"timestamp":"x"},{' : '"location":{'),
    slot(
      'timestamp',
      `"timestamp":"${isoOf(time)}"`,
      `"timestamp":${time}`,
      `"timestamp":${time / 1000}`,
      `"time":"${isoOf(time)}"`,
    ),
    slot(
      'coords',
      `,"coords":{"latitude":${lat},"longitude":${lon}`,
      `,"coords":{"longitude":${lon},"latitude":${lat}`,
      `,"coords":{"latitude":"${lat}","longitude":"${lon}"`,
      `,"coords":{"lat":${lat},"lng":${lon}`,
    ),
    slot('speed', `,"speed":${speed}`, '', ',"speed":-1', ',"speed":null', ',"speed":"x"'),
    slot('course', `,"heading":${course}`, '', ',"heading":-1', ',"heading":null'),
    slot('end of coords', '}', ',"accuracy":12.5}', ',"ellipsoidal_altitude":1,"more":[1,2]}'),
    slot('battery', '', ',"battery":{"level":0.87,"is_charging":true}', ',"battery":null', ',"battery":{"level":-1}'),
    slot('activity', '', ',"activity":{"type":"still"}', ',"activity":5', ',"is_moving":true,"event":"motionchange"'),
    slot('extras', '', ',"extras":{"a":1,"b":"c"}', ',"extras":[]', ',"odometer":12.5,"uuid":"1"', ',"odometer":"x"'),
    slot('end', many ? '}]}' : '}}'),
  ],
  seal: together,
});

const none: Dialect = {
  name: 'no place',
  brings: 'no fix',
  slots: ({ time }) => [
    slot('id', 'id=352093081452251'),
    slot('timestamp', `&timestamp=${time / 1000}`, ''),
    slot(
      'place',
      '',
      '&lat=41.8',
      '&lon=-87.6',
      '&location=',
      '&lat=&lon=',
      '&lat=NaN&lon=NaN',
      '&lat=null&lon=null',
      '&lat=41.8E&lon=87.6N',
      '&lat=0&lon=0&valid=0',
      '&lat=91&lon=0',
      '&lat=0&lon=200',
    ),
    slot('rest', '', '&batt=87', '&cell=310,410,33278,421210', '&event=sos'),
  ],
  seal: parts => together([...parts, asciiBytes('')]),
};

export const dialects: Dialects = {
  over: 'http',
  dialects: [query, json('document', false), json('documents', true), none],
};
