import { degrees, epochMs, metres, percent } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc16Kermit } from '../crc16.ts';
import { protocols } from '../index.ts';
import type { PositionMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf, join } from '../testing/stream.ts';
import { ruptela } from './decode.ts';
import { encodeCommand, encodeHeartbeat, encodeIdentification, encodeRecords, encodeReply } from './encode.ts';
import { explain } from './explain.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };
const IMEI = '352093081452251';
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);
const hexOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');

/** Two parts of one record, made by us. */
const EXTENDED = annotated(`
  0065             | 101 bytes until the checksum
  0001403a0f0c3edb | IMEI
  44               | extended records
  00               | none left
  02               | two of them
  69a7bdbf         | 2026-03-04 05:06:07 UTC
  00               | extension of the time
  10               | two parts, the first
  01               | priority
  cbc4b8d0         | longitude -87.6300080
  18f63708         | latitude 41.8789128
  0717             | altitude 181.5 m
  69dc             | course 271.00
  0b               | satellites
  0036             | 54 km/h
  08               | HDOP 0.8
  00ad             | because of the movement sensor
  03               | three bytes
  00ad 01          | it moves
  001b 18          | signal 24
  0005 01          | fourth input: ignition
  01               | two words
  001d 32d8        | 13.016 V
  01               | one of four bytes
  0041 0012d687    | 1234567 m
  00               | none of eight bytes
  69a7bdbf 00 11 01 cbc4b8d0 18f63708 0717 69dc 0b 0036 08 00ad | the second part: the same until here
  01               | one byte
  00cf b1          | fuel, 0.4 % each
  00 00            | nothing of two and four bytes
  01               | one of eight
  0022 01d042f31d000030 | iButton
  20a2             | checksum
`);

describe('Ruptela', () => {
  it('puts the parts of an extended record together and acknowledges the packet', () => {
    const { messages, acknowledgement, refusal } = ruptela.decode(EXTENDED.slice(), SESSION);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toEqual({ kind: 'login', imei: IMEI });
    expect(messages[1]).toEqual({
      kind: 'position',
      time: TIME,
      valid: true,
      lat: 41.8789128,
      lon: -87.630008,
      altitude: 181.5,
      course: 271,
      satellites: 11,
      speed: 15,
      hdop: 0.8,
      ignition: true,
      odometer: 1_234_567,
      fuel: 70.8,
      temperature: null,
      gsm: 24,
      event: 'movementStart',
      rfid: '01D042F31D000030',
      attributes: { movement: true, input4: true, externalVoltage: 13.016, priority: 1 },
    });
    expect(hexOf(acknowledgement)).toBe('0002640113bc');
    expect(hexOf(refusal)).toBe('000264000235');
  });

  it('a record without a fix is a status without a position', () => {
    const frame = EXTENDED.slice();
    const view = new DataView(frame.buffer);
    for (const at of [20, 24, 68, 72]) view.setUint32(at, 0x8000_0000);
    const { messages, acknowledgement } = ruptela.decode(resummed(frame), SESSION);
    expect(messages[1]).toMatchObject({
      kind: 'status',
      time: TIME,
      event: 'movementStart',
      attributes: { noFix: 'fix', ignition: true, odometer: 1_234_567, externalVoltage: 13.016 },
    });
    expect(hexOf(acknowledgement)).toBe('0002640113bc');
  });

  it('keeps the records before one that does not fit, and acknowledges the packet', () => {
    const more = EXTENDED.slice();
    more[12] = 3;
    const { messages, acknowledgement } = ruptela.decode(resummed(more), SESSION);
    expect(messages).toMatchObject([
      { kind: 'login' },
      { kind: 'position', lat: 41.8789128 },
      { kind: 'error', code: 'bad-length' },
    ]);
    expect(hexOf(acknowledgement)).toBe('0002640113bc');
  });

  it('keeps the records behind one with elements that nobody has described', () => {
    const record = (minute: string, elements: string): string =>
      `69a7${minute} 00 01 cbc4b8d0 18f63708 0717 69dc 0b 0036 08 00 ${elements}`;
    const sent = (first: string): Uint8Array => {
      const content = annotated(`
        0001403a0f0c3edb 01 00 03
        ${record('bdbf', first)}
        ${record('bdfb', '01 1b 18 00 00 00')}
        ${record('be37', '00 00 00 00')}`);
      return resummed(join([Uint8Array.of(content.length >> 8, content.length & 255), content, Uint8Array.of(0, 0)]));
    };
    for (const [elements, gsm] of [
      ['01 1b 12 00 00 00 01 000102030405060708090a0b0c0d0e0f', 18],
      ['ff 1b 12', null],
    ] as const) {
      const { messages, acknowledgement } = ruptela.decode(sent(elements), SESSION);
      expect(messages).toMatchObject([
        { kind: 'login' },
        { kind: 'position', time: TIME, lat: 41.8789128, gsm },
        { kind: 'position', time: TIME + 60_000, lat: 41.8789128, gsm: 24 },
        { kind: 'position', time: TIME + 120_000, lat: 41.8789128, gsm: null },
        { kind: 'error', code: 'bad-length' },
      ]);
      expect(hexOf(acknowledgement)).toBe('0002640113bc');
      const shown = JSON.stringify(explain(sent(elements)));
      for (const time of ['05:06:07', '05:07:07', '05:08:07']) expect(shown).toContain(time);
    }
  });

  it('keeps the records behind one that has no fix and whose elements do not fit', () => {
    for (const place of ['80000000 80000000 8000 ffff 00', '00000000 00000000 0000 0000 00']) {
      const content = annotated(`
        0001403a0f0c3edb 01 00 02
        69a7bdbf 00 01 ${place} 0036 08 00 ff 1b
        69a7bdfb 00 01 cbc4b8d0 18f63708 0717 69dc 0b 0036 08 00 00 00 00 00`);
      const frame = join([Uint8Array.of(0, content.length), content, Uint8Array.of(0, 0)]);
      expect(protocols.ruptela.stream!.decode(resummed(frame), SESSION).messages).toMatchObject([
        { kind: 'login' },
        { kind: 'status', time: TIME, attributes: { noFix: 'fix' } },
        { kind: 'position', time: TIME + 60_000, lat: 41.8789128 },
        { kind: 'error', code: 'bad-length' },
      ]);
    }
  });

  it('reads an answer with letters beyond ASCII', () => {
    const content = join([annotated('0001403a0f0c3edb 07 |'), new TextEncoder().encode('APN: señal')]);
    const frame = resummed(join([Uint8Array.of(0, content.length), content, Uint8Array.of(0, 0)]));
    expect(ruptela.decode(frame, SESSION).messages[1]).toMatchObject({ kind: 'reply', text: 'APN: señal' });
  });

  it('reads records beyond their number', () => {
    for (const count of [0, 1]) {
      const { messages } = ruptela.decode(resummed(EXTENDED.slice().with(12, count)), SESSION);
      expect(messages).toMatchObject([{ kind: 'login' }, { kind: 'position', lat: 41.8789128 }]);
    }
  });

  it('keeps an undocumented command', () => {
    const { messages, acknowledgement } = ruptela.decode(resummed(EXTENDED.slice().with(10, 0x55)), SESSION);
    expect(messages[1]).toMatchObject({ kind: 'status', attributes: { command: 0x55 } });
    expect(acknowledgement).toBeNull();
  });

  it('reads values of the engine, and the number of the vehicle in three elements', () => {
    const record = annotated(`
      00 01 69A7BD8F 00 00 33B4C2A0 18F60C48 0717 69DC 0B 0036 08 00
      02 5F 3C 60 76          | speed 60 km/h, coolant 78 °C
      01 5E 1B18              | 1734 revolutions
      00
      03 68 555531444A463030 69 3537303637383230 6A 3500000000000000`);
    const content = Uint8Array.of(0, 3, 0x14, 0xa0, 0x6e, 0x5f, 0x5d, 0x7b, 1, ...record);
    const { messages } = ruptela.decode(
      resummed(Uint8Array.of(content.length >> 8, content.length & 255, ...content, 0, 0)),
      SESSION,
    );
    expect(messages[1]).toMatchObject({
      attributes: { rpm: 1734, obdSpeed: 16.6666666667, coolantTemperature: 78, vin: 'UU1DJF00570678205' },
    });
  });

  it('answers identification and heartbeat, reads an answer', () => {
    const identification = ruptela.decode(encodeIdentification(IMEI), SESSION);
    expect(identification.messages[1]).toMatchObject({ attributes: { model: 'MLPS', firmware: '00.00.01.01' } });
    expect(hexOf(identification.acknowledgement)).toMatch(/^00027301/);
    expect(hexOf(ruptela.decode(encodeHeartbeat(IMEI), SESSION).acknowledgement)).toMatch(/^00027401/);
    const reply = ruptela.decode(encodeReply(IMEI, 'SETIO configuration data ok'), SESSION);
    expect(reply.messages[1]).toEqual({ kind: 'reply', text: 'SETIO configuration data ok', reference: null });
    expect(reply.acknowledgement).toBeNull();
  });

  it('refuses damaged frames', () => {
    const frame = EXTENDED.slice();
    const damaged = frame.with(40, (frame[40] ?? 0) ^ 1);
    expect(ruptela.decode(damaged, SESSION).messages).toEqual([
      { kind: 'error', code: 'bad-checksum', at: frame.length - 2 },
    ]);
    const cut = encodeRecords(IMEI, [], 'plain');
    cut[12] = 1;
    expect(ruptela.decode(resummed(cut), SESSION)).toMatchObject({
      messages: [{ kind: 'login' }, { kind: 'status', attributes: { unread: 'bad-length', messageType: 1 } }],
      acknowledgement: null,
    });
  });

  it('finds frames after garbage', () => {
    const frame = EXTENDED.slice();
    const stream = join([Uint8Array.of(0xff, 0x41, 0x99), frame, Uint8Array.of(0xff), frame]);
    for (const size of [1, 7, 5000])
      expect(framesOf(ruptela, stream, size)).toEqual({ frames: [frame, frame], garbage: 4 });
  });

  it('encodes a command as its SMS', () => {
    const frame = encodeCommand(' coords');
    expect(hexOf(frame)).toMatch(/^00086c20636f6f726473/);
    expect(crc16Kermit(frame, 2, frame.length)).toBeDefined();
  });
});

/** With its checksum recomputed. */
function resummed(frame: Uint8Array): Uint8Array {
  const copy = frame.slice();
  new DataView(copy.buffer).setUint16(copy.length - 2, crc16Kermit(copy, 2, copy.length - 2));
  return copy;
}

describe('Ruptela round trip', () => {
  const position = fc
    .record({
      fix: fixes({ steps: 1e7, speed: 'km/h', to: Date.UTC(2099) }),
      altitude: orNull(fc.integer({ min: -3000, max: 32_000 }).map(tenths => metres(tenths / 10))),
      course: orNull(fc.integer({ min: 0, max: 36_000 }).map(value => degrees(value / 100))),
      satellites: fc.integer({ min: 1, max: 40 }),
      hdop: orNull(fc.integer({ min: 0, max: 254 }).map(tenths => tenths / 10)),
      ignition: orNull(fc.boolean()),
      odometer: orNull(fc.integer({ min: 0, max: 0xffff_ffff }).map(metres)),
      fuel: orNull(fc.integer({ min: 0, max: 250 }).map(steps => percent(Number((steps * 0.4).toFixed(1))))),
      gsm: orNull(fc.integer({ min: 0, max: 31 })),
      rfid: orNull(fc.stringMatching(/^[0-9A-F]{15}[1-9A-F]$/)),
      millivolts: orNull(fc.integer({ min: 0, max: 0xffff })),
    })
    .map(
      ({ fix, satellites, millivolts, ...rest }): PositionMessage => ({
        ...fix,
        ...rest,
        satellites: fix.valid ? satellites : 0,
        attributes: {
          ...(millivolts === null ? {} : { externalVoltage: millivolts / 1000 }),
          ...(rest.ignition === null ? {} : { input4: rest.ignition }),
        },
      }),
    );

  it.each(['plain', 'extended'] as const)('as %s records', form => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{15}$/), fc.array(position, { minLength: 1, maxLength: 6 }), (imei, sent) => {
        const { messages } = ruptela.decode(encodeRecords(imei, sent, form), SESSION);
        expect(messages).toEqual([{ kind: 'login', imei }, ...sent]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['ignitionOn', 'ignitionOff', 'movementStart', 'movementStop', 'jamming', 'jammingEnd', 'harshBraking'])(
    'with the event %s',
    event => {
      const [sent] = fc.sample(position, { numRuns: 1, seed: 5 });
      const { messages } = ruptela.decode(encodeRecords(IMEI, [{ ...sent!, event }], 'extended'), SESSION);
      expect(messages[1]).toMatchObject({ event });
    },
  );
});
