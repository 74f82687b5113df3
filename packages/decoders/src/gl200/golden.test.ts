import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc16Ccitt } from '../crc16.ts';
import type { Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { framesOf } from '../testing/stream.ts';
import { gl200Tcp, gl200Udp } from './decode.ts';
import { explain } from './explain.ts';

/** Frames written by hand from the documents, with the meaning of every field. */

const IMEI = '352093081452251';
const SESSION: Session = { imei: null, receivedAt: epochMs(Date.UTC(2026, 0, 15, 8, 30, 9)) };
const WHO = { kind: 'login', imei: IMEI };
const text = (bytes: Uint8Array | null): string | null => bytes && String.fromCharCode(...bytes);

const REPORT = annotatedText(`
+RESP:GTFRI,      | report by time
060228,           | device type 06, protocol version 2.28
352093081452251,  | IMEI
gv300,            | device name
12665,            | external power, millivolts
10,               | report id 1, type 0
1,                | number of places
1,                | GPS accuracy (HDOP), 0 would be the last known place
54.0,             | speed, km/h
271,              | azimuth
181.3,            | altitude, metres
-87.629812,       | longitude
41.878113,        | latitude
20260115083005,   | GPS UTC time
0310,             | mobile country code
0410,             | mobile network code
81FE,             | location area, hexadecimal
066D5A,           | cell, hexadecimal
00,               | reserved
1234.5,           | mileage, km
00117:31:26,      | hour meter
13442,            | analogue input 1, millivolts
,                 | analogue input 2
87,               | backup battery, percent
220302,           | device status: ignition on and moving, inputs 0b011, outputs 0b010
,                 | reserved
,                 | reserved
,                 | reserved
20260115083006,   | send time
1A2B$             | count number
`);

const POSITION = {
  kind: 'position',
  time: Date.UTC(2026, 0, 15, 8, 30, 5),
  valid: true,
  lat: 41.878113,
  lon: -87.629812,
  speed: 15,
  course: 271,
  altitude: 181.3,
  satellites: null,
  hdop: 1,
  ignition: true,
  odometer: 1_234_500,
  fuel: null,
  temperature: null,
  gsm: null,
  event: null,
  rfid: null,
  attributes: {
    cell: '310-410-33278-421210',
    engineHours: 423_086,
    analogInput1: 13.442,
    batteryLevel: 87,
    movement: true,
    input1: true,
    input2: false,
    input3: false,
    output1: false,
    output2: true,
    output3: false,
    externalVoltage: 12.665,
  },
};

describe('text', () => {
  it('is a login and a position, answered with the count number', () => {
    const { messages, acknowledgement } = gl200Tcp.decode(REPORT, SESSION);
    expect(messages).toEqual([WHO, POSITION]);
    expect(text(acknowledgement)).toBe('+SACK:1A2B$');
  });

  it('is the same in a datagram', () => {
    expect(gl200Udp.decodeDatagram(REPORT, SESSION.receivedAt)).toEqual(gl200Tcp.decode(REPORT, SESSION));
  });

  it('from memory is marked', () => {
    const buffered = annotatedText(String.fromCharCode(...REPORT).replace('+RESP', '+BUFF'));
    expect(gl200Tcp.decode(buffered, SESSION).messages[1]).toMatchObject({ attributes: { replayed: true } });
  });

  it('with a failed fix and an event has its send time, because the position is an old one', () => {
    const frame = annotatedText(
      '+RESP:GTIGF,060228,352093081452251,gv300,1958,0,0.0,240,390.3,-87.629812,41.878113,20260115070000,' +
        '0310,0410,81FE,066D5A,00,,936.8,20260115083006,1368$',
    );
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({
      time: Date.UTC(2026, 0, 15, 8, 30, 6),
      valid: false,
      event: 'ignitionOff',
      ignition: false,
      odometer: 936_800,
    });
  });

  it('has the number of satellites if the append mask selects it, and the signal strength', () => {
    const report = (behind: string) =>
      '+RESP:GTERI,6E0A03,352093081452251,,00000000,,10,1,1,0.0,0,181.3,-87.629812,41.878113,20260115083005,' +
      `0310,0410,81FE,066D5A,${behind},20260115083006,1ABC$`;
    const tail = (behind: string) => gl200Tcp.decode(annotatedText(report(behind)), SESSION).messages[1];
    expect(tail('01,12,358.6,,,,,100,220100,,')).toMatchObject({
      satellites: 12,
      odometer: 358_600,
      ignition: true,
      attributes: { batteryLevel: 100 },
    });
    expect(tail('03,7,0,12.5,,,,,85,110000,,')).toMatchObject({ satellites: 7, odometer: 12_500, ignition: false });
    expect(tail('19,0,,79,1,,')).toMatchObject({ gsm: 19, odometer: null, attributes: { batteryLevel: 79 } });
    expect(tail(',97,1,32.4')).toMatchObject({ odometer: null, attributes: { batteryLevel: 97 } });
  });

  it('of an OBD model has the VIN', () => {
    const frame = annotatedText(
      '+RESP:GTFRI,360100,352093081452251,3VWGW6AJ0FM237324,gv500,,10,1,1,0.0,0,181.3,-87.629812,41.878113,' +
        '20260115083005,0310,0410,81FE,066D5A,00,0.0,,,,100,410000,0,nan,,20260115083006,13BA$',
    );
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({ attributes: { vin: '3VWGW6AJ0FM237324' } });
  });

  it('reads the vehicle bus in GTERI', () => {
    const frame = annotatedText(
      '+RESP:GTERI,8020050605,352093081452251,GV355CEU,00000004,12390,10,1,1,0.0,37,253.0,-87.629812,41.878113,' +
        '20260115083005,0310,0410,81FE,066D5A,00,0.0,,,,,100,110000,0,1,0001F,1FMZU72E95A770026,2,H311796,109.40,900,20260115083006,2548$',
    );
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({
      odometer: 31_179_600,
      attributes: { vin: '1FMZU72E95A770026', fuelUsed: 109.4, rpm: 900 },
    });
  });

  it('without a fix has the values around the empty position', () => {
    const frame = annotatedText(
      '+RESP:GTGEO,060228,352093081452251,gv300,12665,11,1,0,,,,,,,0310,0410,81FE,066D5A,00,12345.6,00012:34:56,1234,0,85,' +
        '210100,,,,20260115083006,11F0$',
    );
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({
      kind: 'status',
      event: 'geofenceEnter',
      attributes: {
        cell: '310-410-33278-421210',
        odometer: 12_345_600,
        engineHours: 45_296,
        batteryLevel: 85,
        ignition: true,
        externalVoltage: 12.665,
      },
    });
  });

  it.each([
    ['GTCID', '898600810906F8048812', { iccid: '898600810906F8048812' }],
    ['GTCID', '', {}],
    ['GTCSQ', '16,0', { gsm: 16 }],
    ['GTCSQ', '99,0', {}],
  ])('%s,%s is about the SIM', (name, content, attributes) => {
    const frame = annotatedText(`+RESP:${name},1A0102,352093081452251,,${content},20260115083006,11F0$`);
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({ kind: 'status', attributes });
  });

  it('of the first models has its position in another order', () => {
    const frame = annotatedText(
      '+RESP:GTEST,352093081452251,1,0,0,1,54.0,271,181.3,2,-87.629812,41.878113,20260115083005,' +
        '0310,0410,81FE,066D5A,00,11F0,0102070202$',
    );
    expect(gl200Tcp.decode(frame, SESSION)).toMatchObject({
      messages: [
        WHO,
        {
          kind: 'position',
          ...{ time: POSITION.time, valid: true, lat: 41.878113, lon: -87.629812, speed: 15, course: 271 },
          ...{ altitude: 181.3, hdop: 2, event: 'overspeed', attributes: { cell: POSITION.attributes.cell } },
        },
      ],
      // GL100, "Synchronization ACK message".
      acknowledgement: new TextEncoder().encode('+SRVACK:11F0\0'),
    });
    expect(explain(frame).filter(({ name }) => /fix|speed|accuracy|version/.test(name))).toMatchObject([
      { name: 'fix', value: '1' },
      { name: 'speed', value: '54.0' },
      { name: 'accuracy (HDOP)', value: '2' },
      { name: 'time of the fix' },
      { name: 'version', value: '0102070202' },
    ]);
  });

  it.each([
    ['GTTRI', '2,0,99,FIX,20260115083006', [{ valid: true }, { valid: false, hdop: null }]],
    ['GTSZI', '0,3,0,FIX', [{ event: 'geofenceExit', attributes: { fence: 3 } }, {}]],
    ['GTSZI', '0,3,1,FIX', [{ event: 'geofenceEnter' }, {}]],
    ['GTPNA', '20260115083006', [{ kind: 'status', event: 'powerOn' }]],
    ['GTPLA', '20260115083006', [{ event: 'batteryLow' }]],
    ['GTCBC', '94,20260115083006', [{ attributes: { batteryLevel: 94 } }]],
    [
      'GTINF',
      '89380039,18,99,100,1,0,+2.00,0,20260115083006',
      [{ attributes: { iccid: '89380039', gsm: 18, batteryLevel: 100 } }],
    ],
  ])('of the first models: %s,%s', (name, content, expected) => {
    const where = '-87.629812,41.878113,20260115083005,0310,0410,81FE,066D5A,00';
    const fixes = `1,54.0,271,181.3,1,${where},0,54.0,271,181.3,0,${where}`;
    const text = `+RESP:${name},352093081452251,${content.replace('FIX', fixes)},11F0,0102100203$`;
    expect(gl200Tcp.decode(annotatedText(text), SESSION).messages).toMatchObject([WHO, ...expected]);
  });

  it('of the first models end with a zero byte, and their sign of life is answered', () => {
    const report = '+RESP:GTPNA,352093081452251,20260115083006,11F0,0102100203\0';
    const life = 'AT+GTHBD=HeartBeat,352093081452251,20260115083006,11F1,0102100203\0';
    const stream = annotatedText(report + life + report);
    for (const size of [1, 7, 1000]) {
      const { frames, garbage } = framesOf(gl200Tcp, stream, size);
      expect(garbage).toBe(0);
      expect(frames.map(frame => gl200Tcp.decode(frame, SESSION).messages[1])).toMatchObject([
        { event: 'powerOn' },
        { kind: 'heartbeat' },
        { event: 'powerOn' },
      ]);
      expect(new TextDecoder().decode(gl200Tcp.decode(frames[1]!, SESSION).acknowledgement!)).toBe(
        '+RESP:GTHBD,GPRS ACTIVE,HeartBeat,352093081452251,20260115083006,11F1\0',
      );
    }
    expect(gl200Udp.decodeDatagram(annotatedText(report.slice(0, -1)), SESSION.receivedAt).messages).toHaveLength(2);
  });

  it.each(['\r\n', '\0', '\n'])('may have %j between them', between => {
    const report =
      '+RESP:GTFRI,060228,352093081452251,,,10,1,1,20.0,147,329.7,-62.899703,-17.720434,20260115083005,,,,,00,1.0,,,,0,220101,,,,20260115083006,132B$';
    const { frames, garbage } = framesOf(gl200Tcp, new TextEncoder().encode(`${report}${between}`.repeat(2)), 1000);
    expect(garbage).toBe(0);
    const messages = frames.flatMap(frame => gl200Tcp.decode(frame, SESSION).messages);
    expect(messages.filter(({ kind }) => kind === 'position')).toHaveLength(2);
  });

  it.each([
    ['8.5,52.25', 52.25, 8.5],
    ['-62.9,-17.7', -17.7, -62.9],
    ['121.354335,31.2', 31.2, 121.354335],
  ])('has the place %s with few decimals', (place, lat, lon) => {
    const tail = '20260115083005,0310,0410,81FE,066D5A,00,12.3,,,,80,210100,,,,20260115083006,11F0$';
    const frame = annotatedText(`+RESP:GTFRI,060100,352093081452251,,,10,1,1,20.0,147,329.7,${place},${tail}`);
    expect(gl200Tcp.decode(frame, SESSION).messages).toMatchObject([
      WHO,
      { kind: 'position', lat, lon, time: POSITION.time, odometer: 12_300, ignition: true },
    ]);
  });

  const placed = (name: string, before: string, tail: string) =>
    gl200Tcp.decode(
      annotatedText(
        `+RESP:${name},1F0101,352093081452251,${before},1,54.0,271,181.3,-87.629812,41.878113,20260115083005,0310,0410,81FE,066D5A,00,${tail},20260115083006,11F0$`,
      ),
      SESSION,
    ).messages[1];

  it('of OBD models have the values of the engine after the device status', () => {
    const engine = (values: string) =>
      placed('GTFRI', '1G1JC5444R7252367,gv500,,10,1', `2000.0,12345:12:34,,,80,210100,${values}`);
    expect(engine('920,2.5,45')).toMatchObject({ fuel: 45, attributes: { rpm: 920, fuelConsumption: 2.5 } });
    const none = engine('0,nan,');
    expect(none).toMatchObject({ fuel: null, attributes: { rpm: 0 } });
    expect(none).not.toHaveProperty('attributes.fuelConsumption');
  });

  it('of an analog input have its voltage, which is not that of the vehicle', () => {
    for (const name of ['GTAIS', 'GTMAI']) {
      const message = placed(name, ',1234,21,1', '2000.0');
      expect(message).toMatchObject({ attributes: { analogInput2: 1.234 } });
      expect(message).not.toHaveProperty('attributes.externalVoltage');
    }
  });

  it('of a temperature have it only after the kind of alarm', () => {
    expect(placed('GTTMP', ',3,60,1', '80')).toMatchObject({ temperature: 60, attributes: { temperatureAlarm: '3' } });
    expect(placed('GTTMP', ',,00,1', '2000.0')).toMatchObject({ event: 'alarm', temperature: null });
  });

  it('of a GV200 has its inputs, outputs and analog inputs instead of a device status', () => {
    const report = (tail: string) =>
      `+RESP:GTFRI,040100,352093081452251,,,10,1,1,54.0,271,181.3,-87.629812,41.878113,20260115083005,0310,0410,81FE,066D5A,00,${tail},20260115083006,11F0$`;
    const tail = (text: string) => gl200Tcp.decode(annotatedText(report(text)), SESSION).messages[1];
    expect(tail('17363.6,00012:34:56,250,,2990,05,0A,,')).toMatchObject({
      odometer: 17_363_600,
      attributes: {
        ...{ engineHours: 45_296, analogInput1: 0.25, analogInput3: 2.99 },
        ...{ input1: true, input2: false, input3: true, input4: false },
        ...{ output1: false, output2: true, output3: false, output4: true },
      },
    });
    const plain = tail('17363.6,,,,,,,,');
    expect(plain && 'attributes' in plain && plain.attributes).not.toHaveProperty('input1');
  });

  it('of the vehicle bus has the values of the expansion mask', () => {
    const bus = '203FFFFF,,2,H46358,12305.50,601,0,83,,P53.00,,0,2749.15,0.19,2.80,,,,40,,0,,';
    const expansion = '007FFFFF,55,3500,,,1,0,1,,134,37,6,0.5,1.5,0.25,12,D1,,Jane Doe,,AB123,,3,4';
    const frame = annotatedText(`+RESP:GTCAN,310701,352093081452251,,10,0,${bus},${expansion},20260115083006,2945$`);
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({
      kind: 'status',
      attributes: {
        ...{ rpm: 601, adBlueLevel: 55, axleWeight1: 3500, tachoOverspeed: 1, tachoMotion: 0, tachoDirection: 1 },
        ...{ engineBrakingFactor: 134, pedalBrakingFactor: 37, kickDowns: 6, effectiveEngineTime: 1800 },
        ...{ cruiseTime: 5400, kickDownTime: 900, brakeApplications: 12, driver1CardId: 'D1' },
        ...{ driver1Name: 'Jane Doe', registration: 'AB123', rapidBrakings: 3, rapidAccelerations: 4 },
      },
    });
  });

  it.each([
    ['GTBAT', '1,12000,,4.40,0,0', { externalPower: true, externalVoltage: 12, batteryVoltage: 4.4, charging: false }],
    ['GTBAT', '1,,87,4.10,1,0', { externalPower: true, batteryVoltage: 4.1, batteryLevel: 87, charging: true }],
    ['GTBAT', '0,,1,3.90,1,0', { externalPower: false, batteryVoltage: 3.9, charging: true }],
    ['GTALL', 'BSI,cmnet,,,SRI,2', { report: 'GTALL,BSI,cmnet,,,SRI,2' }],
    ['GTGPS', ',0,1F,1F,0,0,', { report: 'GTGPS,,0,1F,1F,0,0,' }],
  ])('%s,%s is information', (name, content, attributes) => {
    const frame = annotatedText(`+RESP:${name},1A0102,352093081452251,,${content},20260115083006,11F0$`);
    expect(gl200Tcp.decode(frame, SESSION).messages).toEqual([
      WHO,
      { kind: 'status', time: expect.any(Number), event: null, attributes },
    ]);
  });

  it.each([
    ['GTJDS', '2,', 'jamming', {}],
    ['GTJDS', '1,', 'jammingEnd', {}],
    ['GTLSW', '0,1,', 'tamper', { input1: true }],
    ['GTEPS', '24000,10,1,', 'alarm', { alarmCode: 'GTEPS', externalVoltage: 24 }],
  ])('%s,%s is an event', (name, before, event, attributes) => {
    const frame = annotatedText(
      `+RESP:${name},1A0102,352093081452251,,${before}1,54.0,271,181.3,-87.629812,41.878113,20260115083005,` +
        '0310,0410,81FE,066D5A,00,20260115083006,11F0$',
    );
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({ kind: 'position', event, attributes });
  });

  it("are the example of the GV200's document for a signal that is found again", () => {
    const found =
      '+RESP:GTGSS,060100,135790246811220,,1,9,11,,0,4.3,92,70.0,121.354335,31.222073,20090214013254,' +
      '0460,0000,18d8,6141,00,20090214093254,11F0$';
    expect(gl200Tcp.decode(annotatedText(found), SESSION).messages[1]).toMatchObject({
      kind: 'position',
      valid: false,
      event: 'gpsFound',
      satellites: 9,
    });
  });

  it('without a position tells of the lost signal', () => {
    const lost = '+RESP:GTGSS,060100,352093081452251,,0,0,12,,0,,,,,,,0310,0410,81FE,066D5A,00,20260115083006,11F1$';
    expect(gl200Tcp.decode(annotatedText(lost), SESSION).messages[1]).toMatchObject({
      kind: 'status',
      event: 'gpsLost',
      attributes: { cell: '310-410-33278-421210', satellites: 0 },
    });
  });

  it('[R4.03] of a vehicle model has the ignition, the inputs and the outputs, with a last fix or without', () => {
    const bits = fc.integer({ min: 0, max: 0x0f });
    const lastFix = fc.constantFrom('20260115083005', '');
    fc.assert(
      fc.property(bits, fc.integer({ min: 0, max: 7 }), lastFix, (inputs, outputs, fix) => {
        const two = (value: number) => value.toString(16).toUpperCase().padStart(2, '0');
        const frame = annotatedText(
          '+RESP:GTINF,8020040803,352093081452251,GV58LAU,22,89860015123286906624,67,0,1,11916,3,4.12,0,1,,,' +
            `${fix},4,,,,${two(inputs)},${two(outputs)},+0000,0,20260115083006,0086$`,
        );
        expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({
          kind: 'heartbeat',
          attributes: {
            ...{ externalVoltage: 11.916, ignition: inputs % 2 === 1 },
            ...{ input1: (inputs & 2) !== 0, input2: (inputs & 4) !== 0, input3: (inputs & 8) !== 0 },
            ...{ output1: (outputs & 1) !== 0, output2: (outputs & 2) !== 0, output3: (outputs & 4) !== 0 },
          },
        });
      }),
    );
  });

  it('of a handheld gives the temperature of the device', () => {
    const frame = annotatedText(
      '+RESP:GTINF,1A0800,352093081452251,GL300,41,89701016426133851978,23,0,1,204.7,,3.84,1,1,0,0,0,20260115082548,62,1,-8,,,20260115083006,0C98$',
    );
    expect(gl200Tcp.decode(frame, SESSION).messages[1]).toMatchObject({
      kind: 'heartbeat',
      attributes: { batteryLevel: 62, boardTemperature: -8 },
    });
  });

  it('does not read a number as the VIN', () => {
    const frame = annotatedText(
      '+RESP:GTOBD,1F0101,352093081452251,gv500,0,FFFF,8,1,12345,,,,1000,45,,45,0,,,,,1,54.0,271,181.0,-87.629812,41.878113,' +
        '20260115083005,0310,0410,81FE,066D5A,00,12345.6,20260115083006,11F0$',
    );
    const [, position] = gl200Tcp.decode(frame, SESSION).messages;
    expect(position).toMatchObject({ kind: 'position', odometer: 12_345_600 });
    expect(position && 'attributes' in position && position.attributes).not.toHaveProperty('vin');
  });

  it('heartbeat is answered with version and count', () => {
    const frame = annotatedText('+ACK:GTHBD,1A0401,352093081452251,,20260115083005,11F0$');
    const { messages, acknowledgement } = gl200Tcp.decode(frame, SESSION);
    expect(messages).toEqual([WHO, { kind: 'heartbeat', attributes: {} }]);
    expect(text(acknowledgement)).toBe('+SACK:GTHBD,1A0401,11F0$');
  });

  it('answer to a command has the command’s serial number', () => {
    expect(text(gl200Tcp.encodeCommand('AT+GTRTO=gv300,1,,,,,', 7, IMEI))).toBe('AT+GTRTO=gv300,1,,,,,,0007$');
    const frame = annotatedText('+ACK:GTRTO,060228,352093081452251,gv300,RTL,0007,20260115083005,11F1$');
    expect(gl200Tcp.decode(frame, SESSION).messages).toEqual([WHO, { kind: 'reply', text: 'GTRTO RTL', reference: 7 }]);
  });

  it.each([
    ['+RESP:GTFRI,060228,nobody,gv300,1,1$', 'bad-field'],
    ['+RESP:GTFRI,060228,352093081452251$', 'too-short'],
    ['+RESP:XXFRI,060228,352093081452251,,,$', 'unknown-type'],
  ])('%s is refused', (frame, code) => {
    expect(gl200Tcp.decode(annotatedText(frame), SESSION).messages).toMatchObject([{ kind: 'error', code }]);
  });
});

const BINARY = annotated(`
  2b525350            | +RSP
  07                  | message type
  00fc1fbf            | report mask
  005d                | length: 93
  45                  | device type
  0102 0209           | protocol and firmware version
  23145d080e341901    | IMEI: the values 35 20 93 08 14 52 25 and 1
  64                  | battery, percent
  377e                | external power
  42                  | motion status: moving, ignition unknown
  07                  | satellites
  10 01               | report id and type, number of places
  01                  | GPS accuracy
  0036 05             | speed 54.5 km/h
  010f                | azimuth 271
  00b5                | altitude 181
  fac6e00c            | longitude -87.629812
  027f0261            | latitude 41.878113
  07ea 01 0f 08 1e 05 | GPS time 2026-01-15 08:30:05
  0310 0410 81fe 6d5a | country, network, area, cell
  00                  | reserved
  000000 00000210 07  | mileage of the trip, total mileage 528.7 km
  000000 000000000000 | hour meters, which are not read
  07ea 01 0f 08 1e 06 | send time
  1019                | count number
  70fb                | checksum of all from the message type on
  0d0a                | tail
`);

describe('binary', () => {
  it('is a login and a position', () => {
    expect(gl200Tcp.nextFrame(BINARY)).toEqual({ status: 'frame', end: 93 });
    expect(gl200Tcp.decode(BINARY, SESSION).messages).toEqual([
      WHO,
      {
        ...POSITION,
        speed: 54.5 / 3.6,
        altitude: 181,
        ignition: null,
        odometer: 528_700,
        satellites: 7,
        attributes: {
          cell: '310-410-33278-27994',
          reportCode: 7,
          batteryLevel: 100,
          externalVoltage: 14.206,
          movement: true,
        },
      },
    ]);
  });

  it('with other fields in its mask', () => {
    // No speed, azimuth, altitude, tower or battery; three analog inputs, inputs and outputs; two positions.
    const place = '01 fac6e00c 027f0261 07ea010f081e05';
    const body = `07 00fff7b0 0055 45 0102 0209 23145d080e341901 377e 0001 0002 1388 07 02 21 18 10 02 ${place} ${place}
      07ea010f081e06 1019`;
    const bytes = annotated(`2b525350 ${body} 0000 0d0a |`);
    const view = new DataView(bytes.buffer);
    view.setUint16(9, bytes.length);
    view.setUint16(bytes.length - 4, crc16Ccitt(bytes, 4, bytes.length - 4));
    const [, first, second] = gl200Tcp.decode(bytes, SESSION).messages;
    expect(first).toMatchObject({ kind: 'position', lat: 41.878113, speed: null, attributes: {} });
    expect(second).toMatchObject({
      time: POSITION.time,
      lon: -87.629812,
      speed: null,
      course: null,
      altitude: null,
      satellites: 8,
      ignition: true,
      attributes: {
        externalVoltage: 14.206,
        analogInput3: 5,
        input1: true,
        input2: true,
        input3: false,
        output2: true,
      },
    });
    expect(explain(bytes).map(({ name }) => name)).toEqual(expect.arrayContaining(['analog input 3', 'place 2']));
  });

  it('is kept as a status if its position is not found', () => {
    const bytes = annotated(
      `2b525350 64 00fc1fbf 0000 45 0102 0209 23145d080e341901 0003 112233 07ea010f081e06 1019 0000 0d0a |`,
    );
    const view = new DataView(bytes.buffer);
    view.setUint16(9, bytes.length);
    view.setUint16(bytes.length - 4, crc16Ccitt(bytes, 4, bytes.length - 4));
    expect(gl200Tcp.decode(bytes, SESSION).messages).toMatchObject([
      WHO,
      { kind: 'status', attributes: { reportCode: 100 } },
    ]);
  });

  it('with a flipped bit is refused', () => {
    for (const at of [4, 20, 50, 90]) {
      const broken = BINARY.with(at, (BINARY[at] ?? 0) ^ 1);
      expect(gl200Tcp.decode(broken, SESSION).messages).toMatchObject([{ kind: 'error', code: 'bad-checksum' }]);
    }
  });
});

const RECORDS = annotated(`
  2b 00            | header
  0038             | length: 56
  00               | one packet
  0352093081452251 | IMEI
  8203 0003 00     | device type, protocol version, custom version
  00               | no reserved data
  21               | record of 33 bytes
  6968a57d         | made 2026-01-15 08:29:49
  0189             | count
  50 00            | record id, event code
  52 16            | data item: place, 22 bytes
  29               | not read
  fac6e00c         | longitude
  027f0261         | latitude
  6968a58d         | time 2026-01-15 08:30:05
  0000             | speed
  16000000 10f505  | not read
  010f             | frame count
  f8 24            | not verified, tail
`);

describe('records', () => {
  it('are a login and a position each', () => {
    expect(gl200Tcp.nextFrame(RECORDS)).toEqual({ status: 'frame', end: 56 });
    expect(gl200Tcp.decode(RECORDS, SESSION).messages).toMatchObject([
      WHO,
      { kind: 'position', time: POSITION.time, valid: true, lat: 41.878113, lon: -87.629812, speed: 0 },
    ]);
  });
});
