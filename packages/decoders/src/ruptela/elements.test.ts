import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Kermit } from '../crc16.ts';
import type { DecodedMessage, PositionMessage, Session } from '../protocol.ts';
import { ruptela } from './decode.ts';
import { ELEMENTS, readValue } from './elements.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };

type Element = readonly [id: number, bytes: 1 | 2 | 4 | 8, raw: number | string];

/** An extended record with these elements; the first one made the tracker report. */
function recordWith(...elements: readonly Element[]): Uint8Array {
  const writer = new ByteWriter().u64(352_093_081_452_251).u8(68).u8(0).u8(1);
  writer
    .u32(Date.UTC(2026, 2, 4, 5, 6, 7) / 1000)
    .u8(0)
    .u8(0)
    .u8(0);
  writer
    .u32(-876_300_080 >>> 0)
    .u32(418_789_128)
    .u16(1815)
    .u16(27_100)
    .u8(11)
    .u16(54)
    .u8(8);
  writer.u16(elements[0]?.[0] ?? 0);
  for (const size of [1, 2, 4, 8] as const) {
    const group = elements.filter(([, bytes]) => bytes === size);
    writer.u8(group.length);
    for (const [id, , raw] of group) {
      writer.u16(id);
      if (size === 8) writer.hex(String(raw));
      else if (size === 4) writer.u32(Number(raw) >>> 0);
      else if (size === 2) writer.u16(Number(raw) & 0xffff);
      else writer.u8(Number(raw) & 0xff);
    }
  }
  const content = writer.done();
  return new ByteWriter()
    .u16(content.length)
    .bytes(content)
    .u16(crc16Kermit(content, 0, content.length))
    .done();
}

const isFix = (message: DecodedMessage): message is PositionMessage => message.kind === 'position';
function read(...elements: readonly Element[]): PositionMessage {
  const found = ruptela.decode(recordWith(...elements), SESSION).messages.find(isFix);
  if (found === undefined) throw new Error('no position');
  return found;
}

const textParts = (text: string, ids: readonly number[]): Element[] =>
  ids.map((id, i) => [id, 8, Buffer.from(text.slice(8 * i, 8 * i + 8).padEnd(8, '\0'), 'latin1').toString('hex')]);

describe('elements of Ruptela’s list', () => {
  /** "IO explanation and notes" gives these examples. */
  it.each<[...Element, string, number]>([
    [89, 2, 9376, 'ambientTemperature', 20],
    [90, 2, 2560, 'fuelEconomy', 5],
    [92, 4, 1_000_000, 'fuelUsed', 1000],
    [115, 1, 128, 'coolantTemperature', 88],
    [116, 2, 600, 'fuelRate', 30],
    [197, 2, 8000, 'rpm', 1000],
    [202, 2, 500, 'trailerWeight', 1000],
    [203, 4, 200_000, 'engineHours', 36_000_000],
    [204, 2, 32_327, 'serviceDistance', 1_000_000],
    [206, 1, 125, 'acceleratorPedal', 50],
    [208, 4, 20_000, 'fuelUsed', 10_000],
    [210, 2, 15_360, 'wheelSpeed', 60 / 3.6],
    [41, 2, 20_000, 'axleWeight1', 10_000],
    [55, 2, 20_000, 'axleWeight5', 10_000],
    [481, 1, 125, 'fuelLevel2', 50],
    [515, 1, 200, 'tractionBatteryLevel', 100],
    [78, 2, -55, 'temperature1', -5.5],
    [600, 2, -1234, 'tag1Temperature', -12.34],
    [605, 2, 4567, 'tag1Humidity', 45.67],
    [184, 2, -183, 'fridgeReturnTemperature', -18.3],
    [509, 2, 320, 'touchprintTemperature1', 0],
    [965, 2, 33, 'canTireFrontLeftPressure', 33 * 6.894757],
  ])('[R4.03] %i of %i bytes with %i is %s %f', (id, bytes, raw, name, value) => {
    expect(read([id, bytes, raw]).attributes[name]).toBeCloseTo(value, 6);
  });

  it('[R4.03] each element is in the list once, and its value is its steps and offset', () => {
    expect(new Set(ELEMENTS.map(([id, bytes]) => `${id} ${bytes}`)).size).toBe(ELEMENTS.length);
    const numbers = ELEMENTS.filter(([, bytes, , , reading]) => bytes !== 8 && !reading?.form && !reading?.bits);
    fc.assert(
      fc.property(fc.constantFrom(...numbers), fc.nat(0xffff_ffff), (row, word) => {
        const [id, bytes, name, , { scale = 1, offset = 0, signed, lowest, highest } = {}] = row;
        const raw = word % 2 ** (8 * bytes);
        const value = signed && raw >= 2 ** (8 * bytes - 1) ? raw - 2 ** (8 * bytes) : raw;
        const none = value > (highest ?? Number.POSITIVE_INFINITY) || value < (lowest ?? Number.NEGATIVE_INFINITY);
        const { attributes, fuel, odometer, gsm } = read([id, bytes, raw]);
        const got = attributes[name] ?? fuel ?? odometer ?? gsm;
        if (none) expect(got ?? null).toBeNull();
        else if (name !== 'gsm') expect(Math.abs(Number(got) - (value * scale + offset))).toBeLessThan(0.051);
        expect(attributes[`io${id}`]).toBeUndefined();
        expect(readValue(row, raw) === null).toBe(none);
      }),
    );
  });

  it('[R4.03] leaves out what the list calls an error', () => {
    const { attributes, fuel, gsm, temperature } = read(
      [78, 2, 850],
      [79, 2, 2000],
      [600, 2, 0x7fff],
      [29, 2, 0xffff],
      [98, 1, 255],
      [207, 1, 254],
      [27, 1, 100],
      [197, 2, 0xfeff],
      [36, 1, 3],
      [212, 1, 128],
      [34, 8, 'FFFFFFFFFFFFFFFF'],
    );
    expect({ ...attributes, fuel, gsm, temperature }).toEqual({
      eventId: 78,
      fuel: null,
      gsm: null,
      temperature: null,
    });
  });

  it('[R4.03] fills the columns: temperature, fuel in percent, odometer, card', () => {
    expect(read([98, 1, 51], [645, 4, 23_143], [79, 2, 215], [171, 8, '00000000004F3A21'])).toMatchObject({
      fuel: 20,
      odometer: 23_143_000,
      temperature: 21.5,
      rfid: '00000000004F3A21',
      attributes: { temperature2: 21.5 },
    });
    expect(read([65, 4, 5000], [114, 4, 1000], [600, 2, -150], [78, 2, 30])).toMatchObject({
      odometer: 5000,
      temperature: 3,
      attributes: { canOdometer: 5000, tag1Temperature: -1.5 },
    });
  });

  it('[R4.03] takes the ignition from its own element, else from the input, the voltage or the vehicle', () => {
    expect(read([409, 1, 0], [5, 1, 1]).ignition).toBe(false);
    expect(read([251, 1, 1], [5, 1, 0]).ignition).toBe(false);
    expect(read([251, 1, 1], [522, 1, 0]).ignition).toBe(true);
    expect(read([522, 1, 1])).toMatchObject({ ignition: true, event: 'ignitionOn' });
    expect(read([173, 1, 1]).ignition).toBeNull();
  });

  it('[R4.03] an output is on at 0', () => {
    expect(read([405, 1, 0], [406, 1, 1]).attributes).toMatchObject({ output1: true, output2: false });
  });

  it('[R4.03] reads doors by bit and both drivers’ times', () => {
    expect(read([518, 1, 0b10_0001], [119, 4, 0x0078_ffff]).attributes).toEqual({
      eventId: 518,
      doorFrontLeft: true,
      doorFrontRight: false,
      doorRearLeft: false,
      doorRearRight: false,
      trunk: true,
      hood: false,
      driver1DrivingTime: 7200,
    });
  });

  it('[R4.03] puts texts together: the number of the vehicle, drivers’ cards, the plate', () => {
    for (const first of [104, 123, 152, 939]) {
      const parts = textParts('UU1DJF00570678205*', [first, first + 1, first + 2]);
      expect(read(...parts).attributes).toEqual({ eventId: first, vin: 'UU1DJF00570678205' });
    }
    expect(read(...textParts('DF00001234567890', [126, 127]), [128, 8, '4646464646464646'])).toMatchObject({
      rfid: 'DF00001234567890',
      attributes: { driver1Id: 'DF00001234567890' },
    });
    expect(read(...textParts('CW 4711', [167])).attributes).toMatchObject({ registration: 'CW 4711' });
  });

  it('[R4.03] names the tower by operator, area and cell', () => {
    expect(read([150, 4, 310_410], [851, 2, 8142], [852, 4, 77_001]).attributes.cell).toBe('310-410-8142-77001');
    expect(read([150, 4, 24_602], [851, 2, 8142], [852, 4, 77_001]).attributes.cell).toBe('246-2-8142-77001');
    expect(read([150, 4, 24_602], [851, 2, 0xffff], [852, 4, 77_001]).attributes.cell).toBeUndefined();
  });

  it.each<[...Element, string | null]>([
    [134, 1, 1, 'harshBraking'],
    [135, 1, 0x10, 'harshBraking'],
    [136, 1, 2, 'harshAcceleration'],
    [143, 1, 1, 'harshCornering'],
    [143, 1, 0, null],
    [169, 1, 1, 'idling'],
    [410, 1, 1, 'towing'],
    [410, 1, 0, null],
    [411, 1, 1, 'rollover'],
    [558, 1, 1, 'sos'],
    [651, 1, 3, 'geofenceEnter'],
    [651, 1, 0, 'geofenceExit'],
    [758, 1, 1, 'tamper'],
    [985, 1, 1, 'powerCut'],
    [34, 8, '01D042F31D000030', 'driverIdentified'],
    [34, 8, '0000000000000000', null],
  ])('[R4.03] %i of %i bytes with %s makes the event %s', (id, bytes, raw, event) => {
    expect(read([id, bytes, raw]).event).toBe(event);
  });
});
