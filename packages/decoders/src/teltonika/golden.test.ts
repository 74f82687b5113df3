import { degrees, epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import type { DecodedMessage, PositionMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { join } from '../testing/stream.ts';
import { teltonika, teltonikaUdp } from './decode.ts';
import { encodeDatagram, encodeLogin, encodePacket } from './encode.ts';
import { explain } from './explain.ts';

const SESSION: Session = { imei: '352093081452251', receivedAt: 0 as Session['receivedAt'] };

const positions = (messages: readonly DecodedMessage[]): PositionMessage[] =>
  messages.filter(message => message.kind === 'position');

const LOGIN = annotated(`
  000f                           | length of what follows: 15
  333532303933303831343532323531 | IMEI 352093081452251 in ASCII
`);

const CODEC_8 = annotated(`
  00000000         | preamble
  00000040         | length of the data: 64 bytes
  08               | codec id
  01               | number of records
  0000019cb73d3218 | 2026-03-04T05:06:07Z in milliseconds
  01               | priority: high
  cbc4c102         | longitude -87.6297982
  18f617d0         | latitude 41.8781136
  00b5             | altitude 181 m
  005a             | angle 90
  0b               | 11 satellites
  0030             | 48 km/h
  fd               | event: 253, green driving
  08               | elements in all
  03               | elements of one byte
  ef 01            | 239 ignition: on
  15 05            | 21 GSM signal: 5 of 5
  fd 02            | 253 green driving type: harsh braking
  02               | of two bytes
  42 31b0          | 66 external voltage: 12720 mV
  b6 0007          | 182 HDOP: 0.7
  02               | of four bytes
  10 0012d687      | 16 total odometer: 1234567 m
  c7 00000fa0      | 199 trip odometer: 4000 m
  01               | of eight bytes
  4e 01000000a1b2c3d4 | 78 iButton
  01               | number of records, again
  0000d480         | CRC-16/IBM of the data
`);

describe('Teltonika over TCP', () => {
  it('signs in with the IMEI; the gateway answers 01 or 00', () => {
    const { messages, acknowledgement, refusal } = teltonika.decode(LOGIN, { ...SESSION, imei: null });
    expect(messages).toEqual([{ kind: 'login', imei: '352093081452251' }]);
    expect([...acknowledgement!]).toEqual([1]);
    expect([...refusal!]).toEqual([0]);
    expect(encodeLogin('352093081452251')).toEqual(LOGIN);
  });

  it('reads a Codec 8 record into columns and named attributes', () => {
    const { messages, acknowledgement } = teltonika.decode(CODEC_8, SESSION);
    expect(messages).toEqual([
      {
        kind: 'position',
        time: Date.UTC(2026, 2, 4, 5, 6, 7),
        valid: true,
        lat: 41.8781136,
        lon: -87.6297982,
        speed: 40 / 3,
        course: 90,
        altitude: 181,
        satellites: 11,
        hdop: 0.7,
        ignition: true,
        odometer: 1_234_567,
        fuel: null,
        temperature: null,
        gsm: 31,
        event: 'harshBraking',
        rfid: '01000000A1B2C3D4',
        attributes: { greenDrivingType: 2, externalVoltage: 12.72, tripOdometer: 4000, priority: 1 },
      },
    ]);
    expect([...acknowledgement!]).toEqual([0, 0, 0, 1]);
  });

  it('reads Codec 8 Extended: wide ids, elements of any length, a record without a fix', () => {
    const frame = annotated(`
      00000000         | preamble
      00000090         | length of the data: 144 bytes
      8e               | codec id
      02               | number of records
      0000019cb73d3218 | 2026-03-04T05:06:07Z
      00               | priority: low
      cbc4c102         | longitude of the last valid fix
      18f617d0         | latitude of the last valid fix
      00b5             | its altitude
      0000             | angle 0
      00               | no satellite: there is no fix
      0000             | speed 0
      0000             | no event
      0001             | elements in all
      0000             | of one byte
      0000             | of two bytes
      0000             | of four bytes
      0000             | of eight bytes
      0001             | of variable length
      0100             | 256 VIN
      0011             | 17 bytes
      3146545357423142583245413132333435 | 1FTSWB1BX2EA12345
      0000019cb73d3600 | a second later
      02               | priority: panic
      cbc4c102         | longitude
      18f617d0         | latitude
      00b6             | altitude 182 m
      010e             | angle 270
      09               | 9 satellites
      0050             | 80 km/h
      0001             | event: 1, digital input 1
      0005             | elements in all
      0001             | of one byte
      0001 01          | 1 digital input 1: on
      0002             | of two bytes
      0019 ff38        | 25 BLE temperature 1: -2.00 °C
      0054 0123        | 84 fuel level: 29.1 l
      0001             | of four bytes
      00f1 0004bb5e    | 241 operator 310110
      0000             | of eight bytes
      0001             | of variable length
      0181             | 385 beacon list
      0017             | 23 bytes
      11               | data part 1 of 1
      21               | iBeacon, with signal
      00112233445566778899aabbccddeeff 0001 0002 | UUID, major, minor
      c4               | -60 dBm
      02               | number of records, again
      0000157b         | CRC-16/IBM
    `);
    const [without, withFix] = positions(teltonika.decode(frame, SESSION).messages);
    expect(without).toMatchObject({ valid: false, lat: 41.8781136, speed: null, course: null, satellites: 0 });
    expect(without?.attributes).toEqual({ vin: '1FTSWB1BX2EA12345' });
    expect(withFix).toMatchObject({ valid: true, course: 270, event: 'sos', temperature: -2 });
    expect(withFix?.attributes).toEqual({
      input1: true,
      bleTemperature1: -2,
      fuelVolume: 29.1,
      operator: 310_110,
      tag1Id: '00112233445566778899AABBCCDDEEFF00010002',
      tag1Rssi: -60,
      priority: 2,
    });
  });

  it('reads Codec 16 with the element table of the trucks that use it', () => {
    const frame = annotated(`
      00000000         | preamble
      00000033         | length of the data: 51 bytes
      10               | codec id
      01               | number of records
      0000019cb73d3218 | 2026-03-04T05:06:07Z
      00               | priority: low
      cbc4c102         | longitude
      18f617d0         | latitude
      00b5             | altitude
      005a             | angle
      0b               | satellites
      0030             | speed
      000b             | event: 11
      05               | generation type: on change
      04               | elements in all, one byte
      02               | of one byte
      00ef 01          | 239 ignition: on
      0015 03          | 21 GSM signal: 3 of 5
      01               | of two bytes
      000b 0027        | 11 analog input 3: 39 mV; half of a SIM number elsewhere
      01               | of four bytes
      00d8 0f4f8a21    | 216 total odometer: 256870945 m; a geofence elsewhere
      00               | of eight bytes
      01               | number of records, again
      0000365f         | CRC-16/IBM
    `);
    const [record] = positions(teltonika.decode(frame, SESSION).messages);
    expect(record).toMatchObject({ ignition: true, gsm: 19, odometer: 256_870_945, event: null });
    expect(record?.attributes).toEqual({ analogInput3: 0.039, eventId: 11 });
  });

  it('reads a lone FF as a heartbeat', () => {
    expect(teltonika.decode(Uint8Array.of(0xff), SESSION).messages).toEqual([{ kind: 'heartbeat', attributes: {} }]);
  });
});

describe('Teltonika over UDP', () => {
  const DATAGRAM = annotated(`
    0038             | length of what follows: 56
    cafe             | packet id
    01               | not used
    05               | AVL packet id
    000f             | length of the IMEI
    333532303933303831343532323531 | IMEI
    08               | codec id
    01               | number of records
    0000019cb73d3218 | 2026-03-04T05:06:07Z
    00               | priority
    cbc4c102         | longitude
    18f617d0         | latitude
    00b5             | altitude
    005a             | angle
    0b               | satellites
    0030             | speed
    00               | no event
    01               | elements in all
    01 ef 01         | one of one byte: ignition on
    00 00 00         | none of two, four, eight bytes
    01               | number of records, again
  `);

  it('identifies the sender first and answers with both ids and the number accepted', () => {
    const { messages, acknowledgement } = teltonikaUdp.decodeDatagram(DATAGRAM, SESSION.receivedAt);
    expect(messages.map(message => message.kind)).toEqual(['login', 'position']);
    expect(messages[0]).toEqual({ kind: 'login', imei: '352093081452251' });
    expect(acknowledgement).toEqual(
      annotated('0005 cafe 01 05 01 | length, packet id, unused, AVL packet id, accepted'),
    );
  });

  it('encodes what it decodes', () => {
    const [, position] = teltonikaUdp.decodeDatagram(DATAGRAM, SESSION.receivedAt).messages;
    if (position?.kind !== 'position') throw new Error('no position');
    const head = { imei: '352093081452251', packetId: 0xcafe, avlPacketId: 5 };
    expect(encodeDatagram(head, [position], 'codec8')).toEqual(DATAGRAM);
  });

  it('does not answer a damaged datagram', () => {
    const short = DATAGRAM.slice(0, -1);
    expect(teltonikaUdp.decodeDatagram(short, SESSION.receivedAt)).toMatchObject({
      messages: [{ kind: 'error', code: 'bad-length', at: 0 }],
      acknowledgement: null,
    });
  });
});

describe('invalid Teltonika frames', () => {
  const changed = (at: number, value: number): Uint8Array => {
    const frame = CODEC_8.slice();
    frame[at] = value;
    return frame;
  };
  const errorOf = (frame: Uint8Array, session = SESSION) => teltonika.decode(frame, session);

  it.each([
    ['a wrong checksum', changed(20, 0x99), 'bad-checksum', 72],
    ['a wrong length', changed(7, 0x41), 'bad-length', 4],
    ['a wrong preamble', changed(2, 1), 'bad-field', 0],
    ['a frame cut short', CODEC_8.slice(0, 10), 'too-short', 10],
    ['letters in an IMEI', LOGIN.with(5, 0x41), 'bad-field', 2],
  ])('%s', (_, frame, code, at) => {
    expect(errorOf(frame)).toEqual({
      messages: [{ kind: 'error', code, at }],
      acknowledgement: null,
      refusal: null,
    });
  });

  it('records before the login', () => {
    expect(errorOf(CODEC_8, { ...SESSION, imei: null }).messages).toEqual([
      { kind: 'error', code: 'not-signed-in', at: 0 },
    ]);
  });

  it('keeps the records before one that does not fit, and acknowledges the packet, because it would come again unchanged', () => {
    const [position] = positions(teltonika.decode(CODEC_8, SESSION).messages);
    const packet = encodePacket([position!, position!], 'codec8');
    const wrong = withChecksum(packet, frame => {
      frame[9] = 3;
      frame[frame.length - 5] = 3;
    });
    expect(teltonika.decode(wrong, SESSION)).toMatchObject({
      messages: [{ kind: 'position' }, { kind: 'position' }, { kind: 'error', code: 'bad-length' }],
      acknowledgement: Uint8Array.of(0, 0, 0, 3),
    });
  });

  it('keeps the records behind one with elements that nobody has described', () => {
    const [position] = positions(teltonika.decode(CODEC_8, SESSION).messages);
    const at = (minutes: number): PositionMessage => ({
      ...position!,
      time: epochMs(position!.time + minutes * 60_000),
    });
    for (const codec of ['codec8', 'codec8Extended', 'codec16'] as const) {
      const data = (positions: readonly PositionMessage[]): Uint8Array =>
        encodePacket(positions, codec).subarray(10, -5);
      const records = join([data([at(0)]), new Uint8Array(19).fill(0xee), data([at(1), at(2)])]);
      const whole = encodePacket([at(0)], codec);
      const size = records.length + 3;
      const frame = withChecksum(
        join([
          whole.subarray(0, 6),
          Uint8Array.of(size >> 8, size & 255, whole[8] ?? 0, 3),
          records,
          new Uint8Array(5),
        ]),
        bytes => bytes.set([3], bytes.length - 5),
      );
      const { messages, acknowledgement } = teltonika.decode(frame, SESSION);
      expect(messages).toEqual([at(0), at(1), at(2), { kind: 'error', code: 'bad-length', at: expect.any(Number) }]);
      expect(acknowledgement).toEqual(Uint8Array.of(0, 0, 0, 3));
      const names = explain(frame).map(({ name }) => name);
      expect(names.filter(name => name.startsWith('record '))).toHaveLength(3);
    }
  });

  it('keeps the records behind one that has never had a fix and whose elements do not fit', () => {
    const [position] = positions(teltonika.decode(CODEC_8, SESSION).messages);
    const never = { ...position!, valid: false, lat: degrees(0), lon: degrees(0) };
    const frame = withChecksum(encodePacket([never, position!], 'codec8'), bytes => bytes.set([0xff], 10 + 26));
    expect(teltonika.decode(frame, SESSION).messages).toMatchObject([
      { kind: 'status', time: position!.time, attributes: { noFix: 'fix' } },
      { kind: 'position', lat: position!.lat },
      { kind: 'error', code: 'bad-length' },
    ]);
  });

  it('a tracker that has never had a fix has no position', () => {
    const [position] = positions(teltonika.decode(CODEC_8, SESSION).messages);
    const never = encodePacket([{ ...position!, valid: false, lat: degrees(0), lon: degrees(0) }], 'codec8');
    expect(teltonika.decode(never, SESSION)).toMatchObject({
      messages: [{ kind: 'status', time: position!.time, attributes: { noFix: 'fix', ignition: true } }],
      acknowledgement: Uint8Array.of(0, 0, 0, 1),
    });
  });
});

/** Changes a frame and recomputes its checksum. */
function withChecksum(frame: Uint8Array, change: (frame: Uint8Array) => void): Uint8Array {
  const changed = frame.slice();
  change(changed);
  let crc = 0;
  for (const byte of changed.subarray(8, -4)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  changed[changed.length - 2] = crc >> 8;
  changed[changed.length - 1] = crc & 0xff;
  return changed;
}
