import { deflateSync } from 'node:zlib';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../position.ts';
import type { Session } from '../protocol.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { framesOf, join } from '../testing/stream.ts';
import { wialonTcp, wialonUdp } from './decode.ts';
import { explain } from './explain.ts';

const IMEI = '352093081452251';
const NOW = epochMs(Date.UTC(2026, 0, 15, 8, 31));
const SESSION: Session = { imei: IMEI, receivedAt: NOW };
const frame = (text: string): Uint8Array => join([annotatedText(text), Uint8Array.of(0x0d, 0x0a)]);
const read = (text: string, session = SESSION) => {
  const { messages, acknowledgement } = wialonTcp.decode(frame(text), session);
  return { messages, answer: acknowledgement && String.fromCharCode(...acknowledgement) };
};

const DATA = `
#D#                | data packet
150126;            | 15 January 2026
083005;            | 08:30:05 UTC
4152.68678;N;      | 41 degrees 52.68678 minutes north
08737.78872;W;     | 87 degrees 37.78872 minutes west
54;                | km/h
271;               | course
181;               | metres
11;                | satellites
0.8;               | HDOP
5;                 | inputs 1 and 3
2;                 | output 2
14.77,0.02;        | analogue inputs, volts
AB45DF01145;       | key
ignition:1:1,bat:3:87,count1:1:564,hw:3:V4.5 | parameters
`;

const POSITION = positionOf({
  ...{ time: epochMs(Date.UTC(2026, 0, 15, 8, 30, 5)), valid: true },
  lat: (41 + 52.68678 / 60) as never,
  lon: -(87 + 37.78872 / 60) as never,
  speed: 15 as never,
  course: 271 as never,
  altitude: 181 as never,
  satellites: 11,
  hdop: 0.8,
  ignition: true,
  rfid: 'AB45DF01145',
  attributes: {
    input1: true,
    input2: false,
    input3: true,
    output1: false,
    output2: true,
    analogInput1: 14.77,
    analogInput2: 0.02,
    batteryLevel: 87,
    count1: 564,
    hw: 'V4.5',
  },
});

describe('version 1.1', () => {
  it('login', () => {
    expect(read(`#L#${IMEI};NA`, { imei: null, receivedAt: NOW })).toEqual({
      messages: [{ kind: 'login', imei: IMEI }],
      answer: '#AL#1\r\n',
    });
  });
  it('data', () => expect(read(DATA)).toEqual({ messages: [POSITION], answer: '#AD#1\r\n' }));
  it('short data without a time gets the time of arrival', () => {
    expect(read('#SD#NA;NA;4152.68678;N;08737.78872;W;54;271;181;0')).toMatchObject({
      messages: [{ kind: 'position', time: NOW, valid: false, satellites: 0 }],
      answer: '#ASD#1\r\n',
    });
  });
  it('is a status without a position, and SOS is an event', () => {
    expect(read('#D#150126;083005;NA;NA;NA;NA;NA;NA;NA;NA;NA;NA;NA;;NA;SOS:1:1,temp:3:18').messages).toEqual([
      { kind: 'status', time: POSITION.time, event: 'sos', attributes: { noFix: 'fix', temperature: 18 } },
    ]);
  });

  it('[R4.03] keeps everything else of a record without a position', () => {
    const text = '#D#150126;083005;NA;NA;NA;NA;NA;NA;NA;3;NA;1;NA;;AB12;fuel:2:45.8,odometer:1:1200,gsm:1:21';
    expect(read(text).messages).toMatchObject([
      {
        kind: 'status',
        attributes: { noFix: 'fix', satellites: 3, input1: true, rfid: 'AB12', fuel: 45.8, odometer: 1200, gsm: 21 },
      },
    ]);
  });

  it.each([
    ['in degrees, with four decimals', '41.8781;N;87.6298;W'],
    ['in degrees, with twelve', '41.878113000001;N;87.629812000001;W'],
    ['in degrees, with signs', '+41.878113;;-87.629812;'],
    ['in degrees, with the sign of a minus', '41.878113;NA;-87.629812;NA'],
  ])('reads coordinates %s', (_, place) => {
    expect(read(`#SD#150126;083005;${place};54;271;181;11`)).toMatchObject({
      messages: [{ kind: 'position', lat: expect.closeTo(41.8781, 3), lon: expect.closeTo(-87.6298, 3) }],
      answer: '#ASD#1\r\n',
    });
  });

  it('does not guess the hemisphere', () => {
    expect(read('#SD#150126;083005;41.878113;;87.629812;;54;271;181;11').answer).toBe('#ASD#10\r\n');
  });

  it('keeps a level that is no percentage under its own name', () => {
    const text = '#D#150126;083005;4152.68678;N;08737.78872;W;54;271;181;11;0.8;NA;NA;;NA;fuel:2:450.5,battery:1:-5';
    expect(read(text).messages[0]).toMatchObject({ fuel: null, attributes: { fuel: 450.5, battery: -5 } });
  });

  it('joins the parts of a tower, and keeps those of one that lacks any', () => {
    const of = (parameters: string) =>
      read(`#D#150126;083005;4152.68678;N;08737.78872;W;54;271;181;11;0.8;NA;NA;;NA;${parameters}`).messages[0];
    const tower = 'mcc:1:310,mnc:1:410,lac:1:33278,cell_id:1:27994';
    expect(of(tower)).toHaveProperty('attributes', { cell: '310-410-33278-27994' });
    expect(of(`${tower},mcc1:1:310,mnc1:1:410,lac1:1:33278,cell_id1:1:27995`)).toHaveProperty('attributes', {
      cell: '310-410-33278-27994',
      cells: '310-410-33278-27994 310-410-33278-27995',
    });
    expect(of('mcc:1:310,mnc:1:410,lac:1:33278')).toHaveProperty('attributes', { mcc: 310, mnc: 410, lac: 33278 });
  });
  it('black box, counted; an invalid record is left out', () => {
    const record = annotatedText(DATA).slice(3);
    const text = String.fromCharCode(...record);
    expect(read(`#B#${text}|nonsense;1|${text}`.replaceAll('|', '\\|'))).toEqual({
      messages: [POSITION, POSITION],
      answer: '#AB#2\r\n',
    });
  });
  it('ping', () => expect(read('#P#')).toMatchObject({ messages: [{ kind: 'heartbeat' }], answer: '#AP#\r\n' }));
  it('message from the driver', () =>
    expect(read('#M#at the gate; waiting')).toEqual({
      messages: [{ kind: 'reply', text: 'at the gate; waiting', reference: null }],
      answer: '#AM#1\r\n',
    }));
  it('picture: the bytes after the line belong to the frame, each part is answered', () => {
    const picture = (index: number) =>
      join([frame(`#I#5;${index};1;150126;083005;door.jpg`), Uint8Array.of(0xff, 0xd8, 0x0a, 0x23, 0xff)]);
    for (const [index, answer] of [
      [0, '#AI#0;1\r\n'],
      [1, '#AI#1\r\n'],
    ] as const) {
      const bytes = picture(index);
      expect(wialonTcp.nextFrame(join([bytes, bytes]))).toEqual({ status: 'frame', end: bytes.length });
      expect(wialonTcp.nextFrame(bytes.subarray(0, -1))).toEqual({ status: 'more' });
      const { messages, acknowledgement } = wialonTcp.decode(bytes, SESSION);
      expect(messages).toMatchObject([
        { kind: 'status', attributes: { picture: 'door.jpg', part: index, partBytes: 5 } },
      ]);
      expect(String.fromCharCode(...acknowledgement!)).toBe(answer);
    }
  });
  it('does not answer a tracker that has not signed in', () => {
    expect(read(DATA, { imei: null, receivedAt: NOW })).toMatchObject({
      messages: [{ code: 'not-signed-in' }],
      answer: null,
    });
  });
});

describe('version 2.0', () => {
  it('verifies the checksum of login, data and black box', () => {
    expect(read(`#L#2.0;${IMEI};NA;0000`, { imei: null, receivedAt: NOW }).messages).toMatchObject([
      { code: 'bad-checksum' },
    ]);
    expect(read('#SD#300924;154245;5554.350052;N;3644.670410;E;2.92;NA;NA;NA;7A01').messages).toMatchObject([
      { kind: 'position', lat: 55 + 54.350052 / 60 },
    ]);
    expect(read('#SD#300924;154245;5554.350052;N;3644.670410;E;2.93;NA;NA;NA;7A01')).toMatchObject({
      messages: [{ code: 'bad-checksum' }],
      answer: '#ASD#13\r\n',
    });
  });
  it('[R4.03] tells the tracker what is wrong', () => {
    const place = '5554.350052;N;3644.670410;E;2.93;NA;NA;NA';
    expect(read(`#L#2.0;${IMEI};NA;0000`, { imei: null, receivedAt: NOW }).answer).toBe('#AL#10\r\n');
    expect(read(`#D#300924;154245;${place};NA;NA;NA;NA;NA;NA;0000`).answer).toBe('#AD#16\r\n');
    expect(read(`#B#300924;154245;${place}\\|0000`).answer).toBe('#AB#\r\n');
    expect(read(`#D#309924;154245;${place}`).answer).toBe('#AD#0\r\n');
    expect(read('#SD#300924;154245;5554;X;3644;E;2.93;NA;NA;NA').answer).toBe('#ASD#10\r\n');
    expect(read('#SD#300924').answer).toBe('#ASD#-1\r\n');
  });
  it('[R4.03] takes the hemisphere from the number, and a text with the separator', () => {
    const there = { kind: 'position', time: POSITION.time, lat: POSITION.lat, lon: POSITION.lon };
    for (const place of [
      '4152.68678N;;08737.78872W;',
      '+4152.68678;;-08737.78872;NA',
      '4152.68678 n;N;08737.78872w;W',
    ]) {
      expect(read(`#SD#150126;083005;${place};54;271;181;11`).messages).toMatchObject([there]);
    }
    expect(read('#SD#150126;083005;4152.68678;;08737.78872;;54;271;181;11').answer).toBe('#ASD#10\r\n');
    const text = '#D#150126;83005;4152.68678;N;08737.78872;W;54;271;181;11;0.8;NA;NA;;NA;note:3:at gate; left,bat:1:50';
    expect(read(text).messages).toMatchObject([{ ...there, attributes: { note: 'at gate; left', batteryLevel: 50 } }]);
  });
  it('[R4.03] reads parameters with spaces, without or with another type, and texts with commas', () => {
    const text =
      'door:1:0, hw :3:V4.5,driver:3:00123,serial:3:89014103211118510720,moving:4:TRUE,load:12.5,note:3:left, at gate,bat:1:50,zz,:1:5';
    expect(
      read(`#D#150126;83005;4152.68678;N;08737.78872;W;54;271;181;11;0.8;NA;NA;;NA;${text}`).messages,
    ).toMatchObject([
      {
        kind: 'position',
        attributes: {
          door: 0,
          hw: 'V4.5',
          driver: '00123',
          serial: '89014103211118510720',
          moving: true,
          load: 12.5,
          note: 'left, at gate',
          batteryLevel: 50,
        },
      },
    ]);
  });
  it('[R4.03] takes a login without the checksum', () => {
    expect(read(`#L#2.0;${IMEI};NA`, { imei: null, receivedAt: NOW })).toMatchObject({
      messages: [{ kind: 'login', imei: IMEI }],
      answer: '#AL#1\r\n',
    });
  });
  it('accepts a checksum written with 0x', () => {
    const data = '#SD#300924;154245;5554.350052;N;3644.670410;E;2.92;NA;NA;NA;';
    expect(read(`${data}0x7A01`)).toMatchObject({ messages: [{ kind: 'position' }], answer: '#ASD#1\r\n' });
    expect(read(`${data}0x7A02`).messages).toMatchObject([{ code: 'bad-checksum' }]);
  });
  it('reads a record with fields left out, and one in an undocumented packet', () => {
    expect(read('#SD#150126;083005;4152.68678;n;08737.78872;w').messages).toMatchObject([
      { kind: 'position', time: POSITION.time, lat: POSITION.lat, lon: POSITION.lon, speed: null },
    ]);
    expect(read('#XD#150126;083005;4152.68678;N;08737.78872;W;54;271;181;11')).toMatchObject({
      messages: [{ kind: 'position', satellites: 11 }],
      answer: '#AXD#1\r\n',
    });
  });
  it('keeps what it can’t read, and tells the tracker that the structure is wrong', () => {
    expect(read('#XD#nothing')).toMatchObject({
      messages: [{ kind: 'status', attributes: { unread: 'unknown-type', messageType: 'XD', data: 'nothing' } }],
      answer: '#AXD#-1\r\n',
    });
    expect(read('#SD#150126;086005;4152.68678;N;08737.78872;W;54;271;181;11')).toMatchObject({
      messages: [{ attributes: { unread: 'bad-field', messageType: 'SD' } }],
      answer: '#ASD#0\r\n',
    });
    expect(read('#B#nothing|more|')).toMatchObject({ messages: [{ kind: 'status' }], answer: '#AB#-1\r\n' });
  });
  it('adds a checksum to the message to the driver', () => {
    expect(String.fromCharCode(...wialonTcp.encodeCommand('#QI#', 1, IMEI))).toBe('#QI#\r\n');
    expect(String.fromCharCode(...wialonTcp.encodeCommand('Call the office', 1, IMEI))).toBe('#M#Call the office\r\n');
  });
});

describe('compressed packets', () => {
  const packed = (text: string): Uint8Array => {
    const bytes = Uint8Array.from(deflateSync(text));
    return Uint8Array.of(0xff, bytes.length & 255, bytes.length >> 8, ...bytes);
  };
  const record = '150126;083005;4152.68678;N;08737.78872;W;54;271;181;11';

  it('[R4.03] are read and answered as others, with and without the line end', () => {
    for (const end of ['\r\n', '']) {
      const box = packed(
        `#B#${Array.from({ length: 30 }, (_, i) => record.replace('05;41', `${i + 10};41`)).join('|')}${end}`,
      );
      const two = join([box, frame(DATA.trim()), box]);
      expect(framesOf(wialonTcp, two, 7)).toEqual({ frames: [box, frame(DATA.trim()), box], garbage: 0 });
      const { messages, acknowledgement } = wialonTcp.decode(box, SESSION);
      expect(messages).toHaveLength(30);
      expect(messages[0]).toMatchObject({ kind: 'position', time: POSITION.time + 5000, lat: POSITION.lat });
      expect(String.fromCharCode(...acknowledgement!)).toBe('#AB#30\r\n');
    }
    const { messages } = wialonUdp.decodeDatagram(packed(`2.0;${IMEI}#SD#${record}`), NOW);
    expect(messages).toMatchObject([{ kind: 'login', imei: IMEI }, { kind: 'position' }]);
  });

  it('[R4.03] that grow beyond any text, or are damaged, are refused', () => {
    const bomb = packed(`#M#${'0'.repeat(60_000)}\r\n`);
    expect(wialonTcp.decode(bomb, SESSION).messages).toMatchObject([{ kind: 'error', code: 'bad-field', at: 3 }]);
    const whole = packed(`#SD#${record}\r\n`);
    expect(wialonTcp.decode(whole.with(-1, (whole.at(-1) ?? 0) ^ 1), SESSION).messages).toMatchObject([
      { kind: 'error', code: 'bad-field', at: 3 },
    ]);
    expect(explain(whole).map(({ name }) => name)).toEqual(['compressed', 'bytes', 'packet']);
  });
});

it('[R4.03] an `E` for east is no checksum, where it could be one', () => {
  const bytes = frame('#SD#021222;130633.000;1707.1472;S;08520,6754;E\r\n');
  expect(wialonTcp.decode(bytes, SESSION).messages).toMatchObject([{ kind: 'position', lon: 85.34459 }]);
});

describe('datagrams', () => {
  it('identify the tracker before the packet', () => {
    for (const lead of [IMEI, `2.0;${IMEI}`]) {
      const { messages, acknowledgement } = wialonUdp.decodeDatagram(frame(lead + DATA.trim()), NOW);
      expect(messages).toEqual([{ kind: 'login', imei: IMEI }, POSITION]);
      expect(String.fromCharCode(...acknowledgement!)).toBe('#AD#1\r\n');
    }
  });
});
