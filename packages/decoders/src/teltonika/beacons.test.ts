import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotated } from '../testing/annotated.ts';
import { beaconAttributes } from './beacons.ts';

function attributesOf(id: number, bytes: Uint8Array): Record<string, string | number | boolean> {
  const into: Record<string, string | number | boolean> = {};
  expect(beaconAttributes(id, bytes, into)).toBe(true);
  return into;
}

const u16 = (value: number) => [(value >> 8) & 0xff, value & 0xff];
const sensors = fc.record({
  temperature: fc.integer({ min: -4000, max: 12_500 }),
  humidity: fc.integer({ min: 0, max: 100 }),
  flag: fc.boolean(),
  count: fc.integer({ min: 0, max: 65_535 }),
  pitch: fc.integer({ min: -90, max: 90 }),
  roll: fc.integer({ min: -180, max: 180 }),
  millivolts: fc.integer({ min: 0, max: 4000 }),
});

/** A list of one beacon with these parameters: each its number and its bytes. */
function list(parameters: readonly (readonly number[])[]): Uint8Array {
  const beacon = parameters.flatMap(([id = 0, ...value]) => [id, value.length, ...value]);
  return Uint8Array.of(1, beacon.length, ...beacon);
}

describe('lists of Bluetooth beacons', () => {
  it('are left to the element table if the element is not a beacon list', () => {
    expect(beaconAttributes(256, Uint8Array.of(1), {})).toBe(false);
  });

  it('385: Eddystone with battery and temperature', () => {
    const list = annotated(`
      11                                       | data part 1 of 1
      07                                       | Eddystone with signal, battery, temperature
      00010203040506070809 aabbccddeeff        | namespace, instance
      b5                                       | -75 dBm
      0bb8                                     | 3000 mV
      0915                                     | 23.25 °C
    `);
    expect(attributesOf(385, list)).toEqual({
      tag1Id: '00010203040506070809AABBCCDDEEFF',
      tag1Rssi: -75,
      tag1Battery: 3,
      tag1Temperature: 23.25,
    });
  });

  it('10831 and 548: parameters by type and length', () => {
    const list = annotated(`
      01            | version
      0d            | length of the first beacon
      00 01 a4      | signal -92 dBm
      0e 02 0bd6    | battery 3030 mV
      0d 01 01      | its battery is low
      77 01 05      | a parameter that has no name here
      03            | length of the second beacon
      00 01 e5      | signal -27 dBm
    `);
    const expected = {
      tag1Rssi: -92,
      tag1Battery: 3.03,
      tag1LowBattery: true,
      tag1Parameter119: '05',
      tag2Rssi: -27,
    };
    expect(attributesOf(10_831, list)).toEqual(expected);
    expect(attributesOf(548, list)).toEqual(expected);
  });

  it("10828: the example of an EYE beacon's document", () => {
    expect(attributesOf(10_828, annotated('01120001E50F067CD9F401EF770D01000E020BFE'))).toEqual({
      tag1Rssi: -27,
      tag1Mac: '7CD9F401EF77',
      tag1LowBattery: false,
      tag1Battery: 3.07,
    });
  });

  it('[R4.03] 548: every parameter of an EYE sensor', () => {
    fc.assert(
      fc.property(sensors, ({ temperature, humidity, flag, count, pitch, roll, millivolts }) => {
        const parameters = [
          [5, ...Buffer.from('EYE_1')],
          [6, ...u16(temperature)],
          [7, humidity],
          [8, Number(flag)],
          [9, Number(!flag)],
          [10, ...u16(count)],
          [11, pitch & 0xff],
          [12, ...u16(roll)],
          [13, Number(flag)],
          [14, ...u16(millivolts)],
          [15, 0x7c, 0xd9, 0xf4, 1, 0xef, 0x77],
          [16, ...u16(count)],
        ];
        expect(attributesOf(548, list(parameters))).toEqual({
          tag1Name: 'EYE_1',
          tag1Temperature: temperature / 100,
          tag1Humidity: humidity,
          tag1Magnet: flag,
          tag1Movement: !flag,
          tag1MovementCount: count,
          tag1Pitch: pitch,
          tag1Roll: roll,
          tag1LowBattery: flag,
          tag1Battery: millivolts / 1000,
          tag1Mac: '7CD9F401EF77',
          tag1MagnetCount: count,
        });
      }),
    );
  });

  it('stay hexadecimal in another size, of a parameter that has one', () => {
    expect(
      attributesOf(
        548,
        list([
          [6, 1],
          [11, 1, 2],
          [15, 1],
        ]),
      ),
    ).toEqual({
      tag1Parameter6: '01',
      tag1Parameter11: '0102',
      tag1Parameter15: '01',
    });
  });

  it('[R4.03] go on counting in a second list of the same record', () => {
    const into = attributesOf(10_828, list([[0, 0xe5]]));
    beaconAttributes(10_829, list([[0, 0xe6]]), into);
    beaconAttributes(385, annotated('11 00 00010203040506070809 aabbccddeeff'), into);
    expect(into).toEqual({ tag1Rssi: -27, tag2Rssi: -26, tag3Id: '00010203040506070809AABBCCDDEEFF' });
  });

  it('keep the beacons before the damage', () => {
    expect(attributesOf(548, annotated('01 03 0001a4 09 00'))).toEqual({ tag1Rssi: -92 });
    expect(attributesOf(385, annotated('11 21 0011'))).toEqual({});
    expect(attributesOf(385, new Uint8Array(0))).toEqual({});
  });

  it('end after 64 beacons', () => {
    const many = Uint8Array.of(1, ...Array.from({ length: 200 }, () => [3, 0, 1, 0xa4]).flat());
    expect(Object.keys(attributesOf(548, many))).toHaveLength(64);
  });
});
