import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import type { Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { framesOf, join } from '../testing/stream.ts';
import { encodeCommand } from './commands.ts';
import { jt808 } from './decode.ts';
import { encodePacket, encodeRegistration } from './encode.ts';
import { identityOf, phoneOf } from './packet.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(Date.UTC(2026, 2, 4, 5, 6, 7)) };
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);

const LOCATION = annotated(`
  7e             | start
  0200           | location
  0035           | 53 bytes of body
  013912345678   | telephone
  0007           | serial number
  00000001       | alarm: emergency
  00000807       | ignition, positioned, south; circuit cut
  0155c8d0       | latitude 22.399184
  06ca6f84       | longitude 113.930116
  0015           | altitude 21 m
  01e0           | 48.0 km/h
  005a           | course 90
  260304130607   | 2026-03-04 13:06:07, GMT+8
  01 04 00003039 | mileage 1234.5 km
  02 02 01a4     | fuel 42.0 l
  30 01 19       | signal 25
  31 01 0b       | 11 satellites
  12 06 01 00000009 01 | left circle 9
  00             | an item without its length is left alone
  5f             | exclusive or of all before it
  7e             | stop
`);

/** With its checksum recomputed. */
const checked = (frame: Uint8Array): Uint8Array => {
  const copy = frame.slice();
  copy[copy.length - 2] = frame.subarray(1, -2).reduce((sum, byte) => sum ^ byte, 0);
  return copy;
};

describe('JT/T 808', () => {
  it('reads a location with its items and confirms it', () => {
    const { messages, acknowledgement } = jt808.decode(LOCATION, SESSION);
    expect(messages).toEqual([
      { kind: 'login', imei: '013912345678' },
      {
        kind: 'position',
        time: TIME,
        valid: true,
        lat: -22.399184,
        lon: 113.930116,
        altitude: 21,
        speed: 40 / 3,
        course: 90,
        ignition: true,
        odometer: 1_234_500,
        satellites: 11,
        gsm: 25,
        event: 'sos',
        hdop: null,
        fuel: null,
        temperature: null,
        rfid: null,
        attributes: { powerCircuitCut: true, fuelVolume: 42, area: 9, alarms: 'sos geofenceExit' },
      },
    ]);
    expect(acknowledgement).toEqual(
      annotated(`
        7e           | start
        8001 0005    | general answer, 5 bytes
        013912345678 | telephone
        0007         | serial number
        0007 0200 00 | to report 7, a location: done
        b6           | exclusive or
        7e           | stop
      `),
    );
  });

  it('registers a terminal, and refuses an unknown one', () => {
    const frame = annotated(`
      7e 0100 002d         | registration, 45 bytes
      013912345678 0001    | telephone, serial number
      002c 012f            | province, city
      3730313131           | maker 70111
      42534a2d41362d4244 0000000000000000000000 | model BSJ-A6-BD
      30353637383732       | terminal 0567872
      01                   | blue plate
      d4c1 423838383838    | 粤B88888 in GBK
      54                   | exclusive or
      7e
    `);
    const { messages, acknowledgement, refusal } = jt808.decode(frame, SESSION);
    expect(messages).toEqual([
      {
        kind: 'login',
        imei: '013912345678',
        attributes: { maker: '70111', model: 'BSJ-A6-BD', terminalId: '0567872', plate: '粤B88888' },
      },
    ]);
    expect([...(acknowledgement ?? []).slice(13, 16)]).toEqual([0, 1, 0]);
    expect(new TextDecoder().decode(acknowledgement?.slice(16, -2))).toBe('013912345678');
    expect([...(refusal ?? []).slice(13, 16)]).toEqual([0, 1, 4]);
  });

  it('escapes 7E and 7D', () => {
    const frame = encodePacket(0x0900, '013912345678', 1, Uint8Array.of(0x41, 0x7e, 0x7d, 0x01));
    expect([...frame].filter(byte => byte === 0x7e)).toHaveLength(2);
    expect(jt808.decode(frame, SESSION).messages[1]).toMatchObject({ attributes: { serial1: '7E7D01' } });
  });

  it('joins consecutive parts to one message, and confirms each', () => {
    const body = jt808Batch();
    const parts = [body.slice(0, 20), body.slice(20)].map((bytes, i) => part(bytes, i + 1, 2));
    const stream = join([...parts, LOCATION]);
    for (const size of [1, 7, 1000]) {
      const { frames, garbage } = framesOf(jt808, stream, size);
      expect([frames.length, garbage]).toEqual([2, 0]);
      const { messages, acknowledgement } = jt808.decode(frames[0]!, SESSION);
      expect(messages.map(({ kind }) => kind)).toEqual(['login', 'position', 'position']);
      expect(messages[1]).toMatchObject({ attributes: { replayed: true } });
      expect([...acknowledgement!].filter(byte => byte === 0x7e)).toHaveLength(4);
    }
    // Of a part without the others only a whole location is read; it is not confirmed, so the tracker sends it again.
    const alone = jt808.decode(parts[1]!, SESSION);
    expect(alone).toMatchObject({ messages: [{ kind: 'login' }, { kind: 'position' }], acknowledgement: null });
    const piece = part(body.slice(0, 20), 1, 2);
    expect(jt808.decode(piece, SESSION)).toEqual({
      messages: [{ kind: 'error', code: 'too-short', at: 0 }],
      acknowledgement: null,
      refusal: null,
    });
  });

  it('answers a time request in UTC, 2019', () => {
    const frame = encodePacket(0x0004, '352093081452251', 5, new Uint8Array(0));
    const { acknowledgement } = jt808.decode(frame, SESSION);
    expect(Buffer.from(acknowledgement!).toString('hex')).toContain('260304050607');
  });

  it.each([
    ['013912345678', { digits: '013912345678', versioned: false }],
    ['352093081452251', { digits: '00000352093081452251', versioned: true }],
    ['86000000000001', { digits: '4e376f736001', versioned: false }],
  ])('uses %s as the tracker’s ID in both directions', (identity, phone) => {
    expect(phoneOf(identity)).toEqual(phone);
    expect(identityOf(phone.digits.toUpperCase())).toBe(identity);
  });

  it.each([
    [{ at: 20, flip: 1 }, 'bad-checksum'],
    [{ at: 4, flip: 1 }, 'bad-checksum'],
  ])('refuses a damaged frame %j', ({ at, flip }, code) => {
    const frame = LOCATION.slice();
    frame[at] = (frame[at] ?? 0) ^ flip;
    expect(jt808.decode(frame, SESSION).messages).toMatchObject([{ kind: 'error', code }]);
  });
});

/** Two locations as a batch of stored positions. */
function jt808Batch(): Uint8Array {
  const location = LOCATION.slice(13, 13 + 28);
  return join([Uint8Array.of(0, 2, 1), Uint8Array.of(0, 28), location, Uint8Array.of(0, 28), location]);
}

function part(body: Uint8Array, index: number, total: number): Uint8Array {
  const whole = encodePacket(0x0704, '013912345678', index, join([Uint8Array.of(0, total, 0, index), body]));
  // The part numbers are in the header: bit 13 is set, and they do not count as body.
  whole[3] = 0x20;
  whole[4] = body.length;
  return checked(whole);
}

describe('JT/T 808: replies', () => {
  const decode = (id: number, body: string) =>
    jt808.decode(encodePacket(id, '013912345678', 9, annotated(body)), SESSION);

  it('reads the general response with the command it belongs to', () => {
    const { messages, acknowledgement } = decode(0x0001, '002a 8103 00 | to 42, set parameters: done');
    expect(messages[1]).toEqual({ kind: 'reply', text: '8103 done', reference: 42 });
    expect(acknowledgement).toBeNull();
  });

  it('reads parameters', () => {
    const { messages } = decode(
      0x0104,
      `002a 02                | to 42, two of them
       00000001 04 0000003c   | heartbeat 60 s
       00000013 05 612e622e63 | server a.b.c`,
    );
    expect(messages[1]).toEqual({ kind: 'reply', text: '0001=60 0013=a.b.c', reference: 42 });
  });

  it('keeps an unknown message, and confirms it', () => {
    const { messages, acknowledgement } = decode(0x0f01, 'abcd |');
    expect(messages[1]).toMatchObject({ kind: 'status', attributes: { messageId: '0F01', data: 'ABCD' } });
    expect(acknowledgement).not.toBeNull();
  });
});

describe('JT/T 808: commands', () => {
  const hexOf = (command: string, identity = '013912345678') =>
    Buffer.from(encodeCommand(command, 42, identity)).toString('hex');

  it.each([
    ['8201', '8201 0000 013912345678 002a'],
    ['8105 4', '8105 0001 013912345678 002a 04'],
    ['8103 0020=0 0029=60', '8103 0013 013912345678 002a 02 00000020 04 00000000 00000029 04 0000003c'],
    ['8103 0013=a.b', '8103 0009 013912345678 002a 01 00000013 03 612e62'],
    ['8500 1', '8500 0001 013912345678 002a 01'],
    ['8202 10 300', '8202 0006 013912345678 002a 000a 0000012c'],
    ['8300 Hi', '8300 0003 013912345678 002a 0c 4869'],
    ['<CKVER>', '8300 0008 013912345678 002a 01 3c434b5645523e'],
  ])('%s', (command, expected) => expect(hexOf(command)).toContain(expected.replaceAll(' ', '')));

  it('uses the 2019 header for an identity of that version', () => {
    expect(hexOf('8201', '352093081452251')).toContain('8201400001'.concat('00000352093081452251', '002a'));
  });

  it('adds the type of a text since 2019', () => {
    expect(hexOf('8300 Hi', '352093081452251')).toContain('0c014869');
  });

  it('encodes a registration that it can read', () => {
    const { messages } = jt808.decode(encodeRegistration('352093081452251', 1), SESSION);
    expect(messages).toEqual([
      {
        kind: 'login',
        imei: '352093081452251',
        attributes: { maker: 'MLPST', model: 'SIMULATOR', terminalId: '1452251' },
      },
    ]);
  });
});
