import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MESSAGING } from './connection.ts';
import { positionReportSchema, trackerPositionReportSchema } from './messaging.ts';
import { deviceTopic, parseTopic, userTopic } from './topics.ts';

it('[R7.33] [R7.34] reads the two topics of a tracker', () => {
  expect(parseTopic(deviceTopic('490154203237518'))).toEqual({ kind: 'device', imei: '490154203237518' });
  expect(parseTopic(userTopic('490154203237518'))).toEqual({ kind: 'user', imei: '490154203237518' });
});

it.each([
  '#',
  '+',
  'device/#',
  'device/+',
  '+/490154203237518',
  'device/490154203237518/#',
  'device/490154203237518/',
  '/device/490154203237518',
  'DEVICE/490154203237518',
  'device/49015420323751',
  'device/490154203237518\n',
  '$SYS/broker/clients',
  '$share/group/device/490154203237518',
  '',
])('does not recognize %j', topic => {
  expect(parseTopic(topic)).toBeNull();
});

it('recognizes only its own topics, and no wildcards, in any text', () => {
  const piece = fc.constantFrom('device', 'user', '/', '#', '+', '$share', '490154203237518', '4', ' ');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map(pieces => pieces.join('')),
      ),
      topic => {
        const parsed = parseTopic(topic);
        if (parsed) expect(`${parsed.kind}/${parsed.imei}`).toBe(topic);
        if (/[#+]/.test(topic)) expect(parsed).toBeNull();
      },
    ),
  );
});

it('[R3.03] has exactly the specified names first, then the additions', () => {
  expect(Object.keys(positionReportSchema.shape)).toEqual([
    ...[
      'address',
      'deviceId',
      'deviceName',
      'eventType',
      'fuelGage',
      'gpsStatus',
      'gsmStatus',
      'ignitionStatus',
      'imei',
    ],
    ...['lat', 'lon', 'mileage', 'reportDate', 'reportTime', 'rfid', 'speed', 'temp'],
    ...['course', 'altitude', 'hdop', 'satellites', 'receivedAt', 'near', 'speedKnown', 'late', 'driver'],
  ]);
});

it('accepts a position and a time from a tracker, but none of the server’s own fields', () => {
  const least = { action: 'positionReport', lat: 41.9, lon: -87.68, reportDate: '2026-11-19', reportTime: '14:00:00' };
  expect(trackerPositionReportSchema.parse({ ...least, imei: 'someone else', deviceId: '1', late: true })).toEqual(
    least,
  );
  for (const name of Object.keys(least)) {
    expect(trackerPositionReportSchema.safeParse({ ...least, [name]: undefined }).success).toBe(false);
  }
});

it('[R9.05] uses the specified constants of live messaging', () => {
  expect(MESSAGING).toEqual({
    reconnectPeriodMs: 2000,
    connectTimeoutMs: 5000,
    keepaliveS: 60,
    cleanSession: true,
    sendBufferBytes: 524_288,
    sendRetryMs: 1000,
  });
});
