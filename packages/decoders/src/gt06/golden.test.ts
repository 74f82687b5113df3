import { describe, expect, it } from 'vitest';
import type { Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { gt06 } from './decode.ts';
import { encodeCommand, encodeLogin } from './encode.ts';

const SESSION: Session = {
  imei: '352093081452251',
  receivedAt: Date.UTC(2026, 2, 4, 5, 6, 7) as Session['receivedAt'],
};
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);

const FIX = {
  kind: 'position',
  time: TIME,
  valid: true,
  lat: 41.8781,
  lon: -87.6298,
  speed: 40 / 3,
  course: 90,
  altitude: null,
  satellites: 11,
  hdop: null,
  ignition: true,
  odometer: null,
  fuel: null,
  temperature: null,
  gsm: null,
  event: null,
  rfid: null,
};

const LOCATION = annotated(`
  7878           | start, one byte of length
  26             | length: 38
  22             | location
  1a0304 050607  | 2026-03-04 05:06:07 UTC
  cb             | 12 bytes of fix, 11 satellites
  047e3764       | latitude 75380580 / 1800000
  0966d308       | longitude 157733640 / 1800000
  30             | 48 km/h
  1c5a           | positioned, west, north, course 90
  0136           | country 310
  04             | network 4
  81fe           | area 33278
  066d9b         | cell 421275
  01             | ACC on
  03             | uploaded because ACC changed
  00             | live
  0012d687       | mileage 1234567 m
  0002           | serial number
  8d7f           | CRC-ITU from the length on
  0d0a           | stop
`);

describe('GT06', () => {
  it('signs in with an IMEI in packed decimals and echoes the serial number', () => {
    const login = annotated(`
      7878             | start
      0d               | length
      01               | login
      0352093081452251 | IMEI led by a zero
      0001             | serial number
      abc1             | CRC-ITU
      0d0a             | stop
    `);
    expect(gt06.decode(login, { ...SESSION, imei: null })).toEqual({
      messages: [{ kind: 'login', imei: '352093081452251', attributes: {} }],
      acknowledgement: annotated('7878 05 01 0001 d9dc 0d0a | the same protocol and serial number'),
      refusal: null,
    });
    expect(encodeLogin('352093081452251', 1)).toEqual(login);
  });

  it('reads the terminal’s type and time zone from a later login, the maker’s example', () => {
    const login = annotated(`
      7878 11 01       | start, length, login
      0752533678900242 | IMEI
      7000             | type of terminal
      3201             | GMT+8, Chinese
      0005 1279 0d0a   | serial number, CRC-ITU, stop
    `);
    expect(gt06.decode(login, SESSION).messages).toEqual([
      { kind: 'login', imei: '752533678900242', attributes: { deviceType: '7000', timeZoneMinutes: 480 } },
    ]);
    expect(gt06.decode(login, SESSION).acknowledgement).toEqual(
      annotated('7878 05 01 0005 9ff8 0d0a | as the maker says'),
    );
  });

  it('reads a location with tower, ACC, upload mode and mileage, and does not answer', () => {
    expect(gt06.decode(LOCATION, SESSION)).toEqual({
      messages: [{ ...FIX, odometer: 1_234_567, event: 'ignitionOn', attributes: { cell: '310-4-33278-421275' } }],
      acknowledgement: null,
      refusal: null,
    });
  });

  it('reads the 4G location: two-byte network code, long area and cell, stored', () => {
    const frame = annotated(`
      7878 2e a0       | start, length, 4G location
      1a0304 050607    | time
      cb               | satellites
      047e3764         | latitude
      0966d308         | longitude
      30 1c5a          | speed, course and status
      8136 0104        | country 310, and bit 15: network 260 in two bytes
      000081fe         | area 33278
      00000000066d9b10 | cell 107846416
      01 00 01         | ACC on, by time, replayed
      0012d687         | mileage
      0002 e637 0d0a   | serial number, CRC-ITU, stop
    `);
    expect(gt06.decode(frame, SESSION).messages).toEqual([
      { ...FIX, odometer: 1_234_567, attributes: { cell: '310-260-33278-107846416', replayed: true } },
    ]);
  });

  it('reads an alarm with the terminal’s state and answers with its serial number', () => {
    const frame = annotated(`
      7878 25 26       | start, length, alarm
      1a0304 050607    | time
      cb               | satellites
      047e3764         | latitude
      0966d308         | longitude
      30 1c5a          | speed, course and status
      09               | length of the tower's fields with this byte
      0136 04 81fe 066d9b | tower
      46               | GPS on, charging, ACC on
      06               | battery full
      04               | strong signal
      01 02            | SOS, English
      0004 eaea 0d0a   | serial number, CRC-ITU, stop
    `);
    const { messages, acknowledgement } = gt06.decode(frame, SESSION);
    expect(messages).toEqual([
      {
        ...FIX,
        gsm: 31,
        event: 'sos',
        attributes: {
          cell: '310-4-33278-421275',
          batteryLevel: 100,
          charging: true,
          cutOff: false,
          armed: false,
        },
      },
    ]);
    expect(acknowledgement?.subarray(0, 6)).toEqual(annotated('7878 05 26 0004 |'));
  });

  it('reads a heartbeat and answers it', () => {
    const frame = annotated(`
      7878 0a 13     | start, length, heartbeat
      46             | GPS on, charging, ACC on
      06             | battery full
      04             | strong signal
      0002           | English
      0003 a97d 0d0a | serial number, CRC-ITU, stop
    `);
    const { messages, acknowledgement } = gt06.decode(frame, SESSION);
    expect(messages).toEqual([
      {
        kind: 'heartbeat',
        attributes: { ignition: true, charging: true, cutOff: false, armed: false, batteryLevel: 100, gsm: 31 },
      },
    ]);
    expect(acknowledgement?.subarray(0, 6)).toEqual(annotated('7878 05 13 0003 |'));
  });

  it('reads the heartbeat with a voltage, the maker’s example', () => {
    const frame = annotated('7878 0b 23 05 0f92 04 0002 0008 8a37 0d0a | 39.86 V');
    expect(gt06.decode(frame, SESSION)).toEqual({
      messages: [
        {
          kind: 'heartbeat',
          attributes: { ignition: false, charging: true, cutOff: false, armed: true, externalVoltage: 39.86, gsm: 31 },
        },
      ],
      acknowledgement: annotated('7878 05 23 0008 f29e 0d0a | as the maker says'),
      refusal: null,
    });
  });

  it('reads information packets without answering', () => {
    const frame = annotated(`
      7979           | start, two bytes of length
      0008           | length
      94             | information transmission
      00             | external power voltage
      04d2           | 12.34 V
      0005 15d7 0d0a | serial number, CRC-ITU, stop
    `);
    expect(gt06.decode(frame, SESSION)).toEqual({
      messages: [{ kind: 'status', time: null, event: null, attributes: { externalVoltage: 12.34 } }],
      acknowledgement: null,
      refusal: null,
    });
  });

  it('answers a time request with UTC at the frame’s arrival', () => {
    const request = annotated('7878 05 8a 0006 8829 0d0a | an example of the maker’s');
    expect(gt06.decode(request, SESSION).acknowledgement).toEqual(
      annotated('7878 0b 8a 1a0304050607 0006 1f4b 0d0a | 2026-03-04 05:06:07'),
    );
  });

  it('encodes a command and recognizes its reply by the flag', () => {
    const command = annotated(`
      7878               | start
      14                 | length
      80                 | command
      0c                 | flag and text: 12 bytes
      00000007           | flag, comes back in the reply
      52454c41592c3123   | RELAY,1#
      0002               | English
      0007 9695 0d0a     | serial number, CRC-ITU, stop
    `);
    const reply = annotated(`
      7979 000d 21     | start, length, reply
      00000007         | the flag
      01               | ASCII
      4f4b21           | OK!
      0006 70a1 0d0a   | serial number, CRC-ITU, stop
    `);
    expect(encodeCommand('RELAY,1#', 7)).toEqual(command);
    expect(gt06.decode(reply, SESSION).messages).toEqual([{ kind: 'reply', text: 'OK!', reference: 7 }]);
  });

  it.each([
    ['a wrong checksum', LOCATION.with(20, 0x99), 'bad-checksum', 39],
    ['a wrong length', LOCATION.with(2, 0x20), 'bad-length', 2],
    ['no stop', LOCATION.with(42, 0), 'bad-field', 41],
    ['another start', LOCATION.with(1, 0x79), 'bad-field', 0],
    ['nothing after the start', LOCATION.slice(0, 4), 'too-short', 4],
  ])('refuses %s', (_, frame, code, at) => {
    expect(gt06.decode(frame, SESSION)).toEqual({
      messages: [{ kind: 'error', code, at }],
      acknowledgement: null,
      refusal: null,
    });
  });

  it('refuses reports before the login', () => {
    expect(gt06.decode(LOCATION, { ...SESSION, imei: null }).messages).toEqual([
      { kind: 'error', code: 'not-signed-in', at: 0 },
    ]);
  });
});
