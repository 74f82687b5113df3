import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Ibm } from '../crc16.ts';
import type { DecodedMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { teltonika } from './decode.ts';
import { encodeCommand, encodeResponse } from './encode.ts';

const SESSION: Session = { imei: '352093081452251', receivedAt: 0 as Session['receivedAt'] };

/** Puts data into a valid envelope. */
function decodeData(data: Uint8Array): { messages: readonly DecodedMessage[]; acknowledgement: Uint8Array | null } {
  const frame = new ByteWriter()
    .u32(0)
    .u32(data.length)
    .bytes(data)
    .u32(crc16Ibm(data, 0, data.length))
    .done();
  return teltonika.decode(frame, SESSION);
}

describe('Teltonika messages other than records', () => {
  it('reads the answer to a command and encodes the command, Codec 12', () => {
    const command = annotated(`
      00000000       | preamble
      0000000f       | length of the data
      0c             | codec id
      01             | quantity
      05             | type: command
      00000007       | size of the command
      676574696e666f | getinfo
      01             | quantity, again
      00004312       | CRC-16/IBM
    `);
    const response = annotated(`
      00000000             | preamble
      00000012             | length of the data
      0c                   | codec id
      01                   | quantity
      06                   | type: response
      0000000a             | size of the response
      53706565643a206b6d68 | Speed: kmh
      01                   | quantity, again
      0000f096             | CRC-16/IBM
    `);
    expect(encodeCommand('getinfo')).toEqual(command);
    expect(encodeResponse('Speed: kmh')).toEqual(response);
    expect(teltonika.decode(response, SESSION)).toEqual({
      messages: [{ kind: 'reply', text: 'Speed: kmh', reference: null }],
      acknowledgement: null,
      refusal: null,
    });
  });

  it('reads an answer with letters beyond ASCII, and keeps other bytes as they are', () => {
    const answer = (content: Uint8Array): Uint8Array =>
      new ByteWriter().u8(0x0c).u8(1).u8(6).u32(content.length).bytes(content).u8(1).done();
    expect(decodeData(answer(new TextEncoder().encode('Driver: Muñoz'))).messages).toEqual([
      { kind: 'reply', text: 'Driver: Muñoz', reference: null },
    ]);
    expect(decodeData(answer(Uint8Array.of(0x41, 0xf1, 0x42))).messages).toMatchObject([
      { kind: 'status', attributes: { data: '41F142' } },
    ]);
  });

  it('reads answers in Codec 13 with their time and Codec 14 with the IMEI, refused or not', () => {
    const codec13 = annotated(`
      00000000 00000012 | preamble, length
      0d 01 06          | codec id, quantity, response
      0000000a          | size
      69a7c0df          | 2026-03-04T05:19:27Z in seconds
      4449313a3130      | DI1:10
      01 000017dd       | quantity, CRC-16/IBM
    `);
    const codec14 = annotated(`
      00000000 00000016 | preamble, length
      0e 01 06          | codec id, quantity, response
      0000000e          | size, the IMEI included
      0352093081452251  | IMEI in packed decimals
      566572312e30      | Ver1.0
      01 00002079       | quantity, CRC-16/IBM
    `);
    const refused = annotated(`
      00000000 00000010 | preamble, length
      0e 01 11          | codec id, quantity, nACK: this is not the IMEI of the command
      00000008          | size
      0352093081452251  | IMEI
      01 000032ac       | quantity, CRC-16/IBM
    `);
    expect(teltonika.decode(codec13, SESSION).messages).toEqual([{ kind: 'reply', text: 'DI1:10', reference: null }]);
    expect(teltonika.decode(codec14, SESSION).messages).toEqual([{ kind: 'reply', text: 'Ver1.0', reference: null }]);
    expect(teltonika.decode(refused, SESSION).messages).toEqual([
      { kind: 'status', time: null, event: null, attributes: { commandRefused: true } },
    ]);
  });

  it('keeps binary data of the serial port as hexadecimal, with the time of Codec 15', () => {
    const codec12 = annotated(`
      00000000 00000010 | preamble, length
      0c 01 06          | codec id, quantity, response
      00000008          | size
      010300010015d5c5  | a Modbus frame
      01 0000d988       | quantity, CRC-16/IBM
    `);
    const codec15 = annotated(`
      00000000 00000018 | preamble, length
      0f 01 0b          | codec id, quantity, type
      00000010          | size
      69a7c0df          | 2026-03-04T05:19:27Z
      0352093081452251  | IMEI
      0a0b0c0d          | data
      01 000068b2       | quantity, CRC-16/IBM
    `);
    expect(teltonika.decode(codec12, SESSION).messages).toEqual([
      { kind: 'status', time: null, event: null, attributes: { data: '010300010015D5C5' } },
    ]);
    expect(teltonika.decode(codec15, SESSION).messages).toEqual([
      { kind: 'status', time: Date.UTC(2026, 2, 4, 5, 19, 27), event: null, attributes: { data: '0A0B0C0D' } },
    ]);
  });

  it('reports a picture', () => {
    const { messages, acknowledgement } = decodeData(annotated('0c 01 0d 00000005 01 69a7c0df 01'));
    expect(messages).toEqual([
      { kind: 'status', time: null, event: null, attributes: { picturePart: 1, pictureBytes: 5 } },
    ]);
    expect(acknowledgement).toBeNull();
  });

  it('keeps the beginning of long binary data', () => {
    const writer = new ByteWriter().u8(0x0c).u8(1).u8(6).u32(2000).bytes(new Uint8Array(2000)).u8(1);
    const [message] = decodeData(writer.done()).messages;
    expect(message).toMatchObject({ kind: 'status', attributes: { data: '00'.repeat(512), dataBytes: 2000 } });
  });

  it('reads several in one frame, and none from a frame in which they do not fit', () => {
    const two = annotated('0c 02 06 00000002 4f4b 06 00000002 4e4f 02');
    expect(decodeData(two).messages).toMatchObject([{ text: 'OK' }, { text: 'NO' }]);
    for (const wrong of ['0c 02 06 00000002 4f4b 02', '0c 01 06 00000009 4f4b 01', '0c 01 06 00000002 4f4b 02']) {
      expect(decodeData(annotated(wrong)).messages).toMatchObject([{ kind: 'error', code: 'bad-length' }]);
    }
  });
});

describe('records of GH3000 (codec id 7)', () => {
  it('define their fields by masks', () => {
    const data = annotated(`
      07            | codec id
      02            | number of records
      640d4000      | priority 1, then 604848128 s after the beginning of 2007
      03            | a fix and elements of one byte
      ff            | all of the fix
      425adbd7      | latitude, single precision
      41ca6e1e      | longitude
      009e          | altitude 158 m
      40            | 64 / 256 of a circle: 90
      05            | 5 km/h
      07            | 7 satellites
      0001 030b     | area, cell
      16            | signal 22 of 31
      0000601a      | operator
      01 01 5e      | one element: 1 = 94
      240d4001      | a second later
      08            | only elements of four bytes
      01 05 00000ce4 | one: 5 = 3300
      02            | number of records, again
    `);
    const { messages, acknowledgement } = decodeData(data);
    const time = Date.UTC(2007, 0, 1) + 0x240d4000 * 1000;
    expect(messages).toMatchObject([
      {
        kind: 'position',
        time,
        valid: true,
        lat: 54.714687,
        lon: 25.303768,
        altitude: 158,
        course: 90,
        satellites: 7,
        gsm: 22,
        attributes: { areaCode: 1, cellId: 779, operator: 24_602, io1: 94 },
      },
      { kind: 'status', time: time + 1000, attributes: { io5: 3300 } },
    ]);
    expect([...acknowledgement!]).toEqual([0, 0, 0, 2]);
  });

  it('keep the fix of one whose elements do not fit, and those before it, and are accepted', () => {
    const record = '240d4000 03 01 425adbd7 41ca6e1e 01 01 5e';
    const cut = decodeData(annotated(`07 02 ${record} 240d4001 03 01 425adbd7 41ca6e1e 05 01 5e 02 | 02`));
    expect(cut.messages).toMatchObject([
      { kind: 'position', lat: 54.714687, attributes: { io1: 94 } },
      { kind: 'position', lat: 54.714687, attributes: { io1: 94 } },
      { kind: 'error', code: 'bad-length' },
    ]);
    expect([...(cut.acknowledgement ?? [])]).toEqual([0, 0, 0, 2]);
    expect(decodeData(annotated(`07 01 ${record} 02 |`)).messages).toMatchObject([
      { kind: 'position' },
      { kind: 'error', code: 'bad-length' },
    ]);
  });

  it('that do not fit are refused', () => {
    expect(decodeData(annotated('07 01 640d4000 01 ff 425adbd7 01')).messages).toMatchObject([
      { kind: 'error', code: 'bad-length' },
    ]);
  });
});

describe('Codec 8 with elements of sixteen bytes', () => {
  it('is read if the records fit only that way', () => {
    const data = annotated(`
      08               | codec id
      01               | number of records
      0000019cb73d3218 | time
      00 cbc4c102 18f617d0 00b5 005a 0b 0030 | priority and fix
      00               | no event
      02               | elements in all
      01 ef 01         | 239 ignition: on
      00 00 00         | none of two, four, eight bytes
      01               | one of sixteen
      cb 000102030405060708090a0b0c0d0e0f
      01               | number of records, again
    `);
    expect(decodeData(data).messages).toMatchObject([
      { kind: 'position', ignition: true, attributes: { io203: '000102030405060708090A0B0C0D0E0F' } },
    ]);
  });
});
