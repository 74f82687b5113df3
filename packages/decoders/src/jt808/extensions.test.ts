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
/** No alarm, ignition and fix, 22.399184 113.930116, 21 m, 48 km/h, course 90, 2026-03-04 13:06:07 GMT+8. */
const PLACE = '00000000 00000003 0155c8d0 06ca6f84 0015 01e0 005a 260304130607';

const messagesOf = (id: number, body: string) =>
  jt808.decode(encodePacket(id, IDENTITY, 9, annotated(body)), SESSION).messages.slice(1);
const located = (items: string) => messagesOf(0x0200, `${PLACE} ${items} |`)[0] as PositionMessage;

describe('items of a location', () => {
  it.each([
    ['fuel volume', '02 02 01a4', { fuelVolume: 42 }],
    ['speed of the recorder', '03 02 0168', { recorderSpeed: 10 }],
    ['alarm to be confirmed', '04 02 0007', { alarmToConfirm: 7 }],
    ['video alarms', '14 04 00000004', { videoAlarm: 4 }],
    ['analog inputs', '2b 04 0001 0002', { analogInput2: 1, analogInput1: 2 }],
    ['battery in one byte', '06 01 3e', { batteryLevel: 62 }],
    ['temperature of the cargo box', '06 02 8012', { temperature1: -18 }],
    ['time on a route', '13 07 00000009 0384 01', { route: 9, routeTime: 900, routeTimeTooLong: true }],
    ['two 12-volt voltages', '61 02 04b0', { externalVoltage: 12 }],
    ['tenths of volts', '82 02 0092', { externalVoltage: 14.6 }],
    ['millivolts', 'f1 04 0000308c', { externalVoltage: 12.428 }],
    ['battery with its level', 'e4 02 0056', { batteryState: 0, batteryLevel: 86 }],
    ['battery in tenths', '56 02 0a00', { batteryLevel: 100 }],
    ['tenths of volts of the battery', 'd3 02 0027', { batteryVoltage: 3.9 }],
    ['percent of the battery', 'd4 01 3f', { batteryLevel: 63 }],
    [
      'millivolts and percent of the battery',
      'f7 06 00000e87 02 46',
      { batteryVoltage: 3.719, batteryState: 2, batteryLevel: 70 },
    ],
    ['a tower', '53 09 01 0136 04 81fe 066d 1f', { cell: '310-4-33278-1645' }],
    ['no tower', '53 09 01 0000 00 0000 0000 00', {}],
    [
      'two towers',
      '5d 15 02 0136 04 81fe 00066d9b 3c 0136 04 81fe 00066d9c 3a',
      { cell: '310-4-33278-421275', cells: '310-4-33278-421275 310-4-33278-421276' },
    ],
    ['a tower with wide fields', 'e1 0c 0136 0004 0081fe 00066d9b 00', { cell: '310-4-33278-421275' }],
    ['a tower with wider fields', 'ff 0c 0136 0004 000081fe 00066d9b', { cell: '310-4-33278-421275' }],
    ['stations', 'ec 0e 001801eb4039 ce 001801eb403a b8', { wifi: '00:18:01:EB:40:39:-50 00:18:01:EB:40:3A:-72' }],
    ['Wi-Fi stations with their count', '54 08 01 001801eb4039 ce', { wifi: '00:18:01:EB:40:39:-50' }],
    ['the vehicle’s number', '8b 11 354a36525732483533484c303636303239', { vin: '5J6RW2H53HL066029' }],
    ['own items: level', 'eb 05 0003 00a8 5c', { batteryLevel: 92 }],
    ['own items: tower', 'eb 10 000e 00d8 0136 0004 0081fe 00066d9b b5', { cell: '310-4-33278-421275' }],
    ['movement', 'e5 01 01', { movement: true }],
    ['seals', '63 0b cd91fe1314da 0fc6 318113', { lock1Id: 'CD91FE1314DA', lock1Battery: 4.038 }],
    ['bus values', 'f3 08 0002 02 0035 0003 00', { obd0002: 53, obd0003: 0 }],
    ['the time zone', 'eb 09 5554432b30383a3030', { timeZone: 'UTC+08:00' }],
    ['own items: battery', 'eb 06 0004 002d 0fa5', { batteryVoltage: 4.005 }],
    ['own items: vehicle', 'eb 08 0006 002d 00002db4', { externalVoltage: 11.7 }],
    ['own items: SIM', 'eb 0e 000c 00b2 8942310221007544309f', { iccid: '8942310221007544309' }],
    ['own items: at rest', 'eb 08 0006 00c5 ffffffef', { movement: false }],
    ['own items: moving', 'eb 08 0006 00c5 fe7fffef', { movement: true }],
    ['own items: taken off', 'eb 08 0006 0089 ffffefff', { removed: true }],
    ['own items: fuel', 'eb 07 0005 0001 037700', { fuelLevel1: 88.7 }],
    ['an unknown item', 'd0 04 00400001', { itemD0: '00400001' }],
    ['a known item of another length', '02 01 2a', { item02: '2A' }],
  ])('%s', (_, items, attributes) => expect(located(items).attributes).toEqual(attributes));

  it('probes below zero, and one that is missing', () => {
    expect(located('51 06 0123 8017 ffff')).toMatchObject({
      temperature: 29.1,
      attributes: { temperature1: 29.1, temperature2: -2.3 },
    });
    const { temperature } = located('e6 0b 03 bc572900ce2e ef18 32 00');
    expect(temperature).toBeCloseTo(-17.094, 3);
  });

  it('events of areas and routes, and a card', () => {
    expect(located('12 06 01 00000009 00')).toMatchObject({ event: 'geofenceEnter', attributes: { area: 9 } });
    expect(located('11 05 02 00000009')).toMatchObject({ event: 'overspeed', attributes: { area: 9 } });
    expect(located('60 0b 0004 00 3930303235343939')).toMatchObject({ rfid: '90025499', attributes: { eventCode: 4 } });
  });

  it('a cut-off list keeps the position', () => {
    expect(located('01 04 00003039 30 09 19')).toMatchObject({ odometer: 1_234_500, gsm: null, attributes: {} });
  });

  it('several alarms at once: the most urgent is the event', () => {
    const [position] = messagesOf(0x0200, '00000106 00000000 0155c8d0 06ca6f84 0015 01e0 005a 260304130607 |');
    expect(position).toMatchObject({ event: 'powerCut', attributes: { alarms: 'powerCut overspeed fatigue' } });
    const [fatigue] = messagesOf(0x0200, '00000004 00000000 0155c8d0 06ca6f84 0015 01e0 005a 260304130607 |');
    expect(fatigue).toMatchObject({ event: 'alarm', attributes: { alarms: 'fatigue' } });
  });

  it('with an invalid time is a status', () => {
    const [status] = messagesOf(0x0200, '00000001 00000000 0155c8d0 06ca6f84 0015 01e0 005a 269904130607 |');
    expect(status).toEqual({
      kind: 'status',
      time: null,
      event: 'sos',
      attributes: { noFix: 'time', ignition: false },
    });
    const [full] = messagesOf(
      0x0200,
      '00000000 00000001 0155c8d0 06ca6f84 0015 01e0 005a 000000000000 01 04 00003039 30 01 19 31 01 09 |',
    );
    expect(full).toMatchObject({
      kind: 'status',
      attributes: { noFix: 'time', ignition: true, odometer: 1_234_500, gsm: 25, satellites: 9 },
    });
  });
});

describe('locations that are not where the standard puts them', () => {
  const found = { kind: 'position', time: TIME, valid: true };

  it.each([0x0203, 0x0f01, 0x8888])('are found under the id %i', id => {
    expect(messagesOf(id, `${PLACE} |`)).toMatchObject([found]);
    expect(messagesOf(id, `0007 ${PLACE} 30 01 19 |`)).toMatchObject([{ ...found, gsm: 25 }]);
  });

  it('are not read two bytes too early, where the course could be a year and a month', () => {
    const place = PLACE.replace('005a', '0104');
    expect(messagesOf(0x8888, `0007 ${place} |`)).toMatchObject([{ ...found, course: 0x104 }]);
  });

  it('are not lost to an invalid part of a batch or a wrong count', () => {
    const part = `001c ${PLACE}`;
    expect(messagesOf(0x0704, `0003 01 0003 010203 ${part} ${part} |`)).toMatchObject([found, found]);
    expect(messagesOf(0x0704, `0001 01 ${part} ${part} 0000 |`)).toMatchObject([found, found]);
  });

  it('are read if the checksum is right but the length is not', () => {
    const frame = encodePacket(0x0200, IDENTITY, 9, annotated(`${PLACE} 30 01 19 |`));
    for (const length of [0x1c, 0x40]) {
      const wrong = frame.slice();
      wrong[4] = length;
      wrong[wrong.length - 2] = xor(wrong.subarray(1), wrong.length - 3);
      expect(jt808.decode(wrong, SESSION).messages.slice(1)).toMatchObject([{ ...found, gsm: 25 }]);
    }
  });

  it('are not read out of vehicle bus values', () => {
    const values = '01 01 0102 02 0035';
    const place = '00000003 0155c8d0 06ca6f84';
    expect(messagesOf(0x0900, `f0 260304130607 0002 ${values} ${place} |`)).toMatchObject([found]);
    for (const other of [`02 03 0102 02 0035 ${place}`, `01 01 0102 02 0035 00000003 ff55c8d0 06ca6f84`]) {
      expect(messagesOf(0x0900, `f0 260304130607 0002 ${other} |`)).toMatchObject([{ kind: 'status' }]);
    }
  });

  it('are read from a lock whose message ends after the course', () => {
    // A lock's serial number has one byte; the second one is the first byte of the body.
    const frame = encodePacket(0x5502, IDENTITY, 0x0904, annotated('0326050607 22236570 113558071 7 1e 2d |'));
    expect(jt808.decode(frame, SESSION).messages[1]).toMatchObject({ kind: 'position', time: TIME, valid: true });
  });

  it('contain alarms of cameras', () => {
    const rest = '00'.repeat(41);
    expect(located(`64 2f 00000001 01 02 ${rest}`)).toMatchObject({
      event: 'laneChange',
      attributes: { aheadAlarm: 'laneDeparture' },
    });
    expect(located(`65 2f 00000001 01 02 ${rest}`)).toMatchObject({
      event: 'alarm',
      attributes: { driverAlarm: 'phone' },
    });
  });
});

describe('messages other than locations', () => {
  it('the driver’s card', () => {
    const card = '01 260304130607 00 04 4a616e65 4431323334353637000000000000000000000000 |';
    expect(messagesOf(0x0702, card)).toEqual([
      {
        kind: 'status',
        time: TIME,
        event: 'driverIdentified',
        attributes: { driverCard: true, driverName: 'Jane', driverLicence: 'D1234567' },
      },
    ]);
    expect(messagesOf(0x0702, '02 260304130607 |')).toMatchObject([{ event: null, attributes: { driverCard: false } }]);
  });

  it('a picture with its position, answered as complete', () => {
    const body = `00000007 00 00 01 02 ${PLACE} ffd8ffd9 |`;
    expect(messagesOf(0x0801, body)).toMatchObject([
      { kind: 'position', time: TIME, attributes: { mediaId: 7, mediaType: 0 } },
    ]);
    const { acknowledgement } = jt808.decode(encodePacket(0x0801, IDENTITY, 9, annotated(body)), SESSION);
    expect(Buffer.from(acknowledgement!).toString('hex')).toContain('88000004');
  });

  it('a list of positions, or the battery, under 0x0210', () => {
    const place = `1c ${PLACE}`;
    expect(messagesOf(0x0210, `${place} ${place} |`)).toHaveLength(2);
    expect(messagesOf(0x0210, '4f 260304130607 |')).toEqual([
      { kind: 'status', time: TIME, event: null, attributes: { batteryLevel: 79 } },
    ]);
  });

  it('accelerations are counted, a text is an answer', () => {
    expect(messagesOf(0x2070, '260304130607 000e 002d 80ac 260304130608 000e 002d 80ab |')).toMatchObject([
      { time: TIME, attributes: { accelerationSamples: 2 } },
    ]);
    expect(messagesOf(0x6006, '00 4f4b |')).toEqual([{ kind: 'reply', text: 'OK', reference: null }]);
  });

  it('data from a device on a port', () => {
    const text = Buffer.from('$OBD-RT,12.3,0,20,0,0,0,10.89,31.15,181.68,181,54.26,565.96,0,0').toString('hex');
    expect(messagesOf(0x0900, `41 ${text} |`)).toMatchObject([
      { attributes: { dataType: 0x41, externalVoltage: 12.3, fuelUsed: 565.96 } },
    ]);
    const tags = `53 ${'00'.repeat(18)} 260304130607 07 00 aabbcc001122 bd 02 043f |`;
    expect(messagesOf(0x0900, tags)).toEqual([
      {
        kind: 'status',
        time: TIME,
        event: null,
        attributes: { tag1Mac: 'aabbcc001122', tag1Rssi: -67, tag1Data: '043F' },
      },
    ]);
    const bus = 'f0 260304130607 0002 01 02 052b 01 50 0530 02 31ba 00000003 0155c8d0 06ca6f84 |';
    expect(messagesOf(0x0900, bus)).toMatchObject([
      { kind: 'position', time: TIME, valid: true, ignition: true, attributes: { obd052B: 80, obd0530: 12_730 } },
    ]);
  });
});

describe('locks', () => {
  /** The serial number has one byte, so the packet is built by hand. */
  function lock(body: string): Uint8Array {
    const bytes = annotated(body);
    const content = Uint8Array.of(0x55, 0x01, 0, bytes.length, 0x85, 0x60, 0x09, 0x00, 0x10, 0x17, 0x47, ...bytes);
    return Uint8Array.of(0x7e, ...content, xor(content, content.length), 0x7e);
  }

  it('day first, UTC, packed degrees and minutes', () => {
    const frame = lock(`
      040326 050607        | 4 March 2026, 05:06:07 UTC
      22348476             | 22° 34.8476'
      113550490 7          | 113° 55.0490', valid, north, east
      00 2d                | standing, course 90
      1c 06                | signal, satellites
      00000007             | 7 km
      ce                   | 78 %, charging
      0000 00000000 03 08100000 | not read
      0b 08 03 363839363037 65  | unlocked by password: result 0x65
    `);
    const { messages, acknowledgement } = jt808.decode(frame, SESSION);
    expect(messages[0]).toEqual({ kind: 'login', imei: '856009001017' });
    expect(messages[1]).toMatchObject({
      time: TIME,
      valid: true,
      lat: 22 + 34.8476 / 60,
      lon: 113 + 55.049 / 60,
      course: 90,
      gsm: 28,
      satellites: 6,
      odometer: 7000,
      attributes: { batteryLevel: 78, charging: true, unlockMeans: 3, unlockResult: 0x65 },
    });
    expect(acknowledgement).toBeNull();
  });

  it('a text message is kept', () => {
    const bytes = new TextEncoder().encode('(794104004140,1,001,BASE,2,TIME)');
    expect(jt808.nextFrame(bytes)).toEqual({ status: 'frame', end: bytes.length });
    expect(jt808.decode(bytes, SESSION).messages).toMatchObject([
      { kind: 'login', imei: '794104004140' },
      { kind: 'status', attributes: { text: '1,001,BASE,2,TIME' } },
    ]);
  });
});

describe('trackers that do not escape', () => {
  it('are read by their stated length', () => {
    const plain = annotated(`
      0200 001c 013912345678 0007 | header: location of 28 bytes
      00000000 00000003           | no alarm, ignition and fix
      01587d01 06cb7e66           | 7D and 7E as they are
      0015 01e0 005a 260304130607 | the rest of the place
    `);
    const frame = Uint8Array.of(0x7e, ...plain, xor(plain, plain.length), 0x7e);
    for (let cut = 1; cut < frame.length; cut++) {
      expect(jt808.nextFrame(frame.subarray(0, cut)), String(cut)).toEqual({ status: 'more' });
    }
    expect(jt808.nextFrame(frame)).toEqual({ status: 'frame', end: frame.length });
    expect(jt808.decode(frame, SESSION).messages[1]).toMatchObject({ lat: 0x01587d01 / 1e6, lon: 0x06cb7e66 / 1e6 });
  });
});
