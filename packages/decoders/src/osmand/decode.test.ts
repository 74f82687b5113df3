import { epochMs, fromKnots } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import type { DecodedMessage } from '../protocol.ts';
import { osmand } from './decode.ts';
import { readTimestamp } from './time.ts';

const NOW = epochMs(Date.UTC(2026, 2, 4, 5, 6, 7));

const get = (query: string): readonly DecodedMessage[] =>
  osmand.decodeRequest({ method: 'GET', query, contentType: null, body: '' }, NOW);
const post = (body: string, contentType: string | null = null, query = ''): readonly DecodedMessage[] =>
  osmand.decodeRequest({ method: 'POST', query, contentType, body }, NOW);

describe('OsmAnd queries', () => {
  it.each(['', 'null', 'NaN', 'undefined'])('[R4.03] with “%s” for a place are a status with its reason', blank => {
    const [who, message] = get(`id=1&lat=${blank}&lon=${blank}&batt=50&timestamp=1772600767`);
    expect(who).toEqual({ kind: 'login', imei: '1' });
    expect(message).toMatchObject({
      kind: 'status',
      time: 1_772_600_767_000,
      attributes: { noFix: 'fix', batteryLevel: 50 },
    });
  });

  it.each([
    ['names in other letters', 'deviceId=1&LAT=41.5&Lon=-87.5&Timestamp=1772600767&DRIVERUNIQUEID=A1'],
    ['hemispheres behind', 'id=1&lat=41.5N&lon=87.5W&timestamp=1772600767&driverUniqueId=A1'],
    ['hemispheres in front', 'id=1&lat=n41.5&lon=W 87.5&timestamp=1772600767&driverUniqueId=A1'],
    ['the time as `time`', 'id=1&lat=41.5&lon=-87.5&time=2026-03-04T05:06:07Z&driverUniqueId=A1'],
  ])('are read with %s', (_, query) => {
    const read = { kind: 'position', lat: 41.5, lon: -87.5, time: 1_772_600_767_000, rfid: 'A1', attributes: {} };
    expect(get(query)).toMatchObject([{ kind: 'login', imei: '1' }, read]);
    expect(get(query)[1]).toHaveProperty('attributes', {});
  });

  it('without a place keep what has a column otherwise', () => {
    const query = 'id=1&timestamp=1772600767&ignition=true&odometer=1200&fuel=45.5&sat=3&driverUniqueId=A1';
    const attributes = { ignition: true, odometer: 1200, fuel: 45.5, satellites: 3, rfid: 'A1' };
    expect(get(query)[1]).toEqual({ kind: 'status', time: 1_772_600_767_000, event: null, attributes });
    const [, message] = post('{"device_id":"1","location":{"odometer":1200}}', 'application/json');
    expect(message).toMatchObject({ kind: 'status', attributes: { odometer: 1200 } });
  });

  it('leave out what phones write for unknown, and levels that are no percentage', () => {
    expect(get('id=1&lat=1&lon=2&batt=-100&accuracy=-1')[1]).toHaveProperty('attributes', {});
    expect(get('id=1&batt=101&fuel=300&odometer=-1&sat=-1')[1]).toEqual({ kind: 'heartbeat', attributes: {} });
    const body =
      '{"device_id":"1","location":{"coords":{"latitude":1,"longitude":2},"battery":{"level":55},"batt":101}}';
    expect(post(body, 'application/json')[1]).toHaveProperty('attributes', {});
  });

  it('keep a `time` that is no moment as it was sent', () => {
    expect(get('id=1&lat=1&lon=2&time=51416')[1]).toMatchObject({ time: NOW, attributes: { time: 51_416 } });
    expect(get('id=1&lat=1&lon=2&timestamp=1772600767&time=noon')[1]).toMatchObject({ attributes: { time: 'noon' } });
  });

  it('contain a report: speed in knots, all documented parameters', () => {
    expect(
      get(
        'id=357000000000003&timestamp=1772600767&lat=41.8781&lon=-87.6298&speed=20&bearing=90.5&altitude=181' +
          '&accuracy=4.5&hdop=0.8&batt=87&charge=true&valid=true&driverUniqueId=A1B2',
      ),
    ).toEqual([
      { kind: 'login', imei: '357000000000003' },
      {
        kind: 'position',
        time: 1_772_600_767_000,
        valid: true,
        lat: 41.8781,
        lon: -87.6298,
        speed: fromKnots(20),
        course: 90.5,
        altitude: 181,
        satellites: null,
        hdop: 0.8,
        ignition: null,
        odometer: null,
        fuel: null,
        temperature: null,
        gsm: null,
        event: null,
        rfid: 'A1B2',
        attributes: { accuracy: 4.5, batteryLevel: 87, charging: true },
      },
    ]);
  });

  it('may call the device `deviceid`, the position `location` and the course `heading`', () => {
    expect(get('deviceid=phone-7&location=41.5,-87.25&heading=10')).toMatchObject([
      { kind: 'login', imei: 'phone-7' },
      { kind: 'position', time: NOW, lat: 41.5, lon: -87.25, course: 10 },
    ]);
  });

  it('use the time of arrival if there is no timestamp, but not without a position', () => {
    expect(get('id=1&lat=1&lon=2')[1]).toMatchObject({ time: NOW });
    expect(
      get('id=1&timestamp=1772600767&cell=310,4,33278,421275,-70&cell=310,4,33278,421276&wifi=80-89-17-44-98-b4,-60'),
    ).toEqual([
      { kind: 'login', imei: '1' },
      {
        kind: 'status',
        time: 1_772_600_767_000,
        event: null,
        attributes: { cells: '310-4-33278-421275:-70 310-4-33278-421276', wifi: '80:89:17:44:98:B4:-60' },
      },
    ]);
    expect(get('id=1')).toEqual([
      { kind: 'login', imei: '1' },
      { kind: 'heartbeat', attributes: {} },
    ]);
  });

  it('keep the sender’s own parameters with their types', () => {
    const [, message] = get('id=1&lat=1&lon=2&rpm=933&door=true&note=a%20b&big=123456789012345678901&ignition=1');
    expect(message).toMatchObject({
      ignition: true,
      attributes: { rpm: 933, door: true, note: 'a b', big: '123456789012345678901' },
    });
  });

  it('accept our event names and keep others', () => {
    expect(get('id=1&lat=1&lon=2&alarm=sos')[1]).toMatchObject({ event: 'sos', attributes: {} });
    expect(get('id=1&lat=1&lon=2&event=lunch')[1]).toMatchObject({ event: null, attributes: { event: 'lunch' } });
  });

  it('treat a speed and course of -1 as unknown', () => {
    expect(get('id=1&lat=1&lon=2&speed=-1&bearing=-1')[1]).toMatchObject({ speed: null, course: null });
  });

  it('may write decimals with a comma', () => {
    expect(get('id=1&lat=41,8781&lon=-87,6298&timestamp=1772600767')[1]).toMatchObject({ lat: 41.8781, lon: -87.6298 });
  });

  it('[R4.03] have flags in the words that programs use; another word is none', () => {
    const ignition = (word: string) => get(`id=1&lat=1&lon=2&ignition=${word}`)[1];
    for (const word of ['on', 'true', '1', 'ON']) expect(ignition(word)).toMatchObject({ ignition: true });
    for (const word of ['off', 'false', '0']) expect(ignition(word)).toMatchObject({ ignition: false });
    for (const word of ['', 'unknown']) expect(ignition(word)).toMatchObject({ ignition: null });
    expect(get('id=1&lat=1&lon=2&valid=A')[1]).toMatchObject({ valid: true });
    expect(get('id=1&lat=1&lon=2&valid=V')[1]).toMatchObject({ valid: false });
    expect(get('imei=1&lat=1&long=2&alt=181&sats=7')[1]).toMatchObject({ lon: 2, altitude: 181, satellites: 7 });
  });

  it('mark an invalid fix', () => {
    expect(get('id=1&lat=1&lon=2&valid=false')[1]).toMatchObject({ valid: false });
    expect(get('id=1&lat=1&lon=2&valid=0')[1]).toMatchObject({ valid: false });
  });

  it.each([
    ['lat=1&lon=2', 'bad-field', 0],
    ['id=&lat=1&lon=2', 'bad-field', 0],
    ['id=a%00b&lat=1&lon=2', 'bad-field', 0],
    ['id=1&lat=north&lon=2', 'bad-field', 5],
    ['id=1&lat=2W&lon=1N', 'bad-field', 5],
    ['id=1&lat=1&lon=', 'bad-field', 11],
    ['id=1&lat=1&lon=2&timestamp=yesterday', 'bad-field', 17],
    [`id=1&x=${'y'.repeat(20_000)}`, 'too-long', 16_384],
  ])('%s is %s at %i', (query, code, at) => expect(get(query)).toEqual([{ kind: 'error', code, at }]));

  it('give bounded results however much is sent', () => {
    const [, message] = get(`id=1&lat=1&lon=2&${Array.from({ length: 900 }, (_, i) => `p${i}=${i}`).join('&')}`);
    expect(message?.kind === 'position' ? Object.keys(message.attributes).length : 0).toBe(64);
  });

  it('cannot reach the prototype of an object', () => {
    const [, message] = get('id=1&lat=1&lon=2&__proto__=x&constructor=y');
    expect(message).toMatchObject({ attributes: { constructor: 'y' } });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('OsmAnd forms', () => {
  it('are read like queries', () => {
    const form = 'application/x-www-form-urlencoded';
    expect(post('id=1&lat=1&lon=2&speed=10', form)[1]).toMatchObject({ lat: 1, lon: 2, speed: fromKnots(10) });
    expect(post('lat=1&lon=2', form, 'id=1')[0]).toEqual({ kind: 'login', imei: '1' });
    expect(post('id=1&lat=1&lon=2', 'application/json')[1]).toMatchObject({ lat: 1, lon: 2 });
  });
});

describe('a query with a document that is no report', () => {
  it('gives its own position', () => {
    for (const body of ['{}', '[]', 'null', '{', 'OK']) {
      expect(post(body, 'application/json', 'id=1&lat=41.8781&lon=-87.6298')).toMatchObject([
        { kind: 'login', imei: '1' },
        { kind: 'position', lat: 41.8781, lon: -87.6298 },
      ]);
      expect(post(body, 'application/json', 'id=1')).toMatchObject([{ kind: 'error' }]);
    }
  });
});

describe('documents of Traccar Client', () => {
  const LOCATION = {
    timestamp: '2026-03-04T05:06:07.000Z',
    coords: { latitude: 41.8781, longitude: -87.6298, accuracy: 12, speed: 13.5, heading: 90, altitude: 181 },
    is_moving: true,
    odometer: 1234.5,
    event: 'motionchange',
    battery: { level: 0.87, is_charging: false },
    activity: { type: 'in_vehicle', confidence: 90 },
    extras: { shift: 'late' },
  };
  const json = (document: unknown): readonly DecodedMessage[] => post(JSON.stringify(document), 'application/json');

  it('contain a report: speed in metres per second', () => {
    expect(json({ location: LOCATION, device_id: '357000000000003' })).toEqual([
      { kind: 'login', imei: '357000000000003' },
      {
        kind: 'position',
        time: NOW,
        valid: true,
        lat: 41.8781,
        lon: -87.6298,
        speed: 13.5,
        course: 90,
        altitude: 181,
        satellites: null,
        hdop: null,
        ignition: null,
        odometer: 1234.5,
        fuel: null,
        temperature: null,
        gsm: null,
        event: 'movementStart',
        rfid: null,
        attributes: {
          accuracy: 12,
          moving: true,
          batteryLevel: 87,
          charging: false,
          activity: 'in_vehicle',
          shift: 'late',
        },
      },
    ]);
  });

  it('may contain many locations, and -1 for unknown values', () => {
    const unknown = { ...LOCATION, coords: { ...LOCATION.coords, speed: -1, heading: -1 }, event: 'heartbeat' };
    const messages = json({ location: [LOCATION, unknown], device_id: 7 });
    expect(messages).toHaveLength(3);
    expect(messages[0]).toEqual({ kind: 'login', imei: '7' });
    expect(messages[2]).toMatchObject({ speed: null, course: null, event: null });
  });

  it('give the event by `is_moving` and `geofence`', () => {
    const eventOf = (more: object) => json({ device_id: '1', location: { ...LOCATION, ...more } })[1];
    expect(eventOf({ is_moving: false })).toMatchObject({ event: 'movementStop' });
    expect(eventOf({ event: 'geofence', geofence: { action: 'EXIT' } })).toMatchObject({ event: 'geofenceExit' });
  });

  it('[R4.03] may hold the location itself, without its inner objects, or be a bare list', () => {
    const place = { timestamp: '2026-03-04T05:06:07.000Z', lat: 41.8781, lng: '-87.6298', speed: 13.5, bearing: 90 };
    const read = { kind: 'position', time: NOW, lat: 41.8781, lon: -87.6298, speed: 13.5, course: 90 };
    expect(json({ device_id: '1', ...place })).toMatchObject([{ kind: 'login', imei: '1' }, read]);
    expect(json({ device_id: '1', location: place })[1]).toMatchObject(read);
    expect(post(JSON.stringify([LOCATION, place]), null, 'device_id=1')).toMatchObject([
      { kind: 'login', imei: '1' },
      { kind: 'position', lat: 41.8781 },
      read,
    ]);
    expect(json([{ device_id: '1', location: LOCATION }, { location: [place] }])).toHaveLength(3);
  });

  it('[R4.03] bring the alarm that the app adds', () => {
    const [, message] = json({ device_id: '1', location: { ...LOCATION, extras: { alarm: 'sos', shift: 'late' } } });
    expect(message).toMatchObject({ event: 'sos', attributes: { shift: 'late' } });
    expect(message).not.toMatchObject({ attributes: { alarm: 'sos' } });
  });

  it('are recognized by their first character if no type is given', () => {
    expect(post(JSON.stringify({ location: LOCATION, device_id: '1' }))[1]).toMatchObject({ kind: 'position' });
  });

  it('are a status without a position', () => {
    expect(json({ device_id: '1', location: { battery: { level: 1 } } })[1]).toEqual({
      kind: 'status',
      time: NOW,
      event: null,
      attributes: { batteryLevel: 100 },
    });
  });

  it('skip a location with an invalid time among many', () => {
    const messages = json({ device_id: '7', location: [{ ...LOCATION, timestamp: 'x' }, LOCATION, 5] });
    expect(messages).toMatchObject([{ kind: 'login' }, { kind: 'position' }]);
  });

  it.each([
    ['{"location"', 0],
    ['[]', 0],
    ['{"location":{}}', 0],
    ['{"device_id":"1","location":5}', 18],
    ['{"device_id":"1","location":{"timestamp":"x"}}', 30],
  ])('%s is a bad field at %i', (body, at) => {
    expect(post(body, 'application/json')).toEqual([{ kind: 'error', code: 'bad-field', at }]);
  });
});

describe('timestamps', () => {
  it.each([
    ['1772600767', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T05:06', '2026-03-04T05:06:00.000Z'],
    ['2026-03-04 05:06:07 UTC', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T06:06:07+01', '2026-03-04T05:06:07.000Z'],
    ['1772600767123', '2026-03-04T05:06:07.123Z'],
    ['1772600767.5', '2026-03-04T05:06:07.500Z'],
    ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T05:06:07.250Z', '2026-03-04T05:06:07.250Z'],
    ['2026-03-04T07:06:07+02:00', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T07:06:07 02:00', '2026-03-04T05:06:07.000Z'],
    ['2026-03-03T23:06:07-0600', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04 05:06:07', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T05:06:07', '2026-03-04T05:06:07.000Z'],
  ])('%s is %s', (text, iso) => expect(new Date(readTimestamp(text)!).toISOString()).toBe(iso));

  it.each([
    ['1.772600767E9', Date.UTC(2026, 2, 4, 5, 6, 7)],
    ['1.772600767E12', Date.UTC(2026, 2, 4, 5, 6, 7)],
    ['2026-03-04t05:06:07,5z', Date.UTC(2026, 2, 4, 5, 6, 7, 500)],
    ['2026-03-04 05:06:07 GMT', Date.UTC(2026, 2, 4, 5, 6, 7)],
  ])('%s is one, as some languages write it', (text, time) => expect(readTimestamp(text)).toBe(time));

  it.each(['', 'now', '-5', '2026-13-04T05:06:07Z', '2026-03-04', '1e9', '12345678901234567'])('%s is none', text =>
    expect(readTimestamp(text)).toBeNull(),
  );
});
