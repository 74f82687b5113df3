import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import type { PositionMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { jt808 } from './decode.ts';
import { encodePacket } from './encode.ts';
import { xor } from './frame.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };
const IDENTITY = '013912345678';
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);
const PLACE = '00000000 00000003 0155c8d0 06ca6f84 0015 01e0 005a 260304130607';

const decode = (id: number, body: string, identity = IDENTITY) =>
  jt808.decode(encodePacket(id, identity, 9, annotated(`${body} |`)), SESSION);
const messagesOf = (id: number, body: string, identity = IDENTITY) => decode(id, body, identity).messages.slice(1);
const located = (items: string) => messagesOf(0x0200, `${PLACE} ${items}`)[0] as PositionMessage;

describe('messages of the standard without a location', () => {
  it.each([
    ['upgrade', 0x0108, '00 01', [{ attributes: { upgrade: 'failed' } }]],
    ['event of the list', 0x0301, '07', [{ event: 'button', attributes: { eventCode: 7 } }]],
    ['answer of the driver', 0x0302, '002a 02', [{ kind: 'reply', text: 'answer 2', reference: 42 }]],
    ['service asked for', 0x0303, '05 01', [{ attributes: { infoType: 5, infoWanted: true } }]],
    ['recorder', 0x0700, '002a 08 aa75', [{ kind: 'reply', text: '08 AA75', reference: 42 }]],
    ['picture made', 0x0800, '00000009 00 00 01 02', [{ attributes: { mediaId: 9, mediaType: 0 } }]],
    ['pictures', 0x0805, '002a 00 0002 00000001 00000002', [{ kind: 'reply', text: 'done 2', reference: 42 }]],
    ['no pictures', 0x0805, '002a 01', [{ kind: 'reply', text: 'failed', reference: 42 }]],
    [
      'passengers',
      0x1005,
      '260304130507 260304130607 0003 0005',
      [{ time: TIME, attributes: { passengersIn: 3, passengersOut: 5 } }],
    ],
    [
      'CAN frames',
      0x0705,
      '0002 1306070000 58fef100 0102030405060708 00000123 ffffffffffffffff',
      [{ attributes: { canFrames: 2, can18FEF100: '0102030405060708', can123: 'FFFFFFFFFFFFFFFF' } }],
    ],
  ])('%s', (_, id, body, expected) => expect(messagesOf(id, body)).toMatchObject(expected));

  it('stored pictures with their places, which are no news', () => {
    expect(messagesOf(0x0802, `002a 0001 00000009 00 01 02 ${PLACE}`)).toMatchObject([
      { kind: 'reply', reference: 42 },
      { kind: 'position', time: TIME, attributes: { mediaId: 9, replayed: true } },
    ]);
  });

  it.each([0x0108, 0x0302, 0x0702, 0x0705, 0x0800, 0x0805, 0x1005, 0x0104, 0x0801])(
    'keeps %i that is too short, and confirms it as before',
    id => {
      const { messages, acknowledgement } = decode(id, '01');
      expect(messages).toMatchObject([{ kind: 'login' }, { kind: 'status', attributes: { unread: 'bad-field' } }]);
      expect(acknowledgement === null).toBe(id === 0x0104);
    },
  );
});

describe('a location', () => {
  const place = { kind: 'position', time: Date.UTC(2026, 2, 4, 5, 6, 7) };

  it.each([
    ['without its type', `0002 001c ${PLACE} 001c ${PLACE}`],
    ['with lengths of one byte', `0002 01 1c ${PLACE} 1c ${PLACE}`],
    ['without lengths', `0002 01 ${PLACE} ${PLACE}`],
  ])('[R4.03] of a batch %s is found, as are the others', (_, body) => {
    expect(messagesOf(0x0704, body)).toMatchObject([place, place]);
  });

  it('[R4.03] of a batch is not taken from bytes in front of it, whose time would be long ago', () => {
    const body = `0002 0003 000000 00000000 00000003 022608e8 05fe7964 0b6d 0546 0110 260106122808 0104 0024e50d`;
    expect(messagesOf(0x0704, body)).toMatchObject([{ kind: 'position', time: Date.UTC(2026, 0, 6, 4, 28, 8) }]);
  });

  it('[R4.03] under an undocumented id, and the others behind it', () => {
    expect(messagesOf(0x0b05, `02 ${PLACE} 300119 ff ${PLACE}`)).toMatchObject([{ ...place, gsm: 25 }, place]);
  });

  it('[R4.03] as a sentence of the GNSS module', () => {
    const sentence = (state: string) => `$GNRMC,050607.00,${state},2223.95104,N,11355.80696,E,10.0,90.5,040326,,,A*7A`;
    const read = (text: string) => messagesOf(0x0900, `00 ${Buffer.from(text).toString('hex')}`)[0];
    expect(read(sentence('A'))).toMatchObject({ ...place, valid: true, course: 90.5, attributes: { dataType: 0 } });
    expect(read(sentence('V'))).toMatchObject({ ...place, valid: false });
    expect(read('$GNGGA,050607.00')).toMatchObject({ kind: 'status', attributes: { data: '$GNGGA,050607.00' } });
  });

  it.each([0x0201, 0x0500])('in an answer (%i), with and without the serial number of a request', id => {
    const place = { kind: 'position', time: TIME, lat: 22.399184, lon: 113.930116 };
    expect(messagesOf(id, `002a ${PLACE}`)).toMatchObject([{ kind: 'reply', reference: 42 }, place]);
    expect(messagesOf(id, PLACE)).toMatchObject([{ kind: 'reply', reference: null }, place]);
  });

  it('in a frame with a wrong length that escapes a byte', () => {
    const frame = encodePacket(0x0200, IDENTITY, 9, annotated(`${PLACE} 30 01 7d |`));
    const plain = [...frame.slice(1, -1)].flatMap((byte, i, all) =>
      byte === 0x7d ? [all[i + 1] === 1 ? 0x7d : 0x7e] : all[i - 1] === 0x7d ? [] : [byte],
    );
    plain[3] = (plain[3] ?? 0) + 1;
    const content = Uint8Array.from(plain.slice(0, -1));
    const escaped = [...content, xor(content, content.length)].flatMap(byte =>
      byte === 0x7d ? [0x7d, 1] : byte === 0x7e ? [0x7d, 2] : [byte],
    );
    expect(jt808.decode(Uint8Array.of(0x7e, ...escaped, 0x7e), SESSION).messages).toMatchObject([
      { kind: 'login' },
      { kind: 'position', time: TIME },
    ]);
  });
});

describe('the driver', () => {
  const LICENCE = '4431323334353637000000000000000000000000';
  it('with the issuer and the end of the license; since 2019 with the number of the identity card', () => {
    const card = `01 260304130607 00 04 4a616e65 ${LICENCE} 03 444d56 20290630`;
    const read = {
      driverCard: true,
      driverName: 'Jane',
      driverLicence: 'D1234567',
      driverLicenceIssuer: 'DMV',
      driverLicenceExpires: '2029-06-30',
    };
    expect(messagesOf(0x0702, card)).toMatchObject([{ attributes: read }]);
    const id = '4944393939000000000000000000000000000000';
    expect(messagesOf(0x0702, `${card} ${id}`, '352093081452251')).toMatchObject([
      { attributes: { ...read, driverId: 'ID999' } },
    ]);
  });

  it('in the form of 2011', () => {
    const id = '4944393939000000000000000000000000000000';
    expect(messagesOf(0x0702, `04 4a616e65 ${id} ${LICENCE} ${'00'.repeat(20)} 03 444d56`)).toMatchObject([
      {
        event: 'driverIdentified',
        attributes: { driverName: 'Jane', driverId: 'ID999', driverLicence: 'D1234567', driverLicenceIssuer: 'DMV' },
      },
    ]);
  });
});

describe('alarms of cameras and tires', () => {
  const REST = `00 0015 0155c8d0 06ca6f84 260304130607 0000 ${'00'.repeat(16)}`;
  it.each([
    ['64 2f 00000001 00 01', '01 00 00 00 00 00', 'alarm', { aheadAlarm: 'forwardCollision' }],
    ['64 2f 00000001 00 10', '01 00 00 00 00 00', null, { aheadAlarm: '16' }],
    ['65 2f 00000001 00 02', '01 00 00000000', 'alarm', { driverAlarm: 'phone' }],
    ['65 2f 00000001 00 11', '01 00 00000000', null, { driverChanged: true }],
    ['67 29 00000001 00 02', '', 'alarm', { blindSpotAlarm: 'leftBehind' }],
    // "MettaX DashCam Protocol" 1.9.0.1, 39, 42 and 52.
    ['65 2f 00000001 00 08', '01 00 00000000', 'alarm', { driverAlarm: 'seatBelt' }],
    ['65 2f 00000001 00 0a', '01 00 00000000', 'tamper', { driverAlarm: 'cameraCovered' }],
    ['65 2f 00000001 00 0d', '01 00 00000000', 'alarm', { driverAlarm: 'phoneGame' }],
    ['67 29 00000001 00 e0', '', 'alarm', { blindSpotAlarm: 'ahead' }],
    ['70 2f 00000001 00 01', '0005 0028 0000', 'harshAcceleration', { drivingAlarm: 'harshAcceleration' }],
    ['70 2f 00000001 01 02', '0005 0028 0000', 'harshBraking', { drivingAlarm: 'harshBraking' }],
    ['70 2f 00000001 00 03', '0005 0028 0000', 'harshCornering', { drivingAlarm: 'harshCornering' }],
    ['70 2f 00000001 01 04', '0005 0028 0000', 'idling', { drivingAlarm: 'idling' }],
    ['70 2f 00000001 00 06', '0005 0028 0000', 'alarm', { drivingAlarm: 'coasting' }],
    // Flag 2: the alarm is over.
    ['64 2f 00000001 02 01', '01 00 00 00 00 00', null, { aheadAlarmOver: 'forwardCollision' }],
    ['65 2f 00000001 02 0a', '01 00 00000000', null, { driverAlarmOver: 'cameraCovered' }],
    ['64 2f 00000001 02 06', '01 00 00 00 00 00', 'overspeedEnd', { aheadAlarmOver: 'roadSign' }],
    ['70 2f 00000001 02 04', '0005 0028 0000', 'idlingEnd', { drivingAlarmOver: 'idling' }],
  ])('%s', (head, own, event, attributes) => {
    expect(located(`${head} ${own} ${REST}`)).toMatchObject({ event, attributes });
  });

  it('tires: alarm, pressure, temperature, battery', () => {
    const tires = `66 3b 00000001 00 ${REST} 02 00 0002 00fa ffec 0050 01 0000 ffff 0019 ffff`;
    expect(located(tires)).toMatchObject({
      event: 'alarm',
      attributes: { tire0Alarm: 2, tire0Pressure: 250, tire0Temperature: -20, tire0Battery: 80, tire1Temperature: 25 },
    });
    expect(located(tires.replace(' 00 ', ' 02 ')).event).toBeNull();
    expect(located(`05 1e f0f2 ${'ff'.repeat(28)}`).attributes).toEqual({ tire1Pressure: 240, tire2Pressure: 242 });
  });

  it('behavior of the driver', () => {
    expect(located('18 03 0005 46')).toMatchObject({
      event: 'alarm',
      attributes: { driverAlarm: 'fatigue smoking', fatigue: 70 },
    });
  });
});

describe('a comparison of the driver (MettaX, 0x0E10)', () => {
  const compared = (result: string, picture = '') =>
    messagesOf(0x0e10, `${result} 50 1538 02 04 44313233 ${PLACE} 00 ${picture}`);

  it('[R4.03] has the driver, the likeness and the place', () => {
    expect(compared('00', `ffd8ffe0 ${PLACE} ffd9`)).toMatchObject([
      {
        ...{ kind: 'position', time: TIME, event: 'driverIdentified', rfid: 'D123' },
        attributes: { driverComparison: 'match', driverLikeness: 54.32 },
      },
    ]);
  });

  it.each([
    ['01', 'notCompared', null],
    ['06', 'nobody', null],
    ['09', '9', null],
  ])('result %s is %s', (result, driverComparison, event) => {
    expect(compared(result)).toMatchObject([{ kind: 'position', event, attributes: { driverComparison } }]);
  });
});

describe('a location that is not where the standard says', () => {
  it('after bytes of the maker', () => {
    expect(messagesOf(0x0200, `ffffffff ${PLACE}`)).toMatchObject([{ kind: 'position', time: TIME }]);
  });

  it('in a part without the others: read, not confirmed', () => {
    const whole = encodePacket(0x0704, IDENTITY, 3, annotated(`0002 0001 0002 01 001c ${PLACE} 001c 0000 |`));
    whole[3] = 0x20;
    whole[4] = whole.length - 2 - 1 - 12 - 4;
    whole[whole.length - 2] = xor(whole.subarray(1), whole.length - 3);
    expect(jt808.decode(whole, SESSION)).toMatchObject({
      messages: [{ kind: 'login' }, { kind: 'position', time: TIME, attributes: { replayed: true } }],
      acknowledgement: null,
    });
  });
});

describe('[R4.03] satellites, by the amended standard', () => {
  const byte = (value: number): string => value.toString(16).padStart(2, '0');
  /** Number, elevation 45°, azimuth 135°, and 20 dB-Hz or more. */
  const satellite = (i: number): string => `${byte(i + 1)} 2d 0087 ${byte(20 + i)}`;
  const list = (count: number): string =>
    [byte(count), ...Array.from({ length: count }, (_, i) => satellite(i))].join(' ');
  const lists = (...counts: readonly number[]) => counts.map(list).join(' ');

  it.each([
    ['none', lists(0, 0, 0, 0), { beidouInView: 0, gpsInView: 0, glonassInView: 0, galileoInView: 0 }],
    [
      'of two systems',
      lists(7, 12, 0, 0),
      { beidouInView: 7, beidouSignal: 26, gpsInView: 12, gpsSignal: 31, glonassInView: 0, galileoInView: 0 },
    ],
    [
      'of all, longer than the version of OBD terminals',
      lists(12, 14, 8, 9),
      {
        ...{ beidouInView: 12, beidouSignal: 31, gpsInView: 14, gpsSignal: 33 },
        ...{ glonassInView: 8, glonassSignal: 27, galileoInView: 9, galileoSignal: 28 },
      },
    ],
  ])('%s: the place behind them is read', (_, before, attributes) => {
    expect(messagesOf(0x0205, `${before} ${PLACE}`)).toMatchObject([
      { kind: 'position', time: TIME, valid: true, lat: 22.399184, lon: 113.930116, satellites: null, attributes },
    ]);
    expect(messagesOf(0x0205, `${before} ${PLACE}`)[0]).toHaveProperty('attributes', attributes);
  });

  it('a count that does not fit is not read', () => {
    expect(messagesOf(0x0205, `${lists(3, 3, 3, 3)} ff`)).toMatchObject([{ attributes: { unread: 'bad-field' } }]);
  });
});
