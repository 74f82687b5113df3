import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import type { PositionMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { jt808 } from './decode.ts';
import { encodePacket } from './encode.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);
const PLACE = '00000000 00000003 0155c8d0 06ca6f84 0015 01e0 005a 260304130607';

const messagesOf = (id: number, body: string) =>
  jt808.decode(encodePacket(id, '013912345678', 9, annotated(`${body} |`)), SESSION).messages.slice(1);
const located = (items: string) => messagesOf(0x0200, `${PLACE} ${items}`)[0] as PositionMessage;
/** An item with its length. */
const item = (id: string, value: string): string =>
  `${id} ${(value.replaceAll(' ', '').length / 2).toString(16).padStart(2, '0')} ${value}`;
const text = (value: string) => Buffer.from(value).toString('hex');

describe('items of the G10LS protocol', () => {
  it.each([
    ['drum', '52 01 02', { rotation: 'reverse' }],
    ['battery in tenths and percent', '56 02 085a', { batteryLevel: 90 }],
    ['SIM', `f1 14 ${text('89860012345678901234')}`, { iccid: '89860012345678901234' }],
    ['armed', 'f3 01 01', { armed: true }],
    ['acceleration', 'f5 06 0010 fff0 03e8', { accelerationX: 16, accelerationY: -16, accelerationZ: 1000 }],
    ['charging', 'f6 04 02010001', { workMode: 2, externalPower: true, charging: true }],
    ['charged', 'f6 04 02010003', { workMode: 2, externalPower: true, charging: false }],
  ])('%s', (_, items, attributes) => expect(located(items).attributes).toEqual(attributes));

  it('alarm bits that are reserved until 2019', () => {
    const word = (bits: string) => messagesOf(0x0200, PLACE.replace('00000000', bits))[0];
    expect(word('00008000')).toMatchObject({ event: 'batteryLow', attributes: {} });
    expect(word('00010000')).toMatchObject({ event: 'vibration' });
    const frame = encodePacket(0x0200, '352093081452251', 9, annotated(`${PLACE.replace('00000000', '00010000')} |`));
    expect(jt808.decode(frame, SESSION).messages[1]).toMatchObject({
      event: 'alarm',
      attributes: { alarms: 'tirePressure' },
    });
  });

  it('alarms of the word and of an item', () => {
    const place = PLACE.replace('00000000', '00000080');
    expect(messagesOf(0x0200, place)).toMatchObject([{ event: 'powerLow' }]);
    expect(messagesOf(0x0200, `${place} ${item('eb', '0006 0089 ffffefff')}`)).toMatchObject([
      { event: 'powerLow', attributes: { alarms: 'powerLow tamper' } },
    ]);
  });

  it('alarms and inputs', () => {
    expect(located('f4 02 0051')).toMatchObject({
      event: 'crash',
      attributes: { alarms: 'harshAcceleration crash', input1: true, input2: false },
    });
  });
});

describe('locks of Huabao', () => {
  it('[R4.03] master and slaves, with card and battery', () => {
    const value = '02 2002604323 2795937861 60 0012 2000001234 2795937861 58 0013';
    expect(located(item('d5', value)).attributes).toEqual({
      lock1Id: '2002604323',
      lock1Card: '2795937861',
      lock1BatteryLevel: 0x60,
      lock1State: 0x12,
      lock2Id: '2000001234',
      lock2Card: '2795937861',
      lock2BatteryLevel: 0x58,
      lock2State: 0x13,
    });
  });
});

describe('headers', () => {
  const framed = (content: string): Uint8Array => {
    const bytes = annotated(`${content} |`);
    const sum = bytes.reduce((all, byte) => all ^ byte, 0);
    return Uint8Array.of(0x7e, ...bytes, sum, 0x7e);
  };
  it.each([
    ['the bit of the version, but the short number', '0200 401c 013912345678 0009', '013912345678'],
    ['the long number without the bit', '0200 001c 00000352093081452251 0009', '352093081452251'],
    ['the version and the long number without the bit', '0200 001c 01 00000352093081452251 0009', '352093081452251'],
    ['both', '0200 401c 01 00000352093081452251 0009', '352093081452251'],
  ])('[R4.03] with %s', (_, head, imei) => {
    expect(jt808.decode(framed(`${head} ${PLACE}`), SESSION).messages).toMatchObject([
      { kind: 'login', imei },
      { kind: 'position', time: TIME },
    ]);
  });

  it('[R4.03] authentication since 2019 names IMEI and software', () => {
    const body = `04 ${text('code')} ${text('352093081452269')} ${text('V1.2')} 00000000`;
    const frame = encodePacket(0x0102, '352093081452251', 9, annotated(`${body} |`));
    expect(jt808.decode(frame, SESSION).messages).toEqual([
      { kind: 'login', imei: '352093081452251', attributes: { imei: '352093081452269', firmware: 'V1.2' } },
    ]);
  });
});

describe('items and messages of the BSJ EG01 protocol', () => {
  it('alarms by a bit that is clear', () => {
    expect(located('eb 08 0006 0089 ffffffff')).toMatchObject({ event: null });
    expect(located('eb 08 0006 0089 ffffffef')).toMatchObject({ event: 'crash' });
    expect(located('eb 08 0006 00c5 ffffffbf')).toMatchObject({ event: 'vibration' });
  });

  it('tower, stations and IMEI', () => {
    const items = `000b 00d8 01cc 00 81fe 00066d9b 0018 00b9 01 ${text('24:69:68:5d:2c:a5,-30')}`;
    expect(located(item('eb', items)).attributes).toEqual({
      cell: '460-0-33278-421275',
      wifi: '24:69:68:5D:2C:A5:-30',
    });
    expect(located(`eb 13 0011 00d5 ${text('352093081452251')}`).attributes).toEqual({ imei: '352093081452251' });
  });

  it('heartbeat', () => {
    expect(messagesOf(0x0002, '55 17 00')).toEqual([{ kind: 'heartbeat', attributes: { batteryLevel: 85, gsm: 23 } }]);
    expect(messagesOf(0x0002, 'ff 17 00')).toEqual([{ kind: 'heartbeat', attributes: {} }]);
  });
});

describe('data streams of OBD terminals', () => {
  it('basic', () => {
    const items = '0003 05 01 0012d687 0004 05 0b 00001388 0012 02 007d 0013 01 29 0014 01 17 0018 01 0b 0099 01 07';
    expect(located(item('ea', items))).toMatchObject({
      odometer: 1_234_567,
      gsm: 23,
      satellites: 11,
      attributes: { fuelUsed: 5, externalVoltage: 12.5, batteryVoltage: 4.1, obd0099: 7 },
    });
  });

  it('car, truck, electric vehicle, probes', () => {
    const car = '60c0 02 06c6 6050 01 76 62f0 02 01f4';
    expect(located(item('eb', car)).attributes).toEqual({ rpm: 1734, coolantTemperature: 78, fuelLevel1: 50 });
    expect(located(item('ec', '62f0 02 81f4 5005 02 0064')).attributes).toEqual({ fuelVolume: 50, fuelRate: 5 });
    expect(located(item('ed', '7001 04 00003039 7002 01 50'))).toMatchObject({
      odometer: 1_234_500,
      attributes: { tractionBattery: 80 },
    });
    expect(located('ee 05 3003 02 0122')).toMatchObject({ temperature: -11, attributes: { temperature2: -11 } });
    expect(located('e1 02 06c6').attributes).toEqual({ rpm: 1734 });
  });

  it.each([
    [
      'basic',
      'ea',
      '0006 04 0000003c 0016 01 f0 0022 02 80ff 0010 0a 0002 00fa 0010 0020 0400',
      {
        engineOffTime: 60,
        obdProtocol: 0xf0,
        rollRate: -25.5,
        accelerationSamples: 2,
        accelerationMax: 10.0420096,
      },
    ],
    [
      'doors, lights and gear, of those that the vehicle has',
      'ea',
      '0011 14 46 11 01 00 03 02 f0 000000 06 10 01 ff 02 02 3f 000000',
      {
        armed: true,
        brake: true,
        passengerSeatBelt: false,
        doorFrontLeft: false,
        trunk: true,
        lockedFrontLeft: true,
        lowBeam: false,
        highBeam: true,
        lowFuel: true,
        gear: 'D',
      },
    ],
    [
      'car',
      'eb',
      '6014 01 01 6100 02 0019 6210 04 00000003 60e0 02 02da 6905 04 16 17 ff 18 6904 02 8123 6340 04 8000 4000',
      {
        checkEngine: 1,
        airFlow: 2.5,
        troubleDistance: 3000,
        timingAdvance: 9,
        tire1Pressure: 220,
        tire2Pressure: 230,
        tire4Pressure: 240,
        oilHeight: 29.1,
        lambda: 1.00001525902,
        oxygenSensorCurrent: 2.00003051804,
      },
    ],
    [
      'truck',
      'ec',
      `5003 01 01 5103 02 1388 5107 02 3fc0 510e 04 00000320 5101 01 9b 520a 02 000f 5115 11 ${text('5J6RW2H53HL066029')} fff1 02 0001`,
      {
        parkingBrake: 1,
        noxUpstream: 50,
        scrInletTemperature: 237,
        adBlueUsed: 800,
        engineTorque: 30,
        workTime: 5400,
        vin: '5J6RW2H53HL066029',
        obdFFF1: 1,
      },
    ],
    [
      'electric vehicle',
      'ed',
      '7004 01 03 7006 02 7d0b 7007 02 0172 7009 02 7c17 700b 01 5a 700d 02 c350 7035 01 40 703e 01 41 7042 01 62',
      {
        chargingState: 3,
        charging: true,
        tractionCurrent: -7.56,
        tractionCellVoltageMax: 3.7,
        motorSpeed: -1000,
        motorTemperature: 50,
        busCurrent: 0,
        tractionTemperature1: 24,
        tractionTemperature10: 25,
        tractionHealth: 98,
      },
    ],
    [
      'tires, load, tanks, drum',
      'ee',
      '3001 01 02 3006 0c 88000000 0082 41 00 0096 42 20 300a 05 01 0014 000c 300c 0c 04d2 1388 0000 0000 0000 0000',
      {
        rotation: 'reverse',
        tire1Pressure: 130,
        tire1Temperature: 25,
        tire5Pressure: 150,
        tire5Temperature: 26,
        tire5Alarm: 32,
        ratedLoad: 20_000,
        loadWeight: 12_000,
        waterTank: 12.34,
        foamTank: 50,
      },
    ],
    [
      'fuel sensors',
      'ee',
      '300b 12 01 01 c1 02 000001f4 01 00002710 03 000f4240',
      { fuelLevel1: 50, fuelHeight2: 1000, fuelVolume8: 100 },
    ],
    ['a fuel sensor that is offline', 'ee', '300b 08 00 01 80 02 000001f4', {}],
    [
      'signals and pictures of a camera system',
      'ee',
      '3009 0b 01 00 00 01 00 00 00 00 01 00 00 3008 19 04 00 01 000000000000000000 02 000000000000000000000000',
      {
        brake: true,
        lowBeam: false,
        highBeam: false,
        leftTurn: true,
        rightTurn: false,
        input1: false,
        input2: false,
        door: true,
        input3: false,
        input4: false,
        videoChannels: 4,
        videoLive: 1,
        videoSignalLost: 0,
        videoSignalCovered: 2,
      },
    ],
    [
      'towers',
      'fb',
      `0001 28 260304130607 ${text('460,0,')} 02 ${text(',9365,4413,20,9365,65536,12')}`,
      { cell: '460-0-9365-4413', cells: '460-0-9365-4413 460-0-9365-65536' },
    ],
    [
      'towers without a number of their own',
      'fb',
      `260304130607 ${text('310,260,1,9365,4413,20')}`,
      { cell: '310-260-9365-4413' },
    ],
    [
      'stations',
      'fc',
      `0001 38 02 ${[0xbc, 0xa9].map(level => `${text('-,-,')} ${level.toString(16)} ${text(',1C:20:DB:8D:D7:80,')} 06`).join(' ')}`,
      { wifi: '1C:20:DB:8D:D7:80:-68 1C:20:DB:8D:D7:80:-87' },
    ],
  ])('[R4.03] %s', (_, id, items, attributes) => {
    const fields = items.replaceAll(' ', '');
    expect(located(item(id, fields)).attributes).toEqual(attributes);
  });

  it('[R4.03] an alarm of a tire, a robbery, a wireless thermometer', () => {
    expect(located('ee 0b 3006 08 80000000 0096 42 80')).toMatchObject({ event: 'alarm' });
    expect(located('ee 0b 3006 08 80000000 0096 42 20')).toMatchObject({ event: null });
    expect(located('ee 0e 3009 0b 00 00 00 00 00 00 00 01 00 00 00')).toMatchObject({ event: 'sos' });
    expect(located('ee 0b 300d 08 ffce 0230 0168 ff c4')).toMatchObject({
      temperature: -5,
      attributes: { tag1Temperature: -5, tag1Humidity: 56, tag1Voltage: 3.6, tag1Removed: false, tag1Rssi: -60 },
    });
  });

  it('[R4.03] an alarm that is over is none', () => {
    expect(located('fa 04 0107 01 01')).toMatchObject({ event: 'overspeed', attributes: {} });
    expect(located('fa 0c 0107 09 00 0078 04b0 03e8 0fa0')).toMatchObject({
      event: 'overspeedEnd',
      attributes: { alarmDuration: 120, overspeedMaximum: 33.3333333333, overspeedDistance: 4000 },
    });
    expect(located('fa 0c 0106 09 00 0078 00c8 03e8 0320')).toMatchObject({
      event: 'idlingEnd',
      attributes: { alarmDuration: 120, idleFuelUsed: 0.2 },
    });
    expect(located('fa 06 0108 03 00 0078')).toMatchObject({
      event: null,
      attributes: { alarmCode: 0x0108, alarmDuration: 120 },
    });
  });

  it('[R4.03] armed, door closed, connector', () => {
    expect(located('fa 03 0003 00')).toMatchObject({ event: null, attributes: { armed: true } });
    expect(located('fa 03 0006 00')).toMatchObject({ event: null, attributes: { door: false } });
    expect(located('fa 03 040b 00')).toMatchObject({ event: 'tamper' });
    expect(located('fa 03 0406 00')).toMatchObject({ event: null, attributes: { alarmCode: 0x0406 } });
  });

  it('alarms', () => {
    expect(located('fa 03 0111 00')).toMatchObject({ event: 'harshAcceleration' });
    expect(located('fa 03 0201 00')).toMatchObject({ event: 'alarm', attributes: { alarmCode: 0x0201 } });
    expect(located('fa 03 0007 00')).toMatchObject({ event: null, attributes: { alarmCode: 7 } });
    expect(located('fa 03 0111 05')).toMatchObject({ event: null, attributes: { itemFA: '011105' } });
  });

  it('trip, trouble codes, sleep, collision, passed through', () => {
    const trip = '0002 06 260304130607 0005 04 0155c8d0 0006 04 86ca6f84 0009 04 00002710 000a 04 000003e8';
    expect(messagesOf(0x0900, `f1 ${trip}`)).toMatchObject([
      { kind: 'position', time: TIME, lat: 22.399184, lon: -113.930116, event: 'tripStop' },
    ]);
    expect(messagesOf(0x0900, `f1 ${trip}`)).toMatchObject([{ attributes: { tripOdometer: 10_000, tripFuelUsed: 1 } }]);
    expect(messagesOf(0x0900, 'f2 260304130607 00000000 00000000 01 50301234')).toMatchObject([
      { kind: 'status', time: TIME, attributes: { troubleCodes: '50301234' } },
    ]);
    expect(messagesOf(0x0900, 'f3 260304130607')).toMatchObject([{ kind: 'status', event: 'sleep' }]);
    expect(messagesOf(0x0900, 'f4 260304130607 10 007d 0000')).toMatchObject([{ attributes: { wakeReason: 16 } }]);
    expect(messagesOf(0x0900, 'f7 260304130607 0155c8d0 06ca6f84 0102')).toMatchObject([
      { kind: 'position', event: 'crash', time: TIME },
    ]);
  });

  it('[R4.03] all of a trip, its beginning, an upgrade, how hard a collision was', () => {
    const trip = [
      '0001 06 260304123607 0002 06 260304130607 0003 04 0155c8d0 0004 04 86ca6f84 0005 04 0155c8d0 0006 04 86ca6f84',
      '000c 02 001e 0012 02 0007 0016 04 000003e8 001c 04 00000064 001d 04 000001f4',
    ].join(' ');
    expect(messagesOf(0x0900, `f1 ${trip}`)).toMatchObject([
      {
        event: 'tripStop',
        attributes: {
          tripStartTime: '2026-03-04T04:36:07Z',
          tripStartLat: 22.399184,
          tripStartLon: -113.930116,
          tripOverspeedTime: 30,
          tripBrakings: 7,
          tripDistanceTo20: 1000,
          tripDistanceAbove120: 100,
          tripIdleFuelUsed: 0.5,
        },
      },
    ]);
    expect(messagesOf(0x0900, 'f6 05')).toMatchObject([
      { kind: 'status', attributes: { upgrade: 'error in the file' } },
    ]);
    const samples = '0001 0002 0003 28 fff1 0002 0003 27';
    expect(messagesOf(0x0900, `f7 260304130607 0155c8d0 06ca6f84 000001f4 02 ${samples}`)).toMatchObject([
      { kind: 'position', event: 'crash', attributes: { collisionLevel: 2, accelerationSamples: 2 } },
    ]);
  });

  it('[R4.03] CAN broadcasts', () => {
    const frames = '18fef100 0102030405060708 00000123 ffffffffffffffff';
    expect(messagesOf(0x020a, `260304130607 0002 ${frames}`)).toEqual([
      {
        kind: 'status',
        time: TIME,
        event: null,
        attributes: { canFrames: 2, can18FEF100: '0102030405060708', can123: 'FFFFFFFFFFFFFFFF' },
      },
    ]);
    expect(messagesOf(0x020a, `260304130607 0003 ${frames}`)).toMatchObject([{ attributes: { messageId: '020A' } }]);
  });

  it('[R4.03] cells of the traction battery', () => {
    const mask = '88000000 00000000 00000000 00000000';
    const cells = `0001 0014 ${mask} 8158 7ea6 0002 0014 ${mask} 0000 0960`;
    expect(messagesOf(0x0210, `260304130607 0030 ${cells}`)).toEqual([
      {
        kind: 'status',
        time: TIME,
        event: null,
        attributes: {
          tractionCellVoltages: '1:3.45 5:-3.45',
          tractionCellVoltageMin: -3.45,
          tractionCellVoltageMax: 3.45,
          tractionTemperatures: '1:-40 5:200',
          tractionTemperatureMin: -40,
          tractionTemperatureMax: 200,
        },
      },
    ]);
  });

  it('version, and the result of a command', () => {
    const texts: readonly (readonly [string, number])[] = [
      ['HLM200_V201001', 14],
      ['2018-11-19', 10],
      ['', 12],
      ['EC20', 15],
      ['352093081452251', 15],
      ['310410123456789', 15],
      ['89860012345678901234', 20],
      ['', 2],
      ['5J6RW2H53HL066029', 17],
    ];
    const body = texts.map(([value, bytes]) => text(value.padEnd(bytes, '\0'))).join(' ');
    expect(messagesOf(0x0205, `${body} 00002710 000003e8`)).toMatchObject([
      { attributes: { firmware: 'HLM200_V201001', vin: '5J6RW2H53HL066029', odometer: 10_000, fuelUsed: 1 } },
    ]);
    expect(messagesOf(0x0105, '002a 90 04')).toEqual([{ kind: 'reply', text: '90 result 4', reference: 42 }]);
  });
});
