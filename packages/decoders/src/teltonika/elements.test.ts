import { describe, expect, it } from 'vitest';
import { TRACKER_EVENTS } from '../events.ts';
import { SAMPLE_POSITION } from '../fuzz-inputs.ts';
import type { PositionMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { teltonika } from './decode.ts';
import { eventOf } from './element-events.ts';
import { ElementSink } from './element-sink.ts';
import { FMB_TABLE, TRUCK_TABLE } from './element-table.ts';
import { FMB_ELEMENTS, FMB_GEOFENCES } from './elements.ts';
import { encodeRecords } from './encode.ts';
import type { AvlElement, AvlRecord } from './record-from.ts';
import { TRUCK_ELEMENTS, TRUCK_GEOFENCES } from './truck-elements.ts';

const SESSION: Session = { imei: '352093081452251', receivedAt: SAMPLE_POSITION.time };

function decodeElements(elements: readonly AvlElement[], more: Partial<AvlRecord> = {}): PositionMessage {
  const record: AvlRecord = {
    time: SAMPLE_POSITION.time,
    priority: 0,
    lat: 1,
    lon: 2,
    altitude: 3,
    angle: 4,
    satellites: 5,
    speedKmh: 6,
    eventId: 0,
    elements,
    ...more,
  };
  const [message] = teltonika.decode(encodeRecords([record], 'codec8Extended'), SESSION).messages;
  if (message?.kind !== 'position') throw new Error('no position');
  return message;
}

describe('the table of AVL ids', () => {
  it.each([
    ['FMB', FMB_ELEMENTS],
    ['truck', TRUCK_ELEMENTS],
  ])('%s: each id and size has one meaning, and names are camelCase', (_, rows) => {
    const seen = new Set<string>();
    for (const [id, name, bytes] of rows) {
      expect(seen.has(`${id}/${bytes}`), `${id} in ${bytes} bytes`).toBe(false);
      seen.add(`${id}/${bytes}`);
      expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
    }
  });

  it.each<[number, 1 | 2 | 4, number, string, number | boolean]>([
    [126, 4, 250_000, 'harvestArea', 250_000],
    [129, 2, 14, 'grainMoisture', 14],
    [185, 4, 12, 'spreaderHours', 43_200],
    [857, 2, 63, 'lngLevel', 63],
    [661, 1, 1, 'leverReverse', true],
    [1137, 2, 0xff9c, 'steeringAngle', -10],
    [1158, 2, 340, 'oilPressure', 340_000],
  ])('[R4.03] AVL %i of %i bytes with %i is %s', (id, size, value, name, expected) => {
    expect(decodeElements([{ id, size, value }]).attributes[name]).toBe(expected);
  });

  it('has the fifty zones of FMB and of the truck family', () => {
    expect(new Set(FMB_GEOFENCES).size).toBe(50);
    expect(new Set(TRUCK_GEOFENCES).size).toBe(50);
    expect(FMB_TABLE[1].get(231)?.name).toBe('geofence50');
    expect(TRUCK_TABLE[1].get(356)?.name).toBe('geofence50');
  });

  it('[R4.03] has the temperature of the first sensor in a list, if there is no probe', () => {
    const bytes = annotated(`
      01
      03 00 01 e5                | a beacon without one
      07 00 01 e5  06 02 fe0c    | -5 °C
      04 06 02 0929              | 23.45 °C
    `);
    const sink = new ElementSink(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), FMB_TABLE);
    sink.begin(0);
    sink.variable(548, 0, bytes.length);
    expect([sink.temperature, sink.finish(false, 0).attributes]).toMatchObject([
      -5,
      { tag2Temperature: -5, tag3Temperature: 23.45 },
    ]);
  });

  it('[R4.03] names what a tracker reads from the tachograph itself', () => {
    const { attributes } = decodeElements([
      { id: 10_151, size: 4, value: 123_456_789 },
      { id: 10_152, size: 4, value: 4321 },
      { id: 10_153, size: 4, value: 1_772_600_767 },
      { id: 10_154, size: 1, value: 1 },
      { id: 10_155, size: 1, value: 0 },
      { id: 10_156, size: 2, value: 90 },
      ...[3, 0, 1, 0, 2, 15].map((value, i) => ({ id: 10_159 + i, size: 1 as const, value })),
    ]);
    expect(attributes).toEqual({
      ...{ tachoOdometer: 123_456_789, tachoTripDistance: 4321, tachoTime: 1_772_600_767, tachoMotion: 1 },
      ...{ tachoOverspeed: 0, tachoSpeed: 25, driver1WorkingState: 3, driver2WorkingState: 0, driver1Card: 1 },
      ...{ driver2Card: 0, driver1TimeState: 2, driver2TimeState: 15 },
    });
  });

  it('[R4.03] names what the lists of FT, FMB640 and the CAN elements add', () => {
    const { attributes, event } = decodeElements(
      [
        { id: 9, size: 4, value: 12_500 },
        { id: 8, size: 2, value: 185 },
        { id: 318, size: 1, value: 2 },
        { id: 400, size: 4, value: 15_000 },
        { id: 410, size: 1, value: 1 },
        { id: 411, size: 1, value: 87 },
      ],
      { eventId: 318 },
    );
    expect(event).toBe('jamming');
    expect(attributes).toEqual({
      analogInput1: 12.5,
      temperature6: 18.5,
      gnssJamming: 2,
      distanceToService: 15_000,
      tractionBatteryCharging: true,
      tractionBatteryLevel: 87,
    });
  });

  it('distinguishes families by the size of an element', () => {
    expect(FMB_TABLE[1].get(216)?.name).toBe('geofence35');
    expect(FMB_TABLE[4].get(216)?.name).toBe('odometer');
    expect(FMB_TABLE[2].get(239)).toBeUndefined();
  });
});

describe('values of elements', () => {
  it('are converted to SI by their scale', () => {
    const { attributes } = decodeElements([
      { id: 66, size: 2, value: 12_600 },
      { id: 68, size: 2, value: 150 },
      { id: 81, size: 1, value: 90 },
      { id: 102, size: 4, value: 90 },
      { id: 35, size: 1, value: 101 },
      { id: 17, size: 2, value: 0x10000 - 1000 },
      { id: 327, size: 2, value: 1234 },
    ]);
    expect(attributes).toEqual({
      externalVoltage: 12.6,
      batteryCurrent: 0.15,
      canSpeed: 25,
      engineHours: 5400,
      intakePressure: 101_000,
      accelerationX: -9.80665,
      ultrasonicFuelLevel: 0.1234,
    });
  });

  it('without a name keep their id, long ones as hexadecimal', () => {
    const { attributes } = decodeElements([
      { id: 60_000, size: 1, value: 7 },
      { id: 239, size: 2, value: 700 },
      { id: 60_001, size: 8, value: '00000000DEADBEEF' },
    ]);
    expect(attributes).toEqual({ io60000: 7, io239: 700, io60001: '00000000DEADBEEF' });
  });

  it.each([0, 1, 2, 3, 4, 5].map((bars, i) => [bars, [0, 6, 12, 19, 25, 31][i]]))(
    'put %i bars of signal at %i of 31',
    (bars, csq) => expect(decodeElements([{ id: 21, size: 1, value: bars! }]).gsm).toBe(csq),
  );

  it('that are a probe’s error codes are left out', () => {
    const failed = decodeElements([
      { id: 72, size: 4, value: 850 },
      { id: 73, size: 4, value: 3000 },
      { id: 25, size: 2, value: 32_767 },
      { id: 74, size: 4, value: 0xffff_ffff - 54 },
    ]);
    expect(failed.temperature).toBeNull();
    expect(failed.attributes).toEqual({ temperature3: -5.5 });
  });

  it('of an empty card reader give no card', () => {
    expect(decodeElements([{ id: 78, size: 8, value: '0000000000000000' }]).rfid).toBeNull();
    expect(decodeElements([{ id: 207, size: 8, value: '000000000012ABCD' }]).rfid).toBe('000000000012ABCD');
  });

  it('use the vehicle’s odometer if the tracker has none', () => {
    expect(decodeElements([{ id: 87, size: 4, value: 5000 }])).toMatchObject({ odometer: 5000, attributes: {} });
    expect(
      decodeElements([
        { id: 87, size: 4, value: 5000 },
        { id: 16, size: 4, value: 70 },
      ]),
    ).toMatchObject({ odometer: 70, attributes: { canOdometer: 5000 } });
  });
});

describe('the SIM’s ICCID', () => {
  const long = (id: number, value: bigint): AvlElement => ({
    id,
    size: 8,
    value: value.toString(16).padStart(16, '0'),
  });
  const text = (id: number, words: string): AvlElement => ({
    id,
    size: 8,
    value: Buffer.from(words.padEnd(8, '\0')).toString('hex'),
  });

  it.each([
    ['nineteen digits', 8_901_410_321n, 111_851_072n, '8901410321111851072'],
    ['a second half that begins with zeros', 8_937_003_012n, 4_567_894n, '8937003012004567894'],
  ])('of %s is joined', (_, first, second, iccid) => {
    const { attributes } = decodeElements([long(11, first), long(14, second)]);
    expect(attributes).toMatchObject({ iccid });
    expect(attributes).not.toHaveProperty('iccid1');
  });

  it('is joined from three pieces of text, and stays in pieces if one is missing', () => {
    const pieces = [text(219, '89014103'), text(220, '21111851'), text(221, '072')];
    expect(decodeElements(pieces).attributes).toMatchObject({ iccid: '8901410321111851072' });
    expect(decodeElements([long(11, 8_901_410_321n)]).attributes).toMatchObject({ iccid1: '8901410321' });
  });
});

describe('the event that caused a report', () => {
  it.each([
    [239, 1, 0, 'ignitionOn'],
    [239, 0, 0, 'ignitionOff'],
    [252, 1, 1, 'powerCut'],
    [252, 0, 0, 'powerRestored'],
    [246, 1, 1, 'towing'],
    [246, 0, 0, null],
    [247, 5, 1, 'crash'],
    [253, 1, 1, 'harshAcceleration'],
    [253, 3, 1, 'harshCornering'],
    [255, 95, 1, 'overspeed'],
    [155, 1, 1, 'geofenceEnter'],
    [231, 0, 1, 'geofenceExit'],
    [231, 3, 1, 'overspeed'],
    [249, 1, 1, 'jamming'],
    [236, 1, 2, 'sos'],
    [389, 0x11, 1, 'sos'],
    [389, 0x21, 1, 'button'],
    [1, 1, 2, 'sos'],
    [1, 0, 2, null],
    [1, 1, 1, null],
    [9, 1, 2, null],
  ])('FMB: element %i = %i with priority %i is %s', (id, value, priority, event) => {
    expect(eventOf(false, id, value, priority)).toBe(event);
  });

  it.each([
    [243, 1, 'idling'],
    [251, 1, 'driverIdentified'],
    [248, 0, 'overspeedEnd'],
    [355, 1, 'geofenceEnter'],
    [389, 0x11, null],
  ])('truck: element %i = %i is %s', (id, value, event) => expect(eventOf(true, id, value, 1)).toBe(event));

  it('is in the vocabulary for every id and value', () => {
    const words = new Set<string | null>([null, ...TRACKER_EVENTS]);
    for (let id = 1; id < 1500; id++) {
      for (const value of [0, 1, 2, 3, 255]) {
        expect(words.has(eventOf(false, id, value, 2))).toBe(true);
        expect(words.has(eventOf(true, id, value, 2))).toBe(true);
      }
    }
  });

  it('is kept as the element’s id if it has no name', () => {
    const message = decodeElements([{ id: 9, size: 2, value: 5 }], { eventId: 9 });
    expect(message.event).toBeNull();
    expect(message.attributes.eventId).toBe(9);
  });
});
