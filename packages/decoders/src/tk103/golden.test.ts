import { epochMs, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PositionMessage, Session } from '../protocol.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf } from '../testing/stream.ts';
import { ALARMS } from './alarms.ts';
import { tk103, tk103Udp } from './decode.ts';
import { encodeCommand, encodeHandshake, encodeLogin, encodeReport } from './encode.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (text: string) => tk103.decode(bytes(text), SESSION);
const textOf = (answer: Uint8Array | null) => answer && new TextDecoder().decode(answer);

/** Made by us, character by character. */
const PLACE = [
  '260304', // March 4, 2026
  'A', // valid
  '4152.6860', // 41° 52.6860'
  'N',
  '08737.7880', // 87° 37.7880'
  'W',
  '050.0', // km/h
  '050607', // 05:06:07 UTC
  '271.50', // course
  '0', // main power is connected
  '1', // ignition on
  '000000', // other inputs and outputs
  'L',
  '0012D687', // 1234567 m
].join('');

const POSITION = {
  kind: 'position',
  time: Date.UTC(2026, 2, 4, 5, 6, 7),
  valid: true,
  lat: 41 + 52.686 / 60,
  lon: -(87 + 37.788 / 60),
  speed: 125 / 9,
  course: 271.5,
  ignition: true,
  odometer: 1_234_567,
  attributes: { externalPower: true, inputs: '01000000' },
};

describe('TK103', () => {
  it('reads a position, which needs no answer', () => {
    const { messages, acknowledgement } = decode(`(013912345678BR00${PLACE})`);
    expect(messages[0]).toEqual({ kind: 'login', imei: '013912345678' });
    expect(messages[1]).toMatchObject({ ...POSITION, event: null });
    expect(acknowledgement).toBeNull();
  });

  it.each([
    ['small letters', PLACE.toLowerCase()],
    ['spaces', '260304 A 4152.6860N 08737.7880W 050.0 050607 271.50 01000000 L0012D687'],
    ['commas and minus signs', '260304,A,-4152.6860N,-08737.7880W,050.0050607271.5001000000L0012D687'],
    ['commas throughout', ',260304,A,4152.6860,N,08737.7880,W,050.0,050607,271.50,01000000,L0012D687'],
    ['decimal degrees', '260304A41.878100N87.629800W050.0050607271.5001000000L0012D687'],
    ['a speed of four digits', PLACE.replace('050.0', '0050.0')],
  ])('reads a position with %s', (_, place) => {
    for (const identity of ['013912345678', '0352093081452251', '123456']) {
      const [, message] = decode(`(${identity}br00${place})`).messages;
      const { lat, lon, speed, ...rest } = POSITION;
      expect(message).toMatchObject({ ...rest, altitude: null });
      expect(message).toMatchObject({ lat: expect.closeTo(lat, 6), lon: expect.closeTo(lon, 6), speed });
    }
  });

  it('reads a date with the day or the year first, whichever is now', () => {
    const receivedAt = epochMs(POSITION.time + 1000);
    const fields = ',A,4152.6860N,08737.7880W,050.0,050607,271.50';
    for (const word of [',ZC07,', 'BR00,']) {
      for (const date of ['260304', '040326']) {
        const [, message] = tk103.decode(bytes(`(013912345678${word}${date}${fields})`), {
          imei: null,
          receivedAt,
        }).messages;
        expect(message).toMatchObject({ time: POSITION.time });
      }
    }
  });

  it('answers a handshake without its end', () => {
    for (const body of ['', '000013912345678']) {
      const { messages, acknowledgement } = decode(`(013912345678BP00${body})`);
      expect(messages[1]).toEqual({ kind: 'heartbeat', attributes: {} });
      expect(textOf(acknowledgement)).toBe('(013912345678AP01HSO)');
    }
  });

  it('reads the position in an answer to a command', () => {
    for (const word of ['BS08', 'BU00', 'BX00']) {
      const { messages } = decode(`(013912345678${word}${PLACE})`);
      expect(messages.slice(1)).toMatchObject([{ kind: 'reply' }, POSITION]);
    }
    expect(decode('(013912345678BS20000020)').messages).toHaveLength(2);
  });

  it('answers handshake, login and alarm', () => {
    expect(textOf(decode('(013912345678BP00000013912345678HSO)').acknowledgement)).toBe('(013912345678AP01HSO)');
    expect(textOf(decode(`(013912345678BP05352093081452251${PLACE})`).acknowledgement)).toBe('(013912345678AP05)');
    const { messages, acknowledgement } = decode(`(013912345678BO012${PLACE})`);
    expect(messages[1]).toMatchObject({ ...POSITION, event: 'sos' });
    expect(textOf(acknowledgement)).toBe('(013912345678AS012)');
    expect(decode(`(013912345678BO019${PLACE})`).messages[1]).toMatchObject({
      event: 'alarm',
      attributes: { alarmCode: '9' },
    });
  });

  it.each([
    ['a shorter speed', 'BR00', PLACE.replace('050.0', '50.0')],
    ['a longer tail', 'BR00', `${PLACE}T113,310,260,7f01,1a2b`],
    ['towers after it', 'BP05352093081452251', `${PLACE},310,260,32513,6699`],
    ['a short longitude', 'BR00', PLACE.replace('08737.7880', '8737.7880')],
    ['more decimals', 'BR00', PLACE.replace('4152.6860', '4152.68600')],
    ['words before it', 'BP02', `,G,2,${PLACE}`],
    ['an unknown word', 'BR07', PLACE],
  ])('reads a position with %s', (_, word, place) => {
    expect(decode(`(013912345678${word}${place})`).messages[1]).toMatchObject({
      kind: 'position',
      time: POSITION.time,
      lat: POSITION.lat,
      lon: POSITION.lon,
      speed: POSITION.speed,
      course: POSITION.course,
      ignition: true,
      odometer: POSITION.odometer,
    });
  });

  it('answers a login with towers', () => {
    const { messages, acknowledgement } = decode('(013912345678BP05352093081452251,310,260,32513,6699)');
    expect(messages[1]).toMatchObject({ kind: 'status', attributes: { cell: '310-260-32513-6699' } });
    expect(textOf(acknowledgement)).toBe('(013912345678AP05)');
  });

  it.each(['ZC11', 'ZC12', 'ZC13', 'ZC15', 'ZC16', 'ZC17'])('reports %s as an alarm with its code', word => {
    const fields = '040326,A,4152.6860N,08737.7880W,50.0,050607,271.5';
    expect(decode(`(864768010869060,${word},${fields})`).messages[1]).toMatchObject({
      kind: 'position',
      event: 'alarm',
      attributes: { alarmCode: word },
    });
    expect(decode(`(864768010869060,ZC07,${fields})`).messages[1]).toMatchObject({ kind: 'position', event: null });
  });

  it('reports BQ81 as an alarm, with its position if it has one', () => {
    expect(decode(`(013912345678BQ81,1,${PLACE})`).messages[1]).toMatchObject({
      kind: 'position',
      event: 'alarm',
      attributes: { alarmCode: 'BQ81' },
    });
    expect(decode('(013912345678BQ81,3,1)').messages[1]).toMatchObject({ kind: 'status', event: 'alarm' });
  });

  it('reads the form with commas', () => {
    expect(
      decode('(864768010869060,ZC17,040326,A,4152.6860N,08737.7880W,50.0,050607,271.5,64.50,9)').messages[1],
    ).toMatchObject({
      time: POSITION.time,
      lat: POSITION.lat,
      lon: POSITION.lon,
      altitude: 64.5,
      satellites: 9,
    });
    expect(decode('(864768010869060,ZC20,040326,050607,3,392,65535,255)').messages[1]).toEqual({
      kind: 'status',
      time: POSITION.time,
      event: null,
      attributes: { batteryLevel: 50, batteryVoltage: 3.92 },
    });
    expect(
      decode('(864768010869060,DW51,310,4,3215,43370,2,58:F3:BB:3B:AA:82*-65*1,1C:6A:BB:AA:81:95*-78*1,040326,050607)')
        .messages[1],
    ).toEqual({
      kind: 'status',
      time: POSITION.time,
      event: null,
      attributes: { cell: '310-4-3215-43370', wifi: '58:F3:BB:3B:AA:82:-65 1C:6A:BB:AA:81:95:-78' },
    });
  });

  it('keeps answers, VIN, towers, unknown words and a position without a date', () => {
    expect(decode('(013912345678BT00OK)').messages[1]).toEqual({ kind: 'reply', text: 'BT00OK', reference: null });
    expect(decode('(013912345678BV005J6RW2H53HL066029)').messages[1]).toMatchObject({
      attributes: { vin: '5J6RW2H53HL066029' },
    });
    expect(decode('(013912345678BZ00,740,000,3bf7,0425,3bf7,0bf5,01000000)').messages[1]).toMatchObject({
      attributes: { cells: '740-0-15351-1061 740-0-15351-3061' },
    });
    expect(decode('(013912345678BQ86,0,05)').messages[1]).toMatchObject({ attributes: { text: 'BQ86,,0,05' } });
    expect(
      decode(`(013912345678BR00000007V0000.0000N00000.0000E000.00014039900000000L00000000)`).messages[1],
    ).toMatchObject({
      kind: 'status',
      time: null,
      attributes: { inputs: '00000000' },
    });
  });

  it('keeps a frame that it can’t read', () => {
    expect(decode('(013912345678BR00nonsense)').messages).toMatchObject([
      { kind: 'login' },
      { kind: 'status', attributes: { unread: 'bad-field', messageType: 'BR00', data: 'nonsense' } },
    ]);
  });

  it.each(['(12345BR00)', '(hello)', '()'])('refuses %s', text => {
    expect(decode(text).messages).toMatchObject([{ kind: 'error', code: 'bad-field' }]);
  });

  it('finds frames after garbage, after a frame without an end, and with parentheses in a text', () => {
    const report = `(013912345678BR00${PLACE})`;
    const answer = '(864555555555555,ZC03,191117,234207,$every 240 minute(s)$)';
    const stream = bytes(`xyz${report}(0139123${report}\r\n${answer}${report}`);
    for (const size of [1, 6, 5000]) {
      const { frames, garbage } = framesOf(tk103, stream, size);
      expect(frames.map(({ length }) => length)).toEqual([
        report.length,
        report.length,
        1,
        1,
        answer.length,
        report.length,
      ]);
      expect(garbage).toBe(11);
    }
    expect(decode(answer).messages[1]).toMatchObject({ kind: 'reply', text: 'every 240 minute(s)' });
  });

  it('reads a datagram, and encodes commands', () => {
    expect(tk103Udp.decodeDatagram(bytes(`(013912345678BR00${PLACE})\r\n`), SESSION.receivedAt).messages).toHaveLength(
      2,
    );
    expect(textOf(encodeCommand('AR00003C0000', 7, '013912345678'))).toBe('(013912345678AR00003C0000)');
  });
});

describe('TK103 round trip', () => {
  const events = ALARMS.map(([, event]) => event).filter(event => event !== 'alarm');
  const position = fc
    .record({
      fix: fixes({ steps: 600_000, speed: 'km/h' }),
      ignition: fc.boolean(),
      power: fc.boolean(),
      odometer: orNull(fc.integer({ min: 0, max: 0xffff_ffff }).map(metres)),
      event: orNull(fc.constantFrom(...events)),
    })
    .map(({ fix, power, ...rest }): PositionMessage => {
      const inputs = `${power ? 0 : 1}${rest.ignition ? 1 : 0}000000`;
      return { ...fix, ...rest, attributes: { externalPower: power, inputs } };
    });

  it.each([encodeReport, encodeLogin])('with %o', encode => {
    fc.assert(
      fc.property(fc.stringMatching(/^(\d{12}|\d{15})$/), position, (imei, sent) => {
        const [who, decoded] = tk103.decode(encode(imei, sent), SESSION).messages;
        expect(who).toEqual({ kind: 'login', imei });
        const { lat, lon, speed, event, ...others } = decoded as PositionMessage;
        const { lat: sentLat, lon: sentLon, speed: sentSpeed, event: sentEvent, ...expected } = sent;
        expect(others).toEqual(expected);
        expect(event).toBe(encode === encodeReport ? sentEvent : null);
        expect([lat, lon, speed]).toEqual([
          expect.closeTo(sentLat, 9),
          expect.closeTo(sentLon, 9),
          expect.closeTo(sentSpeed!, 9),
        ]);
      }),
    );
  });

  it.each([
    ['without a time', '050607', '246099', 'time'],
    ['without coordinates', '4152.6860N08737.7880W', '    .    N     .    W', 'fix'],
  ])('[R4.03] makes a report %s a status with its reason', (_, documented, written, noFix) => {
    const [, message] = decode(`(013912345678BR00${PLACE})`.replace(documented, written)).messages;
    expect(message).toMatchObject({
      kind: 'status',
      attributes: { noFix, ignition: true, odometer: 1_234_567, externalPower: true },
    });
  });

  it('keeps towers that it cannot read as they were sent', () => {
    const [, message] = decode('(013912345678BZ00{310,260,7F01,1A2B})').messages;
    expect(message).toMatchObject({ attributes: { unread: 'bad-field', data: '{310,260,7F01,1A2B}' } });
  });

  it('as a handshake', () => {
    expect(tk103.decode(encodeHandshake('013912345678'), SESSION).messages[1]).toMatchObject({ kind: 'heartbeat' });
  });
});
