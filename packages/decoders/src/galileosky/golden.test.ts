import { degrees, epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { crc16Modbus } from '../crc16.ts';
import { protocols } from '../index.ts';
import type { PositionMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { framesOf, join } from '../testing/stream.ts';
import { galileosky } from './decode.ts';
import { encodeCommand, encodeHead, encodeReply, pack } from './encode.ts';
import { explain } from './explain.ts';

const IMEI = '352093081452251';
const SESSION: Session = { imei: IMEI, receivedAt: epochMs(0) };
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);
const hexOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');

/** Made by us, little endian. */
const HEAD = annotated(`
  01                              | data
  1700                            | 23 bytes of tags, nothing in the archive
  01 11                           | hardware 17
  02 df                           | firmware 223
  03 333532303933303831343532323531 | IMEI
  04 3200                         | device number 50
  0863                            | checksum
`);

/** Two records, the second without a fix. */
const MAIN = annotated(`
  01                     | data
  8080                   | 128 bytes of tags; the archive has more
  10 1e04                | record 1054
  20 bfbda769            | 2026-03-04 05:06:07 UTC
  30 0b                  | correct, from 11 satellites
     80057f02 48dfc6fa   | latitude 41.878912, longitude -87.630008
  33 1c02 960a           | 54.0 km/h, course 271.0
  34 f4ff                | altitude -12 m
  35 08                  | HDOP 0.8
  40 012a                | status
  41 d832                | 13.016 V
  42 6410                | battery 4.196 V
  43 f6                  | -10 °C inside
  44 af219815            | X 431, Y 520, Z 345 of 512 ± 186 for a g
  45 0200                | the second output is on
  46 0500                | the first and the third input
  70 0110                | thermometer 1: 16 °C
  90 0c029100            | iButton 0091020C
  c0 73600000            | 12,345.5 l used
  c1 fa 72 5025          | fuel 100 %, coolant 74 °C, 1,194 revolutions
  c2 e0930400            | the vehicle's odometer: 1,500 km
  d4 87d61200            | the tracker's: 1,234,567 m
  fe 1d00                | 29 bytes of extended tags
     0100 06ffffff       | Modbus 0: -2.50
     8100 0c7b           | cell 31500
     8200 c889           | area 35272
     8300 3601           | country 310
     8400 0401           | network 260
     fc00 0d             | because of an emergency
     2427 01 02          | a tag of a vehicle's bus, without a known length
  10 1f04                | record 1055
  20 fbbda769            | a minute later
  30 12                  | not correct
     80057f02 48dfc6fa   | the last known place
  d713                   | checksum
`);

const positionIn = (messages: readonly { kind: string }[]) =>
  messages.find((message): message is PositionMessage => message.kind === 'position');

/** The same content in a pack with a right checksum. */
const packed = (digits: string, header?: number) => pack(annotated(digits), header);
const decoded = (digits: string, header?: number) => galileosky.decode(packed(digits, header), SESSION);
const PLACE = '30 0b 80057f02 48dfc6fa';

describe('Galileosky', () => {
  it('[R4.03] a head pack identifies the tracker and is confirmed by its checksum', () => {
    const { messages, acknowledgement } = galileosky.decode(HEAD, { ...SESSION, imei: null });
    expect(messages).toEqual([
      { kind: 'login', imei: IMEI, attributes: { hardware: 17, firmware: 223, deviceNumber: 50 } },
    ]);
    expect(hexOf(acknowledgement)).toBe('020863');
    expect(encodeHead(IMEI)).toEqual(HEAD);
  });

  it('[R4.03] reads the records of a main pack', () => {
    const { messages, acknowledgement } = galileosky.decode(MAIN, SESSION);
    expect(messages).toEqual([
      {
        kind: 'position',
        time: TIME,
        valid: true,
        lat: 41.878912,
        lon: -87.630008,
        speed: 15,
        course: 271,
        altitude: -12,
        satellites: 11,
        hdop: 0.8,
        ignition: null,
        odometer: 1_234_567,
        fuel: 100,
        temperature: 16,
        gsm: null,
        event: 'sos',
        rfid: '0091020C',
        attributes: {
          recordNumber: 1054,
          status: 0x2a01,
          externalVoltage: 13.016,
          batteryVoltage: 4.196,
          boardTemperature: -10,
          accelerationX: -4.271,
          accelerationY: 0.422,
          accelerationZ: -8.805,
          outputs: 2,
          output1: false,
          output2: true,
          output3: false,
          output4: false,
          inputs: 5,
          input1: true,
          input2: false,
          input3: true,
          input4: false,
          temperature1: 16,
          fuelUsed: 12_345.5,
          coolantTemperature: 74,
          rpm: 1194,
          canOdometer: 1_500_000,
          modbus0: -2.5,
          cell: '310-260-35272-31500',
          recordReason: 13,
          extended: '24270102',
        },
      },
      {
        kind: 'status',
        time: TIME + 60_000,
        event: null,
        attributes: { noFix: 'fix', satellites: 2, recordNumber: 1055 },
      },
    ]);
    expect(hexOf(acknowledgement)).toBe(`02${hexOf(MAIN)?.slice(-4)}`);
  });

  it('does not answer a pack with a wrong checksum', () => {
    const { messages, acknowledgement } = galileosky.decode(MAIN.with(40, 0x55), SESSION);
    expect(messages).toMatchObject([{ kind: 'error', code: 'bad-checksum' }]);
    expect(acknowledgement).toBeNull();
  });

  it('reads nothing from a tracker that has not said who it is', () => {
    expect(galileosky.decode(MAIN, { ...SESSION, imei: null }).messages).toMatchObject([
      { kind: 'error', code: 'not-signed-in' },
    ]);
  });

  it('a place from cell towers is not a valid fix, and has an error in meters', () => {
    const { messages } = decoded(`20 bfbda769 30 20 80057f02 48dfc6fa 35 32`);
    expect(messages).toMatchObject([
      {
        kind: 'position',
        valid: false,
        hdop: null,
        satellites: 0,
        attributes: { positionFrom: 'cells', accuracy: 500 },
      },
    ]);
  });

  it('adds the milliseconds', () => {
    const { messages } = decoded(`20 bfbda769 21 7b00 ${PLACE}`);
    expect(positionIn(messages)?.time).toBe(TIME + 123);
  });

  it.each([
    ['0,0', '20 bfbda769 30 0b 00000000 00000000', 'fix'],
    ['no time', PLACE, 'time'],
    ['a clock that was never set', `20 00000000 ${PLACE}`, 'time'],
    ['a latitude beyond the pole', '20 bfbda769 30 0b 80cf9b05 48dfc6fa', 'latitude'],
  ])('a record with %s has no position', (_, digits, noFix) => {
    const { messages } = protocols.galileosky.stream!.decode(packed(digits), SESSION);
    expect(messages).toMatchObject([{ kind: 'status', attributes: { noFix } }]);
  });

  it('a record without a place is a status', () => {
    expect(decoded('20 bfbda769 41 d832').messages).toEqual([
      { kind: 'status', time: TIME, event: null, attributes: { externalVoltage: 13.016 } },
    ]);
  });

  it.each([
    ['the bus says nothing', 'c0 00000000 c1 00000000 c2 00000000 90 00000000', {}],
    ['values that are not available', 'c1 ff ff ffff', {}],
    ['a thermometer that is off', '70 7f80', {}],
    ['a hygrometer', '80 01 10 20', { hygrometer1Temperature: 16, humidity1: 12.5 }],
    ['a fuel sensor with its temperature', '63 3412 f6', { fuelSensor4: 0x1234, fuelSensor4Temperature: -10 }],
    ['a connection', '48 0500', { connected: true, gprs: false, jamming: true, usb: false }],
    ['driving', '47 32 00 0a 01', { accelerationMax: 4.9, brakingMax: 0, corneringMax: 0.98 }],
    ['a value that the settings define', '50 364c 78 0100', { inputValue1: 19_510, inputValue9: 1 }],
    ['user data', 'ea 03 aabbcc', { userArray: 'AABBCC' }],
    ['a 64-bit iButton', 'fe 0a00 fd00 5c0c029100000009', { rfid: '0900000091020C5C' }],
    ['an exact thermometer', 'fe 0600 8600 0600 801a', { temperature1: 26.5 }],
    ['satellites', 'fe 0600 8e00 0a051e33', { satellitesGPSVisible: 10, satellitesGPSSnr: 30 }],
    ['a wheel', 'fe 0500 d900 5a1400', { tire1Pressure: 620_528, tire1Temperature: 20 }],
    ['a wheel without a sensor', 'fe 0500 d900 5a1401', {}],
  ])('reads %s', (_, digits, expected) => {
    const [message] = decoded(`20 bfbda769 ${digits}`).messages;
    const { attributes = {} } = message as { attributes?: Record<string, unknown> };
    if (Object.keys(expected).length === 0) expect(attributes).toEqual({});
    else expect(attributes).toMatchObject(expected);
  });

  it('takes the tracker’s own odometer before the vehicle’s', () => {
    expect(positionIn(decoded(`20 bfbda769 ${PLACE} c2 e0930400`).messages)?.odometer).toBe(1_500_000);
  });

  it('keeps the records around a tag that has no known length, and its bytes', () => {
    const { messages, acknowledgement } = decoded(
      `10 0100 20 bfbda769 ${PLACE} 5b 0102030405 10 0200 20 fbbda769 ${PLACE}`,
    );
    expect(messages).toMatchObject([
      { kind: 'position', time: TIME },
      { kind: 'position', time: TIME + 60_000 },
      { kind: 'status', attributes: { unread: 'unknown-type', messageType: '0x5b', data: '5B0102030405' } },
    ]);
    expect(acknowledgement).not.toBeNull();
  });

  it.each([
    ['the first record has no place', `10 0100 20 bfbda769 41 d832 5b aabb 10 0200 20 fbbda769 ${PLACE}`],
    ['only the first record has the head', `01 11 04 3200 20 bfbda769 ${PLACE} 5b aabb 20 fbbda769 ${PLACE}`],
    ['the next record has milliseconds', `20 bfbda769 ${PLACE} 5b aabb 20 fbbda769 21 0000 ${PLACE}`],
    ['the clock was not set at first', `20 00000000 ${PLACE} 5b aabb 20 fbbda769 ${PLACE}`],
    ['nothing was read before', `5b aabb 20 fbbda769 ${PLACE}`],
  ])('finds the record behind a tag without a known length when %s', (_, digits) => {
    const { messages } = decoded(digits);
    expect(messages).toContainEqual(expect.objectContaining({ kind: 'position', time: TIME + 60_000 }));
    expect(messages.at(-1)).toMatchObject({ attributes: { unread: 'unknown-type', data: '5BAABB' } });
    const shown = JSON.stringify(explain(packed(digits)));
    expect(shown).toContain('05:07:07');
  });

  it('keeps the records before one that is cut off', () => {
    const { messages } = decoded(`20 bfbda769 ${PLACE} 20 fbbda769 30 0b 8005`);
    expect(messages).toMatchObject([
      { kind: 'position', time: TIME },
      { kind: 'status', time: TIME + 60_000 },
      { kind: 'status', attributes: { unread: 'bad-length', data: '300B8005' } },
    ]);
  });

  it('notes a picture and confirms it, and does not confirm Garmin and compressed packs', () => {
    const picture = decoded('03 ffd8ffe0', 0x07);
    expect(picture.messages).toMatchObject([{ kind: 'status', attributes: { picturePart: 3, pictureBytes: 4 } }]);
    expect(picture.acknowledgement).not.toBeNull();
    expect(decoded('01020304', 0x06)).toMatchObject({
      messages: [{ kind: 'status', attributes: { garminBytes: 4 } }],
      acknowledgement: null,
    });
    expect(decoded('01020304', 0x08)).toMatchObject({
      messages: [{ kind: 'status', attributes: { unread: 'unknown-type', messageType: 'compressed' } }],
      acknowledgement: null,
    });
  });

  it('writes a command as the document does, and reads the reply with its number', () => {
    expect(hexOf(encodeCommand('Status', 7, IMEI))).toBe(
      '01200003333532303933303831343532323531043200e007000000e1065374617475734f08',
    );
    const { messages } = galileosky.decode(encodeReply(IMEI, 'Dev50 Soft=91', 7), SESSION);
    expect(messages.slice(1)).toEqual([{ kind: 'reply', text: 'Dev50 Soft=91', reference: 7 }]);
    expect(decoded('e0 07000000 e1 06 7365c3b1616c').messages).toEqual([
      { kind: 'reply', text: 'señal', reference: 7 },
    ]);
  });

  it('skips what is no pack, up to the next one', () => {
    const { frames, garbage } = framesOf(galileosky, join([annotated('ff00ff'), HEAD, annotated('01ffff'), MAIN]), 7);
    expect(frames).toContainEqual(HEAD);
    expect(frames).toContainEqual(MAIN);
    expect(garbage).toBe(6);
  });
});

/** Iridium's DirectIP, big endian. */
const SATELLITE = annotated(`
  01 0047                | revision 1, 71 bytes
  01 001c                | header
     07553e40            | reference
     333030323334303639363034353930 | IMEI of the modem
     00                  | the session was completed
     0210 0000           | numbers of the messages
     69a7bdbf            | 2026-03-04 05:06:07 UTC
  03 000b                | location
     03                  | south, west
     21 ac2c             | 33° 44.076'
     45 45b2             | 69° 17.842'
     0000009f            | within 159 km
  02 0017                | payload
     20 bfbda769         | 2026-03-04 05:06:07 UTC
     30 0b 80057f02 48dfc6fa | correct, from 11 satellites
     40 012a             | status
     41 d832             | 13.016 V
     45 01               | outputs, cut off
`);

describe('Galileosky over Iridium', () => {
  const session = { ...SESSION, imei: null };

  it('[R4.03] reads the tags of the payload, for the modem’s IMEI', () => {
    const { messages, acknowledgement } = galileosky.decode(SATELLITE, session);
    expect(messages[0]).toEqual({ kind: 'login', imei: '300234069604590' });
    expect(messages[1]).toMatchObject({ kind: 'position', valid: true, lat: 41.878912, time: TIME });
    expect(acknowledgement).toBeNull();
  });

  it('without a fix in it, gives the place that the network estimates, as an invalid one', () => {
    const lost = SATELLITE.with(51 + 6, 0x1b);
    const { messages } = galileosky.decode(lost, session);
    expect(positionIn(messages)).toMatchObject({
      valid: false,
      time: TIME,
      lat: degrees(-(33 + 44.076 / 60)),
      lon: degrees(-(69 + 17.842 / 60)),
      attributes: { positionFrom: 'iridium', accuracy: 159_000 },
    });
  });

  it('is found in the stream', () => {
    expect(framesOf(galileosky, join([SATELLITE, HEAD, SATELLITE]), 5)).toEqual({
      frames: [SATELLITE, HEAD, SATELLITE],
      garbage: 0,
    });
  });
});

it('the checksum is that of Modbus', () => {
  expect(crc16Modbus(HEAD, 0, HEAD.length - 2)).toBe(0x6308);
});
