import { celsius, degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecodedMessage, PositionMessage, Session } from '../protocol.ts';
import { annotated, fromHex } from '../testing/annotated.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf, join } from '../testing/stream.ts';
import { eelink, eelinkUdp } from './decode.ts';
import { encodeHeartbeat, encodeLocation, encodeLogin, encodePackage, encodeWarning, wrapped } from './encode.ts';
import { explain } from './explain.ts';
import { checksum } from './frame.ts';

const IMEI = '352093081452251';
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);
const SESSION: Session = { imei: IMEI, receivedAt: epochMs(TIME + 9000) };
const decode = (frame: Uint8Array, session: Session = SESSION) => eelink.decode(frame, session);
const hexOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');
const notesOf = (message: DecodedMessage | undefined) =>
  message && 'attributes' in message ? message.attributes : undefined;

const LOGIN = annotated(`
  6767             | mark
  01               | login
  0018             | 24 bytes follow
  0001             | sequence number
  0352093081452251 | IMEI
  01               | English
  ec               | five hours west, in quarters
  0205             | system version 2.0.5
  0213             | application version 2.1.3
  0001             | version of the parameters
  0432             | their size
  0000             | compressed
  86bd             | and their checksum
`);

const LOCATION = annotated(`
  6767             | mark
  12               | location
  0079             | 121 bytes follow
  0102             | sequence number
  69a7bdbf         | 2026-03-04 05:06:07 UTC
  9f               | fix, serving cell, two neighbors, a station, extension
  047e3d1a         | latitude 41.878912
  f6992b82         | longitude -87.630008
  00b5             | altitude 181 m
  0036             | 54 km/h
  010f             | course 271
  0b               | satellites
  0136             | country 310
  0104             | network 260
  5911             | area 22801
  00a71601         | cell 10950145
  2f               | -64 dBm
  5911 00a71602 22 | a cell nearby, -77 dBm
  5911 00a71603 05 | another, -106 dBm
  6466b391604a b5  | a station, -75 dBm
  07               | LTE
  0a               | two LTE cells and a station
  0136 0104        | country 310, network 260
  0000             | area
  5912             | tracking area 22802
  00a71604         | cell 10950148
  0000 01f4 0bb8   | timing advance, physical cell, channel
  a6               | -90 dBm
  01f5 0bb8 9c     | an LTE cell nearby
  8c45008ab9d1 ba  | a station, -70 dBm
  17af             | for a car, engine on, accelerometer, relay, can charge, charging, moving, running; input 1
  1081             | battery 4.225 V
  0571             | analog input 1.393 V
  0000             | no other
  0012d687         | 1234567 m
  0005 0006        | minutes since commands
  0313             | 787 steps
  0205             | in 517 s
  1a80             | 26.5 °C inside
  01c2             | humidity 45.0 %
  0001c000         | 448 lx
  000001f4         | 500 ppm
  ffb8             | probe -4.5 °C
`);

describe('Eelink', () => {
  it('reads a login and tells the tracker the time and that it knows the plain form', () => {
    const { messages, acknowledgement } = decode(LOGIN, { imei: null, receivedAt: epochMs(TIME) });
    expect(messages).toEqual([
      {
        kind: 'login',
        imei: IMEI,
        attributes: { timeZoneMinutes: -300, systemVersion: '2.0.5', firmware: '2.1.3' },
      },
    ]);
    expect(hexOf(acknowledgement)).toBe('6767010009000169a7bdbf000100');
    const older = fromHex('676701000c007b03520930814522510104');
    expect(decode(older, { imei: null, receivedAt: epochMs(0) }).messages).toEqual([
      { kind: 'login', imei: IMEI, attributes: { timeZoneMinutes: 60 } },
    ]);
    expect(hexOf(decode(older).acknowledgement)).toBe('6767010002007b');
    expect(decode(fromHex('676701000a00010352093081452251')).messages).toEqual([
      { kind: 'login', imei: IMEI, attributes: {} },
    ]);
    expect(decode(fromHex('676701000a00011352093081452251')).messages).toMatchObject([{ code: 'bad-field' }]);
  });

  it('reads a location with everything that the mask can say; over TCP it has no answer', () => {
    const { messages, acknowledgement } = decode(LOCATION);
    expect(messages).toEqual([
      {
        kind: 'position',
        time: TIME,
        valid: true,
        lat: 75_382_042 / 1_800_000,
        lon: -157_734_014 / 1_800_000,
        altitude: 181,
        speed: 15,
        course: 271,
        satellites: 11,
        hdop: null,
        ignition: true,
        odometer: 1_234_567,
        fuel: null,
        temperature: -4.5,
        gsm: 24,
        event: null,
        rfid: null,
        attributes: {
          cell: '310-260-22802-10950148',
          cells: '310-260-22801-10950145:-64 310-260-22801-10950146:-77 310-260-22801-10950147:-106',
          rsrp: -90,
          wifi: '64:66:B3:91:60:4A:-75 8C:45:00:8A:B9:D1:-70',
          armed: false,
          movement: true,
          output1: false,
          charging: true,
          input1: true,
          input2: false,
          input3: false,
          input4: false,
          batteryVoltage: 4.225,
          analogInput1: 1.393,
          steps: 787,
          walkingTime: 517,
          humidity: 45,
          illuminance: 448,
          co2: 500,
          deviceTemperature: 26.5,
        },
      },
    ]);
    expect(acknowledgement).toBeNull();
  });

  it('a place is only the last known one where the status says that there is no fix', () => {
    const fix = encodeLocation(SENT, 1).subarray(7, 7 + 20);
    const [time, mask] = [fix.subarray(0, 4), fix.with(4, 0x01).subarray(4)];
    const said = (type: number, behind: string): unknown =>
      decode(encodePackage(type, 1, join([time, mask, fromHex(behind)]))).messages[0];
    expect(said(0x12, '0007')).toMatchObject({ kind: 'position', valid: true, ignition: true });
    expect(said(0x12, '0006')).toMatchObject({ kind: 'position', valid: false, ignition: true });
    expect(said(0x12, '')).toMatchObject({ kind: 'position', valid: true });
    expect(said(0x14, '020006')).toMatchObject({ kind: 'position', valid: false, event: 'sos' });
  });

  it('reads the tail of a location as far as it goes', () => {
    const whole = decode(LOCATION).messages[0];
    for (let cut = 7 + 20; cut < LOCATION.length; cut++) {
      const [message] = decode(encodePackage(0x12, 1, LOCATION.subarray(7, cut))).messages;
      expect(message, `${cut}`).toMatchObject({ kind: 'position', time: TIME, course: 271 });
      for (const [name, value] of Object.entries(notesOf(message) ?? {})) {
        const last = cut < 92 && ['cell', 'wifi'].includes(name);
        if (!last) expect(notesOf(whole)?.[name], `${name} at ${cut}`).toBe(value);
      }
    }
    expect(decode(encodePackage(0x12, 1, LOCATION.subarray(7, 20))).messages).toMatchObject([
      { kind: 'status', attributes: { unread: 'too-short', messageType: '0x12' } },
    ]);
  });

  it('makes a status of a location without a fix, with the cell and the reason', () => {
    const none = annotated(`
      6767 12 0014 0001 | a location
      69a7bdbf          | time
      02                | a cell only
      0136 0104 5911 00a71601 22 | the cell
      0400              | GPS runs
    `);
    expect(decode(none).messages).toMatchObject([
      {
        kind: 'status',
        time: TIME,
        event: null,
        attributes: { noFix: 'fix', gsm: 18, cell: '310-260-22801-10950145' },
      },
    ]);
    const zero = encodeLocation({ ...SENT, lat: degrees(0), lon: degrees(0) }, 1);
    expect(decode(zero).messages).toMatchObject([{ kind: 'status', attributes: { noFix: 'fix' } }]);
  });

  it.each([
    ['02', '', { event: 'sos' }],
    ['01', '30d4 1068', { event: 'powerCut', attributes: { externalVoltage: 12.5, batteryVoltage: 4.2 } }],
    ['85', '0100 ff00 0080', { event: 'vibration', attributes: { accelerationX: 9.80665, accelerationZ: 4.903325 } }],
    ['82', '0078 0000 005a', { event: 'overspeed', attributes: { speedLimit: 25, speedLow: 0 } }],
    ['82', '0005 0012 005a', { event: 'alarm', attributes: { alarmCode: 130, speedLow: 5 } }],
    ['24', 'ffffffb8 00000000 00000140', { event: 'alarm', temperature: -4.5, attributes: { temperatureHigh: 20 } }],
    ['21', '000001c2 00000000 00000190', { attributes: { alarmCode: 33, humidity: 45, humidityHigh: 40 } }],
    ['08', '', { event: 'alarm', attributes: { alarmCode: 8 } }],
    ['85', '0100', { event: 'vibration' }],
  ])('reads warning 0x%s with data %s, and answers it', (type, data, expected) => {
    const place = hexOf(LOCATION.subarray(12, 27)) ?? '';
    const content = fromHex(`69a7bdbf01${place}${type}0006${data.replaceAll(' ', '')}`);
    const { messages, acknowledgement } = decode(encodePackage(0x14, 0x0203, content));
    expect(messages).toMatchObject([{ kind: 'position', time: TIME, ignition: true, ...expected }]);
    expect(hexOf(acknowledgement)).toBe('67671400020203');
  });

  it('answers a heartbeat, and reads who is not signed in only by a login', () => {
    expect(decode(encodeHeartbeat(true, 7))).toMatchObject({
      messages: [{ kind: 'heartbeat', attributes: { ignition: true } }],
      acknowledgement: fromHex('67670300020007'),
    });
    expect(decode(LOCATION, { imei: null, receivedAt: epochMs(0) }).messages).toEqual([
      { kind: 'error', code: 'not-signed-in', at: 0 },
    ]);
  });

  it('reads the packages before version 2, and says that a fix is not valid', () => {
    const place = `
      69a7bdbf       | time
      047e3d1a       | latitude 41.878912
      f6992b82       | longitude -87.630008
      36             | 54 km/h
      010f           | course 271
      0136 0104 5911 00a716 | cell
    `;
    const gps = encodePackage(
      0x02,
      9,
      annotated(`${place}01 | valid\n206f | status\n1145 | battery\n0031 0151 | not known`),
    );
    expect(decode(gps)).toMatchObject({
      messages: [
        {
          kind: 'position',
          time: TIME,
          valid: true,
          speed: 15,
          ignition: true,
          attributes: { cell: '310-260-22801-42774', batteryVoltage: 4.421, input2: true, data: '00310151' },
        },
      ],
      acknowledgement: null,
    });
    const alarm = encodePackage(0x04, 9, annotated(`${place}00 | not valid\n02 | SOS`));
    expect(decode(alarm)).toMatchObject({
      messages: [{ kind: 'position', valid: false, event: 'sos' }],
      acknowledgement: fromHex('67670400020009'),
    });
    const state = encodePackage(0x05, 9, annotated(`${place}01 | valid\n02 | off\n69a7bdbf | clock\n006a | status`));
    expect(decode(state).messages).toMatchObject([{ kind: 'position', event: 'ignitionOff', ignition: false }]);
    expect(decode(encodePackage(0x05, 9, annotated(`${place}01`))).messages).toMatchObject([{ kind: 'position' }]);
  });

  it('reads the values of the vehicle by their standard', () => {
    const content = annotated(`
      69a7bdbf    | time
      00 bc3fa803 | what the vehicle supports
      05 7a555555 | coolant 82 °C
      0c 105c5555 | 1047/min
      0d 24555555 | 36 km/h
      42 37f55555 | 14.325 V
      89 00000049 | the maker’s own
    `);
    for (const type of [0x07, 0x17]) {
      expect(decode(encodePackage(type, 1, content)).messages).toEqual([
        {
          kind: 'status',
          time: TIME,
          event: null,
          attributes: { coolantTemperature: 82, rpm: 1047, obdSpeed: 10, moduleVoltage: 14.325, obd137: '00000049' },
        },
      ]);
    }
    expect(decode(fromHex('6767070006000e0077035d')).messages).toMatchObject([{ attributes: { ignition: true } }]);
  });

  it('reads steps, a position in front of a report or a message, and keeps what it does not know', () => {
    const day = annotated(`
      69a70000          | the day
      00000064 00000200 0000c350 0000000a | of all days
      0000000a 00000020 00001388 00000001 | of that day
    `);
    expect(decode(encodePackage(0x1a, 1, day)).messages).toMatchObject([
      { kind: 'status', attributes: { steps: 100, walkingDistance: 50, walkingEnergy: 41.84, daySteps: 10 } },
    ]);
    const place = hexOf(LOCATION.subarray(12, 27)) ?? '';
    expect(decode(encodePackage(0x15, 1, fromHex(`69a7bdbf01${place}010007`))).messages).toMatchObject([
      { kind: 'position', time: TIME, attributes: { data: '010007' } },
    ]);
    expect(decode(encodePackage(0x16, 1, fromHex(`69a7bdbf01${place}48656c6c6f00`))).messages).toMatchObject([
      { kind: 'position', attributes: { message: 'Hello' } },
    ]);
    expect(decode(encodePackage(0x15, 1, fromHex('0102030405'))).messages).toMatchObject([
      { kind: 'status', attributes: { unread: 'too-short', data: '0102030405' } },
    ]);
    expect(decode(encodePackage(0x19, 5, fromHex('0102')))).toMatchObject({
      messages: [{ kind: 'status', attributes: { unread: 'unknown-type', messageType: '0x19' } }],
      acknowledgement: fromHex('67671900020005'),
    });
  });

  it('reads beacons behind the sensors', () => {
    const beacon = '56 34 12 ef cd ab  c4  00  b1  02  0bb8  1680  0000'.replaceAll(' ', '');
    const content = join([LOCATION.subarray(7), fromHex(`0102${beacon}`)]);
    expect(notesOf(decode(encodePackage(0x12, 1, content)).messages[0])).toMatchObject({
      tag1Id: 'ABCDEF123456',
      tag1Rssi: -60,
      tag1Battery: 3,
      tag1Temperature: 22.5,
    });
  });

  it('unwraps a datagram, answers all of its packages together, and refuses a wrong checksum', () => {
    const datagram = wrapped(IMEI, join([LOGIN, LOCATION, encodeHeartbeat(true, 9)]));
    const { messages, acknowledgement } = eelinkUdp.decodeDatagram(datagram, epochMs(TIME));
    expect(messages.map(({ kind }) => kind)).toEqual(['login', 'position', 'heartbeat']);
    expect(messages[0]).toMatchObject({ imei: IMEI, attributes: { firmware: '2.1.3' } });
    const answers = '6767010009000169a7bdbf000100' + '67671200020102' + '67670300020009';
    expect(hexOf(acknowledgement)).toBe(hexOf(wrapped(IMEI, fromHex(answers))));
    expect(checksum(datagram, 6)).toBe(Buffer.from(datagram).readUInt16BE(4));
    expect(eelinkUdp.decodeDatagram(datagram.with(30, 1), epochMs(0)).messages).toEqual([
      { kind: 'error', code: 'bad-checksum', at: 4 },
    ]);
    expect(eelinkUdp.decodeDatagram(wrapped(IMEI, LOCATION.subarray(0, 30)), epochMs(0)).messages).toMatchObject([
      { kind: 'login' },
      { kind: 'status', attributes: { unread: 'bad-length' } },
    ]);
  });

  it('finds packages and wrapped ones among other bytes', () => {
    const stream = join([fromHex('0d0a'), LOCATION, fromHex('67'), wrapped(IMEI, LOGIN), fromHex('ffff'), LOGIN]);
    for (const size of [1, 7, 500]) {
      const { frames, garbage } = framesOf(eelink, stream, size);
      expect(frames.map(hexOf)).toEqual([LOCATION, wrapped(IMEI, LOGIN), LOGIN].map(hexOf));
      expect(garbage).toBe(5);
    }
  });

  it('explains the states of the device and the checksum', () => {
    const texts = explain(wrapped(IMEI, LOCATION)).map(({ name, value }) => `${name}: ${value}`);
    expect(texts).toContain('checksum: right');
    expect(texts).toContain('latitude: 41.878912');
    expect(texts.find(text => text.startsWith('status'))).toContain('engine on');
  });
});

const SENT: PositionMessage = {
  kind: 'position',
  time: epochMs(TIME),
  valid: true,
  lat: degrees(41.878912),
  lon: degrees(-87.630008),
  altitude: metres(181),
  speed: fromKilometresPerHour(54),
  course: degrees(271),
  satellites: 11,
  hdop: null,
  ignition: true,
  odometer: metres(1000),
  fuel: null,
  temperature: celsius(4),
  gsm: 24,
  event: null,
  rfid: null,
  attributes: {},
};

const STEPS = 1_800_000;
const INPUTS = { input1: false, input2: false, input3: false, input4: false };

const position = fc
  .record({
    fix: fixes({ steps: STEPS, speed: 'km/h', to: Date.UTC(2069, 0) }).filter(({ lat, lon }) => lat !== 0 || lon !== 0),
    altitude: fc.integer({ min: -500, max: 9000 }),
    satellites: fc.integer({ min: 0, max: 60 }),
    ignition: orNull(fc.boolean()),
    odometer: orNull(fc.integer({ min: 1, max: 0xffff_ffff })),
    sixteenths: orNull(fc.integer({ min: -880, max: 1360 }).filter(value => value !== 0)),
    gsm: fc.integer({ min: 1, max: 31 }),
    millivolts: fc.integer({ min: 1, max: 0xffff }),
    charging: fc.boolean(),
    movement: fc.boolean(),
  })
  .map(
    ({ fix, altitude, odometer, sixteenths, millivolts, charging, movement, ...rest }): PositionMessage => ({
      ...fix,
      ...rest,
      valid: true,
      altitude: metres(altitude),
      odometer: odometer === null ? null : metres(odometer),
      temperature: sixteenths === null ? null : celsius(sixteenths / 16),
      attributes: {
        cell: '310-260-22801-10950145',
        armed: false,
        movement,
        charging,
        ...INPUTS,
        batteryVoltage: millivolts / 1000,
      },
    }),
  );

it('locations and warnings survive a round trip', () => {
  fc.assert(
    fc.property(position, sent => {
      expect(decode(encodeLocation(sent, 1)).messages).toEqual([sent]);
      const { time, lat, lon, speed, course, ignition } = sent;
      expect(decode(encodeWarning(sent, 0x83, 1)).messages).toMatchObject([
        { time, lat, lon, speed, course, ignition, event: 'geofenceEnter' },
      ]);
      const { messages } = eelinkUdp.decodeDatagram(wrapped(IMEI, encodeLocation(sent, 1)), epochMs(0));
      expect(messages).toEqual([{ kind: 'login', imei: IMEI }, sent]);
    }),
    { numRuns: 200 },
  );
});

it('logins survive a round trip', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{15}$/), imei => {
      const { messages } = decode(encodeLogin(imei), { imei: null, receivedAt: epochMs(0) });
      expect(messages).toMatchObject([{ kind: 'login', imei }]);
    }),
  );
});
