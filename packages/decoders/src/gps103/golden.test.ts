import { celsius, epochMs, metres, percent } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PositionMessage, Session } from '../protocol.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf } from '../testing/stream.ts';
import { gps103, gps103Udp } from './decode.ts';
import { encodeCommand, encodeHeartbeat, encodeLogin, encodeReport } from './encode.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };
const IMEI = '352093081452251';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (text: string) => gps103.decode(bytes(text), SESSION);
const textOf = (answer: Uint8Array | null) => answer && new TextDecoder().decode(answer);

/** Made by us, field by field. */
const REPORT = [
  'imei:352093081452251',
  'door alarm', // keyword
  '260304020607', // 2026-03-04 02:06:07 in the tracker's local time
  '', // phone number
  'F', // full signal
  '050607.000', // 05:06:07 UTC
  'A', // valid
  '4152.6860', // 41° 52.6860'
  'N',
  '08737.7880', // 87° 37.7880'
  'W',
  '27.00', // knots
  '271.5', // course
  '181', // altitude
  '1', // ignition on
  '0', // door closed
  '51.93%', // fuel
  'P0021', // trouble code
  '-4.5', // temperature
  ';',
].join();

describe('GPS103', () => {
  it('reads a report, which needs no answer', () => {
    const { messages, acknowledgement } = decode(REPORT);
    expect(acknowledgement).toBeNull();
    expect(messages).toEqual([
      { kind: 'login', imei: IMEI },
      {
        kind: 'position',
        time: Date.UTC(2026, 2, 4, 5, 6, 7),
        valid: true,
        lat: 41 + 52.686 / 60,
        lon: -(87 + 37.788 / 60),
        speed: 13.89,
        course: 271.5,
        altitude: 181,
        ignition: true,
        fuel: 51.93,
        temperature: -4.5,
        satellites: null,
        hdop: null,
        odometer: null,
        gsm: null,
        event: 'doorOpen',
        rfid: null,
        attributes: { doorOpen: false, troubleCodes: 'P0021' },
      },
    ]);
  });

  it('answers the login and the heartbeat', () => {
    expect(textOf(decode(`##,imei:${IMEI},A;`).acknowledgement)).toBe('LOAD');
    const { messages, acknowledgement } = decode(IMEI);
    expect(messages[1]).toEqual({ kind: 'heartbeat', attributes: {} });
    expect(textOf(acknowledgement)).toBe('ON');
  });

  it.each([
    ['260304235959', '050607', '2026-03-05T05:06:07.000Z'],
    ['260305000001', '210607', '2026-03-04T21:06:07.000Z'],
    ['260304120000', '115959.99', '2026-03-04T11:59:59.000Z'],
    ['2603041200', '115900', '2026-03-04T11:59:00.000Z'],
    ['260304120001', '', '2026-03-04T12:00:01.000Z'],
    ['260304130607', '05:06:07', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04 13:06:07', '05:06:07', '2026-03-04T05:06:07.000Z'],
  ])('combines %s and %s UTC', (local, clock, expected) => {
    const [, message] = decode(`imei:${IMEI},tracker,${local},,F,${clock},A,0100.0000,N,00100.0000,E,,;`).messages;
    expect(message?.kind === 'position' && new Date(message.time).toISOString()).toBe(expected);
  });

  it.each([
    ['help me', { event: 'sos' }],
    ['Help me!', { event: 'sos' }],
    ['ACC ON', { event: 'ignitionOn' }],
    ['toString', { event: null }],
    ['acc on', { event: 'ignitionOn', ignition: true }],
    ['acc off', { event: 'ignitionOff', ignition: false }],
    ['T:+11', { event: 'alarm', temperature: 11 }],
    ['oil 51.67', { event: 'alarm', attributes: { fuelLevel1: 51.67, keyword: 'oil 51.67' } }],
    ['hood alarm', { event: 'alarm', attributes: { keyword: 'hood alarm' } }],
    ['something', { event: null, attributes: { keyword: 'something' } }],
  ])('reads the keyword %s', (keyword, expected) => {
    const [, message] = decode(`imei:${IMEI},${keyword},260304120000,,F,120000,A,0100.0,N,00100.0,E,,;`).messages;
    expect(message).toMatchObject(expected);
  });

  it('reads the confirmation of a command as an answer with a report', () => {
    const { messages } = decode(`imei:${IMEI},jt,260304120000,,F,120000,A,0100.0,N,00100.0,E,,;`);
    expect(messages.map(({ kind }) => kind)).toEqual(['login', 'reply', 'position']);
    expect(messages[1]).toEqual({ kind: 'reply', text: 'oil and power cut', reference: null });
  });

  it.each([
    ['a time with slashes', ['260304020607', '26/03/04 02:06']],
    ['a time with slashes and seconds', ['260304020607', '2026/03/04 02:06:07']],
    ['the hemisphere before the number', ['4152.6860,N,08737.7880,W', 'N,4152.6860,W,08737.7880']],
    ['the hemisphere joined to the number', ['4152.6860,N,08737.7880,W', 'N4152.6860,W08737.7880']],
    ['an unknown GPS signal', [',F,', ',,']],
    ['angles without a decimal point', ['4152.6860,N,08737.7880,W', '41526860,N,087377880,W']],
  ] as const)('reads a report with %s', (_, [from, to]) => {
    expect(decode(REPORT.replace(from, to)).messages[1]).toEqual(decode(REPORT).messages[1]);
  });

  it('reads a position without a GPS signal as an invalid fix', () => {
    expect(decode(REPORT.replace(',F,', ',L,')).messages[1]).toMatchObject({ kind: 'position', valid: false });
  });

  it('reads a cell tower in any position', () => {
    expect(decode(`imei:${IMEI},tracker,000000000,,L,,2e24,8d8a;`).messages[1]).toMatchObject({
      attributes: { areaCode: 0x2e24, cellId: 0x8d8a },
    });
  });

  it('uses the day of arrival if the tracker sends no local time', () => {
    const receivedAt = epochMs(Date.UTC(2026, 2, 4, 0, 0, 9));
    const text = REPORT.replace('260304020607', '').replace('050607.000', '235959.000');
    expect(gps103.decode(bytes(text), { ...SESSION, receivedAt }).messages[1]).toMatchObject({
      time: Date.UTC(2026, 2, 3, 23, 59, 59),
    });
  });

  it('reads OBD values, and a cell tower without a position', () => {
    expect(
      decode(`imei:${IMEI},OBD,160316053657,70430,,8.5,0,49,60.00%,46,19.22%,859,13.2,P0128,;`).messages[1],
    ).toEqual({
      kind: 'status',
      time: null,
      event: null,
      attributes: {
        odometer: 70_430_000,
        fuelConsumption: 8.5,
        engineHours: 0,
        obdSpeed: 49 / 3.6,
        engineLoad: 60,
        coolantTemperature: 46,
        throttle: 19.22,
        rpm: 859,
        externalVoltage: 13.2,
        troubleCodes: 'P0128',
      },
    });
    expect(decode(`imei:${IMEI},tracker,000000000,,L,,,2e24,,8d8a,,,;`).messages[1]).toMatchObject({
      kind: 'status',
      attributes: { areaCode: 0x2e24, cellId: 0x8d8a },
    });
  });

  it.each(['imei:12345,tracker;', 'hello;', '##,imei:352093081452251,B;'])('refuses %s', text => {
    expect(decode(text).messages).toMatchObject([{ kind: 'error' }]);
  });

  it('keeps a frame that it can’t read', () => {
    expect(decode(`imei:${IMEI},what;`).messages).toMatchObject([
      { kind: 'login', imei: IMEI },
      { kind: 'status', attributes: { unread: 'bad-field', messageType: 'what', data: `imei:${IMEI},what;` } },
    ]);
  });

  it('finds frames after garbage and after a frame without an end', () => {
    const stream = bytes(`xyz${REPORT}imei:352093081452251,trac${REPORT}\r\n${IMEI}##,imei:${IMEI},A;`);
    for (const size of [1, 6, 5000]) {
      const { frames, garbage } = framesOf(gps103, stream, size);
      expect(frames.map(({ length }) => length)).toEqual([REPORT.length, REPORT.length, 1, 1, 15, 26]);
      expect(garbage).toBe(28);
    }
  });

  it('finds frames that end with their line, and those in capitals', () => {
    const line = `${REPORT.slice(0, -2)}\r\n`;
    const stream = bytes(`${line}${line}${REPORT.replace('imei', 'IMEI')}`);
    for (const size of [1, 6, 5000]) {
      const { frames, garbage } = framesOf(gps103, stream, size);
      expect(garbage).toBe(0);
      const messages = frames.flatMap(frame => gps103.decode(frame, SESSION).messages);
      expect(messages.filter(({ kind }) => kind === 'position')).toHaveLength(3);
    }
  });

  it.each(['##,imei:', '##imei:', '##,IMEI:', '##,imei: '])('answers a login that begins with %s', head => {
    for (const end of [',A;', ';', ',A\r']) expect(textOf(decode(`${head}${IMEI}${end}`).acknowledgement)).toBe('LOAD');
  });

  it('reads decimal degrees', () => {
    const degrees = REPORT.replace('4152.6860', '41.878100').replace('08737.7880', '113.905462');
    expect(decode(degrees).messages[1]).toMatchObject({ kind: 'position', lat: 41.8781, lon: -113.905462 });
  });

  it('reads a datagram, and encodes commands', () => {
    expect(gps103Udp.decodeDatagram(bytes(`${REPORT}\r\n`), SESSION.receivedAt).messages).toHaveLength(2);
    expect(textOf(encodeCommand('C,30s', 7, IMEI))).toBe(`**,imei:${IMEI},C,30s;`);
  });
});

describe('GPS103 round trip', () => {
  const position = fc
    .record({
      fix: fixes({ steps: 600_000, speed: 'knots' }),
      altitude: orNull(fc.integer({ min: -500, max: 9000 }).map(metres)),
      ignition: orNull(fc.boolean()),
      fuel: orNull(fc.integer({ min: 0, max: 100 }).map(percent)),
      temperature: orNull(fc.integer({ min: -400, max: 800 }).map(tenths => celsius(tenths / 10))),
      event: orNull(fc.constantFrom('sos', 'batteryLow', 'overspeed', 'powerCut', 'doorOpen', 'vibration', 'crash')),
    })
    .map(({ fix, ...rest }): PositionMessage => ({ ...fix, ...rest }));

  it('as a report', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{15}$/), position, (imei, sent) => {
        const [who, decoded] = gps103.decode(encodeReport(imei, sent), SESSION).messages;
        expect(who).toEqual({ kind: 'login', imei });
        const { lat, lon, speed, ...others } = decoded as PositionMessage;
        const { lat: sentLat, lon: sentLon, speed: sentSpeed, ...expected } = sent;
        expect(others).toEqual(expected);
        expect([lat, lon, speed]).toEqual([
          expect.closeTo(sentLat, 9),
          expect.closeTo(sentLon, 9),
          expect.closeTo(sentSpeed!, 9),
        ]);
      }),
    );
  });

  it.each([
    ['a date with a year of four digits', '260304020607', '2026/03/04 02:06'],
    ['a local time that no clock has', '260304020607', '260304246099'],
    ['the clock as a number', '050607.000', '50607.000'],
  ])('reads %s', (_, documented, written) => {
    const [, message] = decode(REPORT.replace(documented, written)).messages;
    expect(message).toMatchObject({ kind: 'position', time: Date.UTC(2026, 2, 4, 5, 6, 7) });
  });

  it.each([
    ['without coordinates', '4152.6860,N,08737.7880,W', ',,,', 'fix'],
    ['with a date that no calendar has', '260304020607', '269999020607', 'time'],
  ])('[R4.03] makes a report %s a status with its reason', (_, documented, written, noFix) => {
    const [, message] = decode(REPORT.replace(documented, written)).messages;
    expect(message).toMatchObject({ kind: 'status', attributes: { noFix } });
  });

  it('takes no level of more than 100 %', () => {
    const text =
      'imei:352093081452251,tracker,260304050607,150%,F,050607,A,4152.6860,N,08737.7880,W,1,28,,1,1,150%,205%;';
    expect(decode(text).messages[1]).toMatchObject({ kind: 'position', fuel: null });
    expect(decode(text).messages[1]).toHaveProperty('attributes', { doorOpen: true });
  });

  it('keeps all trouble codes of a report', () => {
    const [, message] = decode(REPORT.replace('door alarm', 'DTC').replace(/;$/, ',P0137,P0300;')).messages;
    expect(message).toMatchObject({
      kind: 'position',
      event: 'alarm',
      attributes: { troubleCodes: 'P0021 P0137 P0300' },
    });
  });

  it('[R4.03] without coordinates keeps ignition, fuel and temperature', () => {
    const text = 'imei:352093081452251,acc on,260304020607,,L,,,,,,,,,181,1,0,51.93%,20.50%,+22.5;';
    const attributes = {
      noFix: 'fix',
      ignition: true,
      fuel: 51.93,
      temperature: 22.5,
      doorOpen: false,
      fuelLevel2: 20.5,
    };
    expect(decode(text).messages[1]).toMatchObject({ kind: 'status', event: 'ignitionOn', attributes });
  });

  it('as login and heartbeat', () => {
    expect(gps103.decode(encodeLogin(IMEI), SESSION).messages).toEqual([{ kind: 'login', imei: IMEI }]);
    expect(gps103.decode(encodeHeartbeat(IMEI), SESSION).messages[1]).toMatchObject({ kind: 'heartbeat' });
  });
});
