import { describe, expect, it } from 'vitest';
import { hex } from '../bytes.ts';
import { SESSION } from '../fuzz-checks.ts';
import { SAMPLE_POSITION } from '../fuzz-inputs.ts';
import { atrack as stream } from './decode.ts';
import { encodeRecord, sealBinary } from './encode.ts';

const bytes = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'));
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const decode = (frame: Uint8Array) => stream.decode(frame, SESSION);

describe('frames as trackers send them', () => {
  it('a binary report, and its acknowledgement', () => {
    const frame = bytes(
      '40501e58003301e000014104d8f19682525ecd5d525ee344525ee35effc88815026ab4d70000020000104403de01000b0000000007d007d000',
    );
    const { messages, acknowledgement } = decode(frame);
    expect(messages).toMatchObject([
      { kind: 'login', imei: '352964052096642' },
      {
        kind: 'position',
        time: Date.UTC(2013, 9, 16, 17, 31, 9),
        lat: 40.547543,
        lon: -3.635179,
        odometer: 416_400,
        hdop: 99,
        temperature: null,
        attributes: { reportId: 2, inputs: 1 },
      },
    ]);
    expect(hex(acknowledgement ?? bytes(''))).toBe('FE0200014104D8F1968201E0');
  });

  it('a keep-alive message is sent back', () => {
    const { messages, acknowledgement } = decode(bytes('fe0200014104d8f196820001'));
    expect(messages).toMatchObject([{ kind: 'login', imei: '352964052096642' }, { kind: 'heartbeat' }]);
    expect(hex(acknowledgement ?? bytes(''))).toBe('FE0200014104D8F196820001');
  });

  it('the zeros of an IMEI, which a number has not', () => {
    const logins = ['001010990000010', '012345678901237', '4711'].map(
      imei => decode(sealBinary(imei, 1, encodeRecord(SAMPLE_POSITION))).messages[0],
    );
    expect(logins).toMatchObject([{ imei: '001010990000010' }, { imei: '012345678901237' }, { imei: '4711' }]);
  });

  it('a report as text, with degrees and kilometers', () => {
    const text =
      '@P,434E,124,104655,358901048091554,20180412143706,20180412143706,20180413060107,16423389,48178700,108,121,6.5,10,0,0,0,0,0,2000,2000,\r\n';
    expect(stream.nextFrame(latin1(text))).toEqual({ status: 'frame', end: text.length });
    expect(decode(latin1(text)).messages).toMatchObject([
      { kind: 'login', imei: '358901048091554' },
      { kind: 'position', lat: 48.1787, lon: 16.423389, odometer: 6500, hdop: 1, rfid: null },
    ]);
  });

  it('a text with a wrong checksum and a damaged line is not read', () => {
    const text = '@P,434E,41,104655,358901048091554,2018041x143706,1,2\r\n';
    expect(decode(latin1(text)).messages).toMatchObject([{ kind: 'error', code: 'bad-checksum' }]);
  });

  it('what a tracker is', () => {
    const text =
      '$INFO=358683066267395,AX7,Rev.0.61 Build.1624,358683066267395,466924131626767,89886920041316267670,144,0,9,1,12,1,0\r\n';
    expect(decode(latin1(text)).messages).toMatchObject([
      { kind: 'login', imei: '358683066267395' },
      { kind: 'status', attributes: { model: 'AX7', firmware: 'Rev.0.61 Build.1624', externalVoltage: 14.4 } },
    ]);
    expect(decode(latin1('$ERROR=101\r\n')).messages).toEqual([{ kind: 'reply', text: '$ERROR=101', reference: null }]);
  });
});

describe('listed values', () => {
  const withList = (list: string, values: string): Uint8Array =>
    Uint8Array.from([...encodeRecord(SAMPLE_POSITION).subarray(0, -1), ...latin1(`${list}\0`), ...bytes(values)]);

  it('are read by their widths, and the next record follows them', () => {
    const record = withList('%CI%GQ%MV%SA%RP', '1f00850c0947');
    const { messages } = decode(sealBinary('352093081452251', 1, Uint8Array.from([...record, ...record])));
    const expected = { kind: 'position', gsm: 31, satellites: 12, attributes: { externalVoltage: 13.3, rpm: 2375 } };
    expect(messages.slice(1)).toMatchObject([expected, expected]);
  });

  it('with an unknown one in between lose no record', () => {
    const record = withList('%CI%MV%XX%SA', '0085aabbcc0c');
    const { messages } = decode(sealBinary('352093081452251', 1, Uint8Array.from([...record, ...record])));
    const expected = {
      kind: 'position',
      attributes: { externalVoltage: 13.3, unread: 'unknown-type', data: 'AABBCC0C' },
    };
    expect(messages.slice(1)).toMatchObject([expected, expected]);
  });

  it('that no list names lose no record either, and make none', () => {
    const record = withList('', '0085aabbcc0c0085aabbcc0c0085aabbcc0c0085aabbcc0c0085aabbcc0c0085aabbcc0c0085');
    const { messages } = decode(sealBinary('352093081452251', 1, Uint8Array.from([...record, ...record])));
    const expected = { kind: 'position', lat: SAMPLE_POSITION.lat, attributes: { unread: 'unknown-type' } };
    expect(messages.slice(1)).toMatchObject([expected, expected]);
  });
});
