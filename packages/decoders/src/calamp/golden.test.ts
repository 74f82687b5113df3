import { degrees, epochMs, metres, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PositionMessage } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { join } from '../testing/stream.ts';
import { calampUdp } from './decode.ts';
import { encodeAck, encodeCommand, encodeEventReport, encodeNull } from './encode.ts';
import { explain } from './explain.ts';

const NOW = epochMs(0);
const decode = (bytes: Uint8Array) => calampUdp.decodeDatagram(bytes, NOW);
const hexOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');

const REPORT = annotated(`
  83                  | options: mobile id and its type
  05 4332149475       | ten digits
  01 01               | an ESN
  01                  | to be acknowledged
  02                  | event report
  039c                | sequence number
  69a7bdbf            | updated 2026-03-04 05:06:07 UTC
  69a7bdbf            | fixed at the same time
  18f63708            | latitude 41.8789128
  cbc4b8d0            | longitude -87.6300080
  000046e6            | altitude 181.50 m
  000005dc            | speed 15.00 m/s
  010f                | course 271
  0b                  | satellites
  00                  | fix status: good
  019a                | carrier 410
  ff9d                | -99 dBm
  6f                  | state of the connection
  08                  | HDOP 0.8
  13                  | inputs, the lowest is the ignition
  00                  | unit status
  3e                  | event index
  0b                  | event code
  02                  | two accumulators
  00                  | spare
  0000000a 000001f4   | 10, 500
`);

describe('CalAmp LM Direct', () => {
  it('reads an event report and acknowledges it', () => {
    const { messages, acknowledgement } = decode(REPORT);
    expect(messages).toEqual([
      { kind: 'login', imei: '4332149475' },
      {
        kind: 'position',
        time: Date.UTC(2026, 2, 4, 5, 6, 7),
        valid: true,
        lat: 41.8789128,
        lon: -87.630008,
        altitude: 181.5,
        speed: 15,
        course: 271,
        satellites: 11,
        hdop: 0.8,
        gsm: 7,
        ignition: true,
        odometer: null,
        fuel: null,
        temperature: null,
        event: null,
        rfid: null,
        attributes: {
          ...{ inputs: 0x13, input1: true, input2: false, input3: false, input4: true },
          ...{ roaming: true, carrier: 410, eventIndex: 62, eventCode: 11, accumulator1: 10, accumulator2: 500 },
        },
      },
    ]);
    expect(acknowledgement).toEqual(
      annotated('02 01 039c 02 00 00 000000 | response, ACK, sequence, event report, yes'),
    );
  });

  it('reads a mini event report', () => {
    const mini = annotated(`
      83 08 352093081452251f 01 02 | an IMEI
      01 0a 0c21                   | to be acknowledged, mini event report
      69a7bdbf 18f63708 cbc4b8d0   | time, place
      010f 36                      | course 271, 54 km/h
      09                           | nine satellites, good fix
      80 1f 21                     | connection, inputs, event code 33
      01 00000300                  | one accumulator
    `);
    const { messages } = decode(mini);
    expect(messages[0]).toEqual({ kind: 'login', imei: '352093081452251' });
    expect(messages[1]).toMatchObject({
      valid: true,
      speed: 15,
      course: 271,
      satellites: 9,
      ignition: true,
      attributes: { eventCode: 33, accumulator1: 768 },
    });
    const lastKnown = mini.slice();
    lastKnown[31] = 0x49;
    expect(decode(lastKnown).messages[1]).toMatchObject({ valid: false, satellites: 9 });
  });

  it('acknowledges only messages that require it, and answers a heartbeat', () => {
    expect(decode(REPORT.with(9, 0)).acknowledgement).toBeNull();
    const { messages, acknowledgement } = decode(encodeNull('4332149475', 7));
    expect(messages[1]).toEqual({ kind: 'heartbeat', attributes: {} });
    expect(hexOf(acknowledgement)).toBe('02010007000000000000');
  });

  it('reads the acknowledgement of a command', () => {
    expect(decode(encodeAck('4332149475', 42, 0)).messages[1]).toEqual({ kind: 'reply', text: 'done', reference: 42 });
    expect(decode(encodeAck('4332149475', 42, 1)).messages[1]).toMatchObject({ text: 'failed' });
    expect(decode(encodeAck('4332149475', 42, 0)).acknowledgement).toBeNull();
  });

  it('says only of a unit abroad that it is roaming', () => {
    const [, home] = decode(REPORT.with(45, 0x4f)).messages;
    expect(home).toMatchObject({ kind: 'position', attributes: { inputs: 0x13 } });
    expect(home && 'attributes' in home && home.attributes).not.toHaveProperty('roaming');
  });

  it('marks reports sent from memory', () => {
    const late = REPORT.slice();
    late[16] = 0xff;
    expect(decode(late).messages[1]).toMatchObject({ attributes: { reportTime: '2026-03-04T05:07:11.000Z' } });
  });

  it('reads the fix status: kept before it was sent, a clock that has not been set', () => {
    expect(decode(REPORT.with(40, 0x20)).messages[1]).toMatchObject({ valid: true, attributes: { replayed: true } });
    const unset = { valid: false, attributes: { clockNotSet: true } };
    expect(decode(REPORT.with(40, 0x40)).messages[1]).toMatchObject(unset);
    expect(JSON.stringify(explain(REPORT.with(40, 0x64)))).toContain(
      'last known, kept before it was sent, clock not set',
    );
  });

  it('a tracker without a fix gives a status without a position', () => {
    const none = REPORT.slice();
    // Time of fix, latitude and longitude; fix status: invalid.
    none.fill(0, 17, 29).set([0x08], 40);
    expect(decode(none).messages[1]).toMatchObject({
      kind: 'status',
      time: Date.UTC(2026, 2, 4, 5, 6, 7),
      attributes: { noFix: 'fix', ignition: true, satellites: 11, eventCode: 11, accumulator2: 500 },
    });
  });

  it.each([
    ['application message', '05', '0007 0003 aabbcc', { applicationType: 7, applicationData: 'AABBCC' }],
    ['user message', '04', '00 01 0002 4869', { userData: 'Hi' }],
    ['user message beyond ASCII', '04', '00 01 0006 7365c3b1616c', { userData: 'señal' }],
    ['user message with accumulators', '09', '00 01 0002 4869 01 00 0000000a', { userData: 'Hi', accumulator1: 10 }],
    ['locate report', '08', '01 00 0000000a', { accumulator1: 10 }],
    ['message of an undocumented type', '63', '0102', { data: '0102' }],
    ['event report that ends after its position', '02', '', { inputs: 0x13 }],
  ])('reads the position of a %s', (_, type, behind, attributes) => {
    const bytes = join([
      REPORT.subarray(0, 10),
      annotated(`${type} 039c |`),
      REPORT.subarray(13, 49),
      annotated(`${behind} |`),
    ]);
    const at = epochMs(Date.UTC(2026, 2, 4, 5, 7));
    const { messages, acknowledgement } = calampUdp.decodeDatagram(bytes, at);
    expect(messages[1]).toMatchObject({ kind: 'position', valid: true, lat: 41.8789128, lon: -87.630008, attributes });
    expect(acknowledgement?.[4]).toBe(Number.parseInt(type, 16));
    expect(explain(bytes).at(-1)?.to).toBe(bytes.length);
  });

  it('reads an ID report', () => {
    const report = annotated(`
      83 05 4332149475 01 01 01 03 0001 | to be acknowledged, ID report
      00 00 333862                      | script, configuration, firmware 38b
      00 00 23 c3 01 00000000           | class, status, modem, application, kind of id, query
      4332149475ffffff                  | ESN
      352093081452251f                  | IMEI
      310410123456789f                  | IMSI
      ffffffffffffffff                  | no telephone number
      8901410321111851072f              | SIM
      56494e2d494e464f3a56494e3d31464d5a55373245393541373730303236 00 | VIN-INFO:VIN=…
    `);
    expect(decode(report).messages[1]).toMatchObject({
      kind: 'status',
      attributes: {
        firmware: '38b',
        esn: '4332149475',
        imei: '352093081452251',
        imsi: '310410123456789',
        iccid: '8901410321111851072',
        vin: '1FMZU72E95A770026',
      },
    });
    expect(explain(report).map(({ name }) => name)).toContain('SIM');
  });

  it('keeps unreadable messages, and acknowledges them so that the tracker continues', () => {
    const { messages, acknowledgement } = decode(annotated('83 05 4332149475 01 01 01 63 039c 0102 |'));
    expect(messages[1]).toMatchObject({ kind: 'status', attributes: { data: '0102' } });
    expect(hexOf(acknowledgement)).toBe('0201039c630000000000');
  });

  it.each([
    ['no ESN is given', '01 02 039c', 'not-signed-in'],
    ['an unknown service', '83 05 4332149475 01 01 07 02 039c', 'bad-field'],
    ['half a report', '83 05 4332149475 01 01 01 02 039c 0000', 'too-short'],
    ['half a header', '83 05 4332', 'too-short'],
  ])('refuses when %s', (_, bytes, code) => {
    expect(decode(annotated(`${bytes} |`)).messages).toMatchObject([{ kind: 'error', code }]);
  });

  it('writes unit requests, and text for a device on the port', () => {
    expect(hexOf(encodeCommand('unit 1', 42))).toBe('0107002a0100000000000000');
    expect(hexOf(encodeCommand('unit 10 1 2 3', 42))).toBe('0107002a0a01000200000003');
    expect(hexOf(encodeCommand('Hi', 42))).toBe('0104002a000000024869');
  });
});

describe('CalAmp comes back', () => {
  const position = fc
    .record({
      fix: fixes({ steps: 1e7, speed: 'km/h', from: Date.UTC(2000), to: Date.UTC(2099) }),
      speed: fc.integer({ min: 0, max: 10_000 }).map(value => metresPerSecond(value / 100)),
      altitude: fc.integer({ min: -50_000, max: 900_000 }).map(value => metres(value / 100)),
      course: fc.integer({ min: 0, max: 359 }).map(degrees),
      satellites: fc.integer({ min: 0, max: 40 }),
      hdop: fc.integer({ min: 0, max: 255 }).map(value => value / 10),
      gsm: orNull(fc.integer({ min: 0, max: 31 })),
      ignition: fc.boolean(),
      accumulators: fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), { maxLength: 20 }),
      eventCode: fc.integer({ min: 0, max: 255 }),
    })
    .map(
      ({ fix, accumulators, eventCode, ...rest }): PositionMessage => ({
        ...fix,
        ...rest,
        attributes: {
          inputs: rest.ignition ? 1 : 0,
          ...{ input1: false, input2: false, input3: false, input4: false },
          eventIndex: 0,
          eventCode,
          ...Object.fromEntries(accumulators.map((value, i) => [`accumulator${i + 1}`, value])),
        },
      }),
    );

  it('as event reports', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9](\d{9}|\d{14})$/), position, fc.nat(0xffff), (imei, sent, sequence) => {
        const { messages, acknowledgement } = decode(encodeEventReport(imei, sent, sequence));
        expect(messages).toEqual([{ kind: 'login', imei }, sent]);
        expect([acknowledgement?.[2], acknowledgement?.[3]]).toEqual([sequence >> 8, sequence & 255]);
      }),
    );
  });
});
