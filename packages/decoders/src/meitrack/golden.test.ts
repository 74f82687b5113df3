import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../position.ts';
import { possible } from '../possible.ts';
import { annotated } from '../testing/annotated.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { join } from '../testing/stream.ts';
import { meitrackTcp, meitrackUdp } from './decode.ts';
import { encodeCce, encodeContent } from './encode.ts';
import { checksum } from './frame.ts';

const IMEI = '352093081452251';
const WHO = { kind: 'login', imei: IMEI };
const SESSION = { imei: null, receivedAt: epochMs(0) };
const CRLF = Uint8Array.of(0x0d, 0x0a);
const textFrame = (text: string): Uint8Array => join([annotatedText(text), CRLF]);
const words = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

const AAA = textFrame(`
$$A148,               | start, flag, bytes from this comma on
352093081452251,      | IMEI
AAA,                  | report
35,                   | event: by time
41.878113,-87.629812, | latitude, longitude
260115083005,         | 2026-01-15 08:30:05 UTC
A,                    | valid
11,                   | satellites
25,                   | GSM
54,271,               | km/h, course
0.8,181,              | HDOP, altitude
123456,               | mileage, metres
7200,                 | run time, seconds
310\\|410\\|81FE\\|066D5A, | MCC, MNC, LAC, CI
0401,                 | inputs 0b100 (ignition), outputs 0b001
0000\\|0000\\|0000\\|0192\\|055A, | converters: battery 4.02 V, external 13.70 V
*B3                   | checksum
`);

const POSITION = positionOf({
  time: epochMs(Date.UTC(2026, 0, 15, 8, 30, 5)),
  valid: true,
  lat: 41.878113 as never,
  lon: -87.629812 as never,
  speed: 15 as never,
  course: 271 as never,
  altitude: 181 as never,
  satellites: 11,
  hdop: 0.8,
  ignition: true,
  odometer: 123_456 as never,
  gsm: 25,
  attributes: {
    adc1: 0,
    adc2: 0,
    adc3: 0,
    batteryVoltage: 4.02,
    externalVoltage: 13.7,
    cell: '310-410-33278-421210',
    runTime: 7200,
    input1: false,
    input2: false,
    input3: true,
    output1: true,
    output2: false,
    output3: false,
  },
});

describe('text', () => {
  it('is a login and a position, without an answer', () => {
    expect(meitrackTcp.nextFrame(AAA)).toEqual({ status: 'frame', end: AAA.length });
    expect(meitrackTcp.decode(AAA, SESSION)).toEqual({
      messages: [WHO, POSITION],
      acknowledgement: null,
      refusal: null,
    });
    expect(meitrackUdp.decodeDatagram(AAA, epochMs(0)).messages).toEqual([WHO, POSITION]);
  });

  it('has numbers padded with spaces, and readings in decimals', () => {
    const fields =
      '35,41.878113, -87.629812,260115083005,A, 11,25,54,271, 5,-14,0,60,0|0|10133|4172,0000, 166|204|205|2709|878,';
    const frame = encodeContent(IMEI, new TextEncoder().encode(`AAA,${fields}`), 3);
    expect(meitrackTcp.decode(frame, SESSION).messages[1]).toMatchObject({
      kind: 'position',
      lat: 41.878113,
      lon: -87.629812,
      satellites: 11,
      hdop: 5,
      attributes: { adc1: 166, adc3: 205, batteryVoltage: 4.365, externalVoltage: 11.318 },
    });
    const unknown = encodeContent(IMEI, new TextEncoder().encode(`AAA,${fields.replace('2709', 'FFFF')}`), 3);
    expect(meitrackTcp.decode(unknown, SESSION).messages[1]).not.toHaveProperty('attributes.batteryVoltage');
  });

  it('with a wrong checksum is refused', () => {
    const broken = AAA.with(60, 0x39);
    expect(meitrackTcp.decode(broken, SESSION).messages).toMatchObject([{ kind: 'error', code: 'bad-checksum' }]);
  });

  it.each([
    ['0000|0000|0000|018D|04F0', 3.97, 12.64],
    ['0000|0000|0000|02D3|0103', 4.236, 12.141],
    ['0000|0000|0000|0A39|0000', 4.217, 0],
  ])('%s is a battery of %f V and an external supply of %f V', (readings, batteryVoltage, externalVoltage) => {
    const body = words(AAA).replace('0000|0000|0000|0192|055A', readings).slice(0, -4);
    const sum = checksum(
      Uint8Array.from(body, c => c.charCodeAt(0)),
      body.length,
    )
      .toString(16)
      .padStart(2, '0');
    const [, position] = meitrackTcp.decode(textFrame(`${body}${sum}`.replaceAll('|', '\\|')), SESSION).messages;
    expect(position).toMatchObject({ attributes: { batteryVoltage, externalVoltage } });
  });
});

describe('the end of a report of T366', () => {
  const attributesOf = (event: number, readings: string, assist: string, rest: string) => {
    const report = `AAA,${event},41.878113,-87.629812,260115083005,A,11,25,54,271,0.8,181,1,1,0|0|0|0,0000,${readings},${assist},,3,${rest}`;
    const [, message] = meitrackTcp.decode(encodeContent(IMEI, new TextEncoder().encode(report), 3), SESSION).messages;
    return message?.kind === 'position' ? message.attributes : null;
  };

  it('[R4.03] acceleration, deceleration and inputs', () => {
    const readings = '0123|0456|0235|0192|055A|0654|1456|0222';
    expect(attributesOf(35, readings, '00000001', '0E2E,011A09|021A15|06FB2E,30,18')).toMatchObject({
      accelerationMax: 0.294,
      decelerationMax: 0.177,
      temperature6: -12.34,
      adc3: 0x235,
      adc6: 0x654,
      adc8: 0x222,
      systemFlags: 1,
    });
  });

  it.each([
    [20, '02000000', { fence: 2 }],
    [21, '00000002', { fence: 2 }],
    [50, '08', { temperatureSensor: 8 }],
    [58, '01000000', { theftSource: 1 }],
    [56, '', { armed: true }],
    [57, '', { armed: false }],
  ])('[R4.03] event %d with %s', (event, assist, attributes) => {
    expect(attributesOf(event, '', assist, ',,,')).toMatchObject(attributes);
  });
});

it('text without coordinates keeps the other values', () => {
  const report = 'AAA,35,,,240601120000,V,0,20,,,,,1697,1,310|410|81FE|6D5A,0400,0000|0000|0000|0192|055A';
  const frame = encodeContent(
    IMEI,
    Uint8Array.from(report, c => c.charCodeAt(0)),
    3,
  );
  expect(meitrackTcp.decode(frame, SESSION).messages).toMatchObject([
    WHO,
    {
      kind: 'status',
      time: Date.UTC(2024, 5, 1, 12),
      attributes: { noFix: 'fix', odometer: 1697, gsm: 20, cell: '310-410-33278-27994', externalVoltage: 13.7 },
    },
  ]);
});

describe('[R4.03] text that does not follow the document', () => {
  const REPORT = 'AAA,35,41.878113,-87.629812,260304050607,A,9,20,54,271,0.8,181,1697,1,310|410|81FE|6D5A,0400';
  const of = (report: string) =>
    meitrackTcp.decode(
      encodeContent(
        IMEI,
        Uint8Array.from(report, c => c.charCodeAt(0)),
        3,
      ),
      SESSION,
    );

  it.each(['N', 'B', '2', '3D', '-'])('validity %s is an invalid fix, not none', flag => {
    expect(of(REPORT.replace(',A,', `,${flag},`)).messages[1]).toMatchObject({
      kind: 'position',
      valid: false,
      lat: 41.878113,
      odometer: 1697,
    });
  });

  it('an event that is no number is kept as it was sent', () => {
    const [, message] = of(REPORT.replace('35', 'X5')).messages;
    expect(message).toMatchObject({ kind: 'position', event: null, attributes: { eventCode: 'X5' } });
  });

  it('ends at the time', () => {
    const [, message] = of(REPORT.slice(0, REPORT.indexOf(',A,'))).messages;
    expect(message).toMatchObject({ kind: 'position', valid: false, time: Date.UTC(2026, 2, 4, 5, 6, 7) });
  });

  it.each(['269904050607', '', 'now'])('time %s costs the place, with a reason, and nothing else', time => {
    const [, message] = of(REPORT.replace('260304050607', time)).messages.map(possible);
    const attributes = { noFix: 'time', odometer: 1697, cell: '310-410-33278-27994' };
    expect(message).toMatchObject({ kind: 'status', time: null, attributes });
  });

  it('a stored report that can’t be read is kept and answered, or the tracker would send no other', () => {
    const { messages, acknowledgement } = of(`AFF,0004,${REPORT.slice(4).replace('41.878113', 'x')}`);
    expect(messages[1]).toMatchObject({ attributes: { unread: 'bad-field', messageType: 'AFF' } });
    expect(new TextDecoder().decode(acknowledgement ?? undefined)).toContain(`,${IMEI},AFF,0004*`);
  });

  it('a command without a description is a report only if each field is one', () => {
    expect(of(REPORT.replace('AAA', 'A10')).messages[1]).toMatchObject({ kind: 'position' });
    expect(of(REPORT.replace('AAA', 'A10').replace(',A,', ',N,')).messages[1]).toMatchObject({ kind: 'reply' });
  });
});

const CCE = annotated(`
  24 24 42 313138 2c            | $$, flag B, 118 bytes from the comma on
  333532303933303831343532323531 2c | IMEI
  434345 2c                     | CCE
  00000000                      | nothing left in the memory
  0100                          | one packet
  5400                          | of 84 bytes
  1400                          | 20 parameters
  06                            | of one byte: 6
    05 01                       | valid
    06 0b                       | 11 satellites
    07 19                       | GSM 25
    14 01                       | output 1
    15 04                       | input 3, ignition
    fe69 57                     | battery 87 %
  07                            | of two bytes: 7
    08 3600                     | 54 km/h
    09 0f01                     | course 271
    0a 0800                     | HDOP 0.8
    0b b500                     | altitude 181
    19 9201                     | battery 4.02 V
    1a 5a05                     | external 13.70 V
    40 8100                     | event 129, harsh braking
  05                            | of four bytes: 5
    02 61027f02                 | latitude
    03 0ce0c6fa                 | longitude
    04 8d34f730                 | seconds since 2000
    0c 40e20100                 | mileage
    25 0ca2b900                 | card
  02                            | of any length: 2
    0e 0c 3601 9a01 fe81 5a6d0600 0000 | MCC 310, MNC 410, LAC, CI, signal
    2a 03 00 2efe               | probe 1: -4.66 degrees
  2a 4646 0d0a                  | star, checksum, CR LF
`);

/** Fills in the time and the checksum, which are tedious to write by hand. */
function finished(frame: Uint8Array): Uint8Array {
  const bytes = frame.slice();
  const seconds = (POSITION.time - Date.UTC(2000, 0, 1)) / 1000;
  const at = words(bytes).indexOf(String.fromCharCode(0x04, 0x8d, 0x34));
  new DataView(bytes.buffer).setUint32(at + 1, seconds, true);
  const star = bytes.length - 5;
  const sum = checksum(bytes, star + 1)
    .toString(16)
    .toUpperCase()
    .padStart(2, '0');
  bytes.set(
    Uint8Array.from(sum, c => c.charCodeAt(0)),
    star + 1,
  );
  return bytes;
}

describe('CCE', () => {
  const frame = finished(CCE);
  it('is a login and a position', () => {
    expect(meitrackTcp.nextFrame(frame)).toEqual({ status: 'frame', end: frame.length });
    const { adc1, adc2, adc3, runTime, ...attributes } = POSITION.attributes;
    expect([adc1, adc2, adc3, runTime]).toEqual([0, 0, 0, 7200]);
    expect(meitrackTcp.decode(frame, SESSION).messages).toEqual([
      WHO,
      {
        ...POSITION,
        event: 'harshBraking',
        rfid: '00B9A20C',
        temperature: -4.66,
        attributes: { ...attributes, batteryLevel: 87, temperature1: -4.66 },
      },
    ]);
  });

  it.each([
    ['coordinates', '03 04 5dfa0e31', 'fix', Date.UTC(2000, 0, 1) + 0x310e_fa5d * 1000],
    ['a time', '04 02 61027f02 03 0ce0c6fa', 'time', null],
  ])('[R4.03] without %s is a status with its reason and everything else', (_, longs, noFix, time) => {
    const parameters = annotated(`03 05 01 06 0b 07 19 02 08 3600 1a 5a05 ${longs} 0c 40e20100 25 0ca2b900 00 |`);
    const head = annotated('00000000 0100 |');
    const length = Uint8Array.of(parameters.length + 2, 0, 9, 0);
    const content = join([Uint8Array.from('CCE,', c => c.charCodeAt(0)), head, length, parameters]);
    const [, message] = meitrackTcp.decode(encodeContent(IMEI, content, 3), SESSION).messages;
    const values = { odometer: 123_456, satellites: 11, gsm: 25, rfid: '00B9A20C', externalVoltage: 13.7 };
    expect(message).toMatchObject({ kind: 'status', time, attributes: { noFix, ...values } });
  });

  it('waits for its full length, whatever it contains', () => {
    for (let cut = 0; cut < frame.length; cut++) {
      expect(meitrackTcp.nextFrame(frame.subarray(0, cut)), `cut at ${cut}`).toEqual({ status: 'more' });
    }
  });
});

describe('commands', () => {
  it('carry flag, length, IMEI and checksum', () => {
    const frame = words(meitrackTcp.encodeCommand('A10', 25, IMEI));
    expect(frame).toMatch(/^@@Z25,352093081452251,A10\*[0-9A-F]{2}\r\n$/);
    expect(frame.length - frame.indexOf(',')).toBe(25);
  });

  it('are answered as replies', () => {
    const body = '$$Z28,352093081452251,A12,OK*';
    const sum = checksum(
      Uint8Array.from(body, c => c.charCodeAt(0)),
      body.length,
    )
      .toString(16)
      .padStart(2, '0');
    expect(meitrackTcp.decode(textFrame(body + sum), SESSION).messages).toEqual([
      WHO,
      { kind: 'reply', text: 'A12,OK', reference: null },
    ]);
  });

  const ccc = (length: string, record: string) =>
    encodeContent(IMEI, join([bytesOf(`CCC,`), annotated(`0201 ${length} 01000000 ${record} |`)]), 3);
  const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));
  const PLACE = '23 61027f02 0ce0c6fa 5dfa0e31 01';

  it('CCC has battery, external power and inputs if its records are long enough', () => {
    const tail = '09 13 3600 0f01 0800 b500 d3380100 7cbf0200 3601 9a01 fe81 5a6d 02 04 0500 a301 e204 00000000';
    const [, message] = meitrackTcp.decode(ccc('3400', `${PLACE} ${tail}`), SESSION).messages;
    expect(message).toMatchObject({
      kind: 'position',
      valid: true,
      lat: 41.878113,
      lon: -87.629812,
      ignition: true,
      odometer: 80_083,
      attributes: {
        adc1: 5,
        batteryVoltage: 4.19,
        externalVoltage: 12.5,
        input3: true,
        output2: true,
        cell: '310-410-33278-27994',
      },
    });
  });

  it('CCC is answered with the number of its records, so that the tracker deletes them', () => {
    for (const count of [1, 3]) {
      const { acknowledgement } = meitrackTcp.decode(ccc('0e00', PLACE.repeat(count)), SESSION);
      const [, sent] = /^@@D\d+,\d{15},(.*)\*[0-9A-F]{2}\r\n$/.exec(new TextDecoder().decode(acknowledgement!)) ?? [];
      expect(sent).toBe(`CCC,${count}`);
    }
    expect(meitrackTcp.decode(ccc('0e00', '23'), SESSION).acknowledgement).toBeNull();
  });

  it('CFF is read as CCE', () => {
    const position = positionOf({
      time: epochMs(Date.UTC(2026, 0, 15)),
      valid: true,
      lat: 1.5 as never,
      lon: 2.5 as never,
    });
    const whole = encodeCce(IMEI, [position], 3);
    const content = join([bytesOf('CFF'), whole.slice(whole.indexOf(0x43) + 3, -5)]);
    expect(meitrackTcp.decode(encodeContent(IMEI, content, 3), SESSION).messages[1]).toMatchObject({ lat: 1.5 });
  });

  it.each([
    ['20260115083005', 'A', true],
    ['260115083005', 'a', true],
    ['260115083005', '', false],
    ['260115083005', '0', false],
  ])('reads a report of %s with the validity “%s”', (time, validity, valid) => {
    const content = bytesOf(`AAA,,.878113,-87.629812,${time},${validity},9`);
    const [, message] = meitrackTcp.decode(encodeContent(IMEI, content, 3), SESSION).messages;
    expect(message).toMatchObject({ time: Date.UTC(2026, 0, 15, 8, 30, 5), valid, lat: 0.878113, satellites: 9 });
  });

  it('CCC records that end after the fix give a position', () => {
    const [, message] = meitrackTcp.decode(ccc('0e00', PLACE), SESSION).messages;
    expect(message).toMatchObject({ kind: 'position', lat: 41.878113, satellites: null, speed: null, attributes: {} });
  });

  it('a report under an undocumented command, or one that ends after the fix, gives a position', () => {
    for (const content of ['AAX,35,41.878113,-87.629812,260115083005,A', 'AAA,35,41.87811,-87.62981,260115083005,V']) {
      const [, message] = meitrackTcp.decode(encodeContent(IMEI, bytesOf(content), 3), SESSION).messages;
      expect(message).toMatchObject({ kind: 'position', time: Date.UTC(2026, 0, 15, 8, 30, 5), satellites: null });
    }
  });

  it('CCE keeps the packets before the damage', () => {
    const position = positionOf({
      time: epochMs(Date.UTC(2026, 0, 15)),
      valid: true,
      lat: 1.5 as never,
      lon: 2.5 as never,
    });
    const whole = encodeCce(IMEI, [position, position], 3);
    const content = whole.slice(whole.indexOf(0x43), -5 - 20);
    expect(meitrackTcp.decode(encodeContent(IMEI, content, 3), SESSION).messages).toMatchObject([
      WHO,
      { kind: 'position', lat: 1.5 },
    ]);
  });
});
