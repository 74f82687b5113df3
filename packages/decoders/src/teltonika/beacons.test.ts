import { describe, expect, it } from 'vitest';
import { annotated } from '../testing/annotated.ts';
import { beaconAttributes } from './beacons.ts';

function attributesOf(id: number, bytes: Uint8Array): Record<string, unknown> {
  const into: Record<string, string | number | boolean> = {};
  expect(beaconAttributes(id, bytes, into)).toBe(true);
  return into;
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
