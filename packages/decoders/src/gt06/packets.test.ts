import { describe, expect, it } from 'vitest';
import type { DecodedMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { framesOf, join } from '../testing/stream.ts';
import { gt06 } from './decode.ts';
import { shortPacket } from './encode.ts';

const SESSION: Session = { imei: '352093081452251', receivedAt: 0 as Session['receivedAt'] };

/** Decodes content under a protocol number. */
function decode(type: number, content: string): DecodedMessage {
  const [message, more] = gt06.decode(shortPacket(type, annotated(content), 1), SESSION).messages;
  expect(more).toBeUndefined();
  return message!;
}

const attributesOf = (message: DecodedMessage): unknown => ('attributes' in message ? message.attributes : message);
const FIX = '1a0304050607 cb 047e3764 0966d308 30 1c5a';
const TOWER = '0136 04 81fe 066d9b';

describe('GT06 alarms', () => {
  const alarm = (status: string, code: string) => decode(0x26, `${FIX} 09 ${TOWER} ${status} 06 04 ${code} 02`);

  it.each([
    ['40', '02', 'powerCut'],
    ['40', '06', 'overspeed'],
    ['40', '13', 'tamper'],
    ['40', '2c', 'crash'],
    ['40', '41', 'crash'],
    ['40', '43', 'crash'],
    ['40', '44', 'harshAcceleration'],
    ['40', '45', 'harshBraking'],
    ['40', '46', 'harshCornering'],
    ['40', '47', 'rollover'],
    ['40', 'fe', 'ignitionOn'],
    ['40', '00', null],
    ['58', '00', 'batteryLow'],
    ['50', '00', 'powerCut'],
    ['60', '04', 'sos'],
    ['40', '01', 'sos'],
  ])('status %s with code %s is %s', (status, code, event) => {
    expect(alarm(status, code)).toMatchObject({ event });
  });

  it('without an event name keep the maker’s code', () => {
    expect(alarm('40', '5e')).toMatchObject({ event: 'alarm', attributes: { alarmCode: 0x5e } });
  });

  it('may end with the number of a geofence, mileage or a driver’s card', () => {
    expect(decode(0x27, `${FIX} 09 ${TOWER} 40 06 04 04 02 03`)).toMatchObject({
      event: 'geofenceEnter',
      attributes: { fence: 3 },
    });
    expect(attributesOf(decode(0x27, `${FIX} 09 ${TOWER} 40 06 04 04 02 ff`))).not.toHaveProperty('fence');
    expect(decode(0x26, `${FIX} 09 ${TOWER} 40 06 04 04 02 000003e8`)).toMatchObject({ odometer: 1000 });
    expect(decode(0x16, `${FIX} 09 ${TOWER} 40 06 04 00 02 00000000a1b2c3d4`)).toMatchObject({
      rfid: '00000000A1B2C3D4',
    });
    expect(decode(0x16, `${FIX} 09 ${TOWER} 40 06 04 00 02 0000000000000000`)).toMatchObject({ rfid: null });
  });

  it('with only a tower have no position', () => {
    // The maker's example.
    const frame = annotated('7878 12 19 01cc 00 287d 001f71 20 04 04 01 01 0094 6c89 0d0a');
    expect(gt06.decode(frame, SESSION).messages).toEqual([
      {
        kind: 'status',
        time: null,
        event: 'sos',
        attributes: {
          cell: '460-0-10365-8049',
          ignition: false,
          gsm: 31,
          batteryLevel: 67,
          charging: false,
          cutOff: false,
          armed: false,
        },
      },
    ]);
    expect(decode(0xa5, '0136 04 000081fe 00000000066d9b10 42 05 04 13 00')).toMatchObject({ event: 'tamper' });
  });

  it('from cameras list their files, and have their own codes', () => {
    expect(decode(0x95, '1a0304050607 90 00')).toMatchObject({ kind: 'status', event: 'harshAcceleration' });
    expect(decode(0x95, '1a0304050607 047e3764 0966d308 1c5a 93 0000 612e6d7034')).toMatchObject({
      kind: 'position',
      event: 'crash',
      speed: null,
      attributes: { files: 'a.mp4' },
    });
    expect(decode(0x95, 'ffff01 1a0304050607 cb 047e3764 0966d308 1c5a 0030 0000 92 0000 612e6d7034')).toMatchObject({
      event: 'alarm',
      speed: 40 / 3,
      satellites: 11,
      attributes: { alarmCode: 0x92 },
    });
  });
});

describe('GT06 positions', () => {
  it.each([
    ['14', true, 41.8781, 87.6298],
    ['1c', true, 41.8781, -87.6298],
    ['10', true, -41.8781, 87.6298],
    ['18', true, -41.8781, -87.6298],
    ['0c', false, 41.8781, -87.6298],
  ])('with the status %s: positioned %s, at %d, %d', (status, valid, lat, lon) => {
    const message = decode(0x12, `1a0304050607 cb 047e3764 0966d308 30 ${status}00 ${TOWER}`);
    expect(message).toMatchObject({ valid, lat, lon, course: 0 });
  });

  it('without a time are kept as sent, because they would have no place in history', () => {
    expect(decode(0x12, `000000000000 cb 047e3764 0966d308 30 1c5a ${TOWER}`)).toMatchObject({
      kind: 'status',
      time: null,
      attributes: { unread: 'bad-field', messageType: '0x12' },
    });
  });

  it('with less than a fix are too short', () => {
    expect(decode(0x22, '1a0304050607 cb 047e')).toMatchObject({
      kind: 'status',
      attributes: { unread: 'too-short', messageType: '0x22', data: '1A0304050607CB047E' },
    });
  });

  it('in 0x12 may have mileage after the tower', () => {
    expect(decode(0x12, `${FIX} ${TOWER} 0012d687`)).toMatchObject({ odometer: 1_234_567, ignition: null });
  });

  it('with an unknown network have no tower', () => {
    expect(attributesOf(decode(0x22, `${FIX} 0000 00 0000 000000 01 00 00`))).toEqual({});
  });

  it('contain the cause of the report', () => {
    expect(decode(0x22, `${FIX} ${TOWER} 00 03 00`)).toMatchObject({ event: 'ignitionOff', ignition: false });
    expect(decode(0x22, `${FIX} ${TOWER} 00 07 00`)).toMatchObject({ event: 'button' });
    expect(decode(0x22, `${FIX} ${TOWER} 00 00 00`)).toMatchObject({ event: null });
  });
});

describe('GT06 towers and stations', () => {
  it('reads the maker’s example of towers', () => {
    const frame = annotated(`
      7878 3b 28 10010d020202 | start, length, towers, time
      01cc 00                 | country 460, network 0
      287d 001f71 3e          | serving tower, signal 62
      287d 001f72 31          | neighbours
      287d 001e23 2d
      287d 001f40 18
      0000 000000 00 0000 000000 00 0000 000000 00 | empty places
      ff 0002                 | timing advance, English
      0005 b14b 0d0a          | serial number, CRC-ITU, stop
    `);
    expect(gt06.decode(frame, SESSION).messages).toEqual([
      {
        kind: 'status',
        time: Date.UTC(2016, 0, 13, 2, 2, 2),
        event: null,
        attributes: {
          cells: '460-0-10365-8049:62 460-0-10365-8050:49 460-0-10365-7715:45 460-0-10365-8000:24',
        },
      },
    ]);
  });

  it('reads the maker’s example of Wi-Fi stations', () => {
    const frame = annotated(`
      7878 48 2c 10060e022d35 | start, length, Wi-Fi, time
      01cc 00                 | network
      287d 001f71 2d 287d 001e17 25 287d 001e23 1e 287d 001f72 1c 287d 001f40 12 | towers
      0000 000000 00 0000 000000 00
      ff 02                   | timing advance, two stations
      80891744 98b4 5c        | station, signal 92
      cc7b353661a6 5b         | station, signal 91
      001f a004 0d0a          | serial number, CRC-ITU, stop
    `);
    expect(attributesOf(gt06.decode(frame, SESSION).messages[0]!)).toMatchObject({
      wifi: '80:89:17:44:98:B4:92 CC:7B:35:36:61:A6:91',
    });
  });
});

describe('GT06 information packets', () => {
  const information = (content: string) => attributesOf(decode(0x94, content));

  it.each([
    ['00 049f', { externalVoltage: 11.83 }],
    ['00 0536 01', { externalVoltage2: 13.34 }],
    ['05 05', { doorOpen: true, input: true }],
    ['04 53544131 3d43303b 4459443d3031', { syncSta1: 'C0', syncDyd: '01' }],
    [
      '0a 0123456789123456 0123456789123456 12345123456789123456',
      { imei: '123456789123456', imsi: '123456789123456', iccid: '12345123456789123456' },
    ],
    ['09 03 02 2c2d 01 10', { gnssStatus: 3, satellitesUsed: 2, satellitesVisible: 1 }],
    ['1b 524649443a413142320d0a', { rfid: 'A1B2' }],
    ['1b 02084277efef3503', { rfid: '4277EFEF' }],
    ['1b 2345678912000000', { rfid: '2345678912000000' }],
    ['7e 0102', { informationKind: 0x7e, data: '0102' }],
  ])('%s', (content, attributes) => expect(information(content)).toEqual(attributes));

  it('pass on data from a device on the port', () => {
    expect(attributesOf(decode(0x9b, '03 44373532304136320d0a'))).toEqual({
      externalModule: 3,
      externalData: 'D7520A62',
    });
    expect(attributesOf(decode(0x9b, '03 02 3141 03'))).toEqual({ externalModule: 3, externalData: '1A' });
    expect(attributesOf(decode(0x9c, '01 00ff'))).toEqual({ externalModule: 1, externalData: '00FF' });
  });

  it('made of modules name the known ones', () => {
    expect(attributesOf(decode(0x36, '46 06 04 0002 0018 02 0192 0027 02 04d8 006a 01 5f 0099 01 07'))).toEqual({
      ignition: true,
      charging: true,
      cutOff: false,
      armed: false,
      batteryLevel: 95,
      gsm: 31,
      batteryVoltage: 4.02,
      externalVoltage: 12.4,
      module153: '07',
    });
    expect(decode(0x70, '0000000102 0033 0012 69a7c0df 0b 0000 047e3764 0966d308 30 1c5a 0034 0001 12')).toMatchObject({
      kind: 'position',
      lat: 41.8781,
      event: 'tamper',
    });
    expect(decode(0x70, '0000000102 0033 0040 00')).toMatchObject({ attributes: { unread: 'too-short' } });
  });

  it('answer commands in ASCII, UTF-16 and the older form', () => {
    expect(decode(0x21, '00000009 02 004f 004b')).toEqual({ kind: 'reply', text: 'OK', reference: 9 });
    expect(decode(0x21, '00000009 01 7365c3b1616c')).toEqual({ kind: 'reply', text: 'señal', reference: 9 });
    expect(decode(0x15, '07 00000009 4f4b21 0002')).toEqual({ kind: 'reply', text: 'OK!', reference: 9 });
    expect(decode(0x15, '00 00000000 4f4b21 0000 0002')).toEqual({ kind: 'reply', text: 'OK!', reference: 0 });
  });

  it('request an address with the caller’s phone number', () => {
    expect(decode(0x2a, `${FIX} 31323334353637 00000000000000000000000000 0000 0002`)).toMatchObject({
      kind: 'position',
      attributes: { addressRequest: true, phone: '1234567' },
    });
  });
});

describe('GT06 protocol numbers', () => {
  it('that are undocumented are kept as sent, and shown as unknown', () => {
    const unknown = { unread: 'unknown-type', messageType: '0x7F' };
    const status = { kind: 'status', time: null, event: null };
    expect(decode(0x7f, '01')).toEqual({ ...status, attributes: { ...unknown, data: '01' } });
    expect(decode(0x7f, '')).toEqual({ ...status, attributes: unknown });
  });

  it('that need an answer get their own number back', () => {
    const answered = [0x13, 0x16, 0x19, 0x23, 0x26, 0x27, 0x36, 0x95, 0xa3, 0xa4, 0xa5];
    const long = `${FIX} 09 ${TOWER} 46 06 04 01 02 ff 0000000000000000`;
    const contents: Record<number, string> = { 19: '46 06 04 0002', 35: '05 0f92 04 0002', 54: '46 06 04 0002' };
    for (const type of answered) {
      const content = contents[type] ?? (type === 0x95 ? '1a0304050607 01 00' : `${long}`);
      const { acknowledgement } = gt06.decode(shortPacket(type, annotated(content), 0x1234), SESSION);
      expect(acknowledgement?.[3], type.toString(16)).toBe(type);
      expect([...acknowledgement!.subarray(4, 6)]).toEqual([0x12, 0x34]);
    }
  });
});

describe('the related protocol without a checksum (Topin)', () => {
  const decodeRaw = (text: string) => gt06.decode(annotated(text), SESSION);

  it('signs in, sends a heartbeat and requests the time', () => {
    const login = decodeRaw('7878 0d 01 0352093081452251 34 0d0a');
    expect(login.messages).toEqual([{ kind: 'login', imei: '352093081452251' }]);
    expect(login.acknowledgement).toEqual(annotated('7878 01 01 0d0a'));
    expect(login.refusal).toEqual(annotated('7878 01 44 0d0a'));
    expect(decodeRaw('7878 01 08 0d0a').messages).toEqual([{ kind: 'heartbeat', attributes: {} }]);
    expect(decodeRaw('7878 01 30 0d0a').acknowledgement).toEqual(annotated('7878 07 30 07b2 01 01 00 00 00 0d0a'));
  });

  it('reports a fix and needs its time back', () => {
    const { messages, acknowledgement } = decodeRaw(`7878 12 10 ${FIX} 0d0a`);
    expect(messages).toMatchObject([{ kind: 'position', lat: 41.8781, satellites: 11 }]);
    expect(acknowledgement).toEqual(annotated('7878 00 10 1a0304050607 0d0a'));
  });

  it('keeps a message that is in no document', () => {
    expect(decodeRaw('7878 01 99 0d0a').messages).toMatchObject([
      { kind: 'status', attributes: { unread: 'unknown-type', messageType: '0x99' } },
    ]);
    expect(decodeRaw('7878 03 57 0102 0d0a').messages).toMatchObject([{ attributes: { data: '0102' } }]);
    expect(decodeRaw('7878 03 57 0102 0d0b').messages).toMatchObject([{ kind: 'error' }]);
  });

  it('reports stations and towers with an alarm behind them', () => {
    const frame = annotated('7878 00 69 260304050607 01 0136 04 81fe 066d 5a 03 0d0a');
    expect(framesOf(gt06, join([frame, frame]), 5).frames).toEqual([frame, frame]);
    expect(gt06.decode(frame, SESSION).messages).toMatchObject([{ attributes: { cells: '310-4-33278-1645:90' } }]);
  });

  it('reports stations and towers with a time in packed decimals', () => {
    const { messages } = decodeRaw(`
      7878 01 69          | one station
      260304 050607       | 2026-03-04 05:06:07
      80891744 98b4 5c    | station
      02                  | two towers
      0136 04             | network
      81fe 066d 5a 81ff 066e 64
      0d0a
    `);
    expect(messages).toEqual([
      {
        kind: 'status',
        time: Date.UTC(2026, 2, 4, 5, 6, 7),
        event: null,
        attributes: { wifi: '80:89:17:44:98:B4:92', cells: '310-4-33278-1645:90 310-4-33279-1646:100' },
      },
    ]);
  });
});
