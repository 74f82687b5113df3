import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { possible } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { readLocations } from './binary-location.ts';
import { gl200Tcp } from './decode.ts';

const read = (text: string): DecodedMessage | undefined =>
  gl200Tcp.decode(new TextEncoder().encode(text), { imei: null, receivedAt: epochMs(0) }).messages.at(-1);

const HEAD = '+RESP:GTERI,740904,352093081452251,,00000100,,10,1,1,12.0,90,97.7';
const PLACE = '-87.629812,41.878113,20260304050607,0310,0410,550B,085BE2AA';
const END = '20260304050610,405C$';
const eri = (appended: string, accessories: string, place = PLACE): DecodedMessage | undefined =>
  read(`${HEAD},${place},${appended},3.6,0001234:30:00,1200,,,85,220100,0,${accessories},${END}`);

describe('Queclink: a binary report whose position is not where the mask puts it', () => {
  it('has no position later than its send time', () => {
    // Altitude is in the mask and missing; before the longitude, bytes that look like a place in 2048.
    const hexadecimal =
      '2b4253500700ffe7bf0092010101010123145d080e341901010101010101010122010301000800011506391fe2fe9529de07ed0118171d17' +
      '0310041081fe6d5a0001000800011506391fe2fe9529de07ed0118171d170310041081fe6d5a0001000800011506391fe2fe9529de07ed01' +
      '18171d170310041081fe6d5a00000000000000000007ed011900000000010000';
    const frame = Uint8Array.from(Buffer.from(hexadecimal, 'hex'));
    const end = frame.length - 11;
    expect(readLocations(frame, end, { event: false, replayed: true })).toMatchObject([
      { time: Date.UTC(2029, 0, 24, 23, 29, 23), lat: -23.77885, lon: 104.40701 },
    ]);
  });
});

describe('Queclink: what comes with a position', () => {
  it.each([
    ['satellites', '01,11', { satellites: 11, hdop: 1 }],
    ['satellites and what caused the fix', '03,11,2', { satellites: 11, hdop: 1 }],
    ['satellites and dilution', '0009,9,2.01,1.47,2.49', { satellites: 9, hdop: 2.01 }],
    ['satellites and jamming', '11,9,1', { satellites: 9, hdop: 1 }],
    ['all of them', '1B,9,0,2.01,1.47,2.49,1', { satellites: 9, hdop: 2.01 }],
    ['nothing', '00', { satellites: null, hdop: 1 }],
  ])('%s', (_, appended, expected) => {
    expect(eri(appended, '0')).toMatchObject({ ...expected, odometer: 3600, attributes: { batteryLevel: 85 } });
  });

  it('a magnet, a tire, a sensor with an event: more fields for each bit', () => {
    const magnet = '00,11,0,0000001E,100F,,D325C2B2A2F8,1,2967,0,15,0';
    const tire = '01,12,0,001A42A2,0617,TPMS,08351B00043C,1,26,65,20260304050607';
    const door = '02,3,1,0000006D,011F,DOOR,F022A2143F36,1,3500,0,9,0';
    expect(eri('01,11', `3,${magnet},${tire},${door}`)).toMatchObject({
      kind: 'position',
      temperature: 26,
      attributes: {
        tag1Mac: 'D325C2B2A2F8',
        tag1BatteryVoltage: 2.967,
        tag1MagnetCount: 15,
        tag1Magnet: 0,
        tag2Name: 'TPMS',
        tag2TirePressure: 65,
        tag2Temperature: 26,
        tag3Name: 'DOOR',
        tag3Mode: 9,
        tag3Event: 0,
      },
    });
  });

  it('stops at a bit that is not known, and keeps what came before', () => {
    const relay = '00,3,0,00,4003,RELAY,D325C2B2A2F8,1,1';
    const message = eri('01,11', `2,${relay},01,1,0,00000001,0001,LAST`);
    expect(message).toMatchObject({ attributes: { tag1Name: 'RELAY', tag1Mac: 'D325C2B2A2F8' } });
    expect(message).not.toHaveProperty('attributes.tag2Name');
  });

  it('accessories of a report without a position', () => {
    const blank = `+RESP:GTERI,740904,352093081452251,,00000100,,10,1,,,,,,,,0310,0410,550B,085BE2AA`;
    const rest = '00,3.6,0001234:30:00,1200,,,85,220100,0,1,00,2,0,00,0010,21';
    expect(read(`${blank},${rest},${END}`)).toMatchObject({
      kind: 'status',
      attributes: { tag1Temperature: 21, batteryLevel: 85 },
    });
  });
});

describe('Queclink: temperature of GL300', () => {
  it.each([
    ['1', 'alarm'],
    ['2', null],
    ['3', 'alarm'],
  ])('alarm type %s is the event %s', (type, event) => {
    const report = `+RESP:GTTEM,1A0102,352093081452251,,${type},33,0,5.8,0,33.4,${PLACE},,${END}`;
    expect(read(report)).toMatchObject({ kind: 'position', temperature: 33, event });
  });
});

describe('Queclink: a position on a call', () => {
  const place = (before: string): DecodedMessage | undefined =>
    read(`+RESP:GTLBC,020102,352093081452251,,${before},4.3,92,70.0,${PLACE},00,,${END}`);

  it('has an accuracy of 1 to 50, and never the caller’s number', () => {
    expect(place('3125550142,2')).toMatchObject({ kind: 'position', valid: true, hdop: 2, lat: 41.878113 });
    expect(place('3125550142')).toMatchObject({ kind: 'position', valid: true, hdop: null, lat: 41.878113 });
  });
});

describe('Queclink: positions without a fix', () => {
  const of = (text: string): readonly DecodedMessage[] =>
    gl200Tcp.decode(new TextEncoder().encode(text), { imei: null, receivedAt: epochMs(0) }).messages.slice(1);
  const REPORT = '+RESP:GTFRI,060228,352093081452251,,,00,2';
  const FIX = `1,12.0,90,97.7,${PLACE},00`;
  const BLANK = '0,,,,,,,0310,0410,550B,085BE2AA,00';
  const TAIL = `12.3,,,,85,220100,,,,${END}`;

  it.each([
    ['behind', [FIX, BLANK]],
    ['before', [BLANK, FIX]],
    ['around', [BLANK, FIX, BLANK]],
  ])('%s one with a fix take nothing from the report', (_, places) => {
    expect(of([REPORT, ...places, TAIL].join())).toMatchObject([
      {
        kind: 'position',
        time: Date.UTC(2026, 2, 4, 5, 6, 7),
        odometer: 12_300,
        ignition: true,
        attributes: { batteryLevel: 85 },
      },
    ]);
  });

  it.each([
    ['no coordinates', BLANK, 'fix'],
    ['no time', FIX.replace('20260304050607', ''), 'time'],
    ['zeros and accuracy 0', `0,0.0,0,0.0,0.000000,0.000000,20260304050607,0310,0410,550B,085BE2AA,00`, 'fix'],
  ])('[R4.03] with %s are a status with its reason', (_, place, noFix) => {
    const message = { ...of([REPORT, place, TAIL].join()).map(possible)[0] };
    expect(message).toMatchObject({ kind: 'status', attributes: { noFix, cell: '310-410-21771-140239530' } });
  });
});

describe('Queclink: the fuel sensor of a GV200, which has no device status', () => {
  const eri = (behind: string): DecodedMessage | undefined =>
    read(`+RESP:GTERI,040408,352093081452251,,00000001,,10,1,1,0.5,55,71.8,${PLACE},00,0.0,${behind},1,0097,${END}`);

  it.each([
    ['empty fields, as in the document', ',,,,,,', {}],
    ['inputs and outputs', '00012:00:00,250,300,350,0F,01,', { engineHours: 43_200, analogInput1: 0.25, input4: true }],
  ])('behind %s', (_, behind, attributes) => {
    expect(eri(behind)).toMatchObject({ kind: 'position', attributes: { ...attributes, fuelSensor1: 0x97 } });
  });

  it('an unusual loss of fuel is an alarm', () => {
    const loss = read(`+RESP:GTFLA,040408,352093081452251,,25,10,1,0.5,55,71.8,${PLACE},00,0.0,${END}`);
    expect(loss).toMatchObject({ kind: 'position', event: 'alarm', attributes: { alarmCode: 'GTFLA' } });
  });
});

describe('Queclink: information about the device with a place in it', () => {
  const FIX = `1,12.0,90,97.7,${PLACE},00`;

  it.each([
    ['GTLBS', '0,0,0,0310,0410,550B,085BE2AA,30,,', { cells: '310-410-21771-140239530:30' }],
    ['GTCSQ', '21,0', { gsm: 21 }],
    ['GTINF', '21,,18,0,1,12345,3,4.10,0,1,0,0,20260304050607', { gsm: 18, externalVoltage: 12.345 }],
  ])('%s has both', (name, content, attributes) => {
    const text = `+RESP:${name},060228,352093081452251,,${content},${FIX},${END}`;
    const [, own, place] = gl200Tcp.decode(new TextEncoder().encode(text), {
      imei: null,
      receivedAt: epochMs(0),
    }).messages;
    expect(own).toMatchObject({ attributes });
    expect(place).toMatchObject({ kind: 'position', lat: 41.878113, time: Date.UTC(2026, 2, 4, 5, 6, 7) });
  });
});
