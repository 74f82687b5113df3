import { metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SESSION } from '../fuzz-checks.ts';
import { protocols } from '../index.ts';
import type { PositionMessage } from '../protocol.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf, join } from '../testing/stream.ts';
import { ALARMS } from './alarms.ts';
import { encodeCommand, encodeLink, encodeReport, frameOf } from './encode.ts';

const stream = protocols.watch.stream!;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (answer: Uint8Array | null): string | null => answer && new TextDecoder().decode(answer);
const decodeBytes = (frame: Uint8Array) => stream.decode(frame, SESSION);
const decode = (text: string) => decodeBytes(bytes(text));
/** With the length counted. */
const said = (content: string) => decodeBytes(frameOf('8800000015', content));

/** Made by us. */
const PLACE = new TextDecoder().decode(
  annotatedText(`
  040326,       | March 4, 2026
  050607,       | 05:06:07 UTC
  A,            | valid
  41.878100,N,  | degrees north
  87.6298000,W, | degrees west
  45.00,        | km/h
  271.5,        | course
  181.0,        | m above the sea
  9,            | satellites
  80,           | signal, of 100
  60,           | battery in percent
  1234,         | steps
  5,            | turns in sleep
  00000010,     | status: not moving
  2,            | towers
  1,            | delay
  310,260,      | country and network
  1091,30082,139, | area, cell and signal
  1091,30083,120, | of the second tower
  2,            | Wi-Fi stations
  Depot,60:45:cb:cb:34:68,-55, | name, address and signal
  A, B,4c:30:00:24:27:3a,-70, | a name may have a comma
  12.5          | accuracy in m
`),
);

const POSITION = {
  kind: 'position',
  time: Date.UTC(2026, 2, 4, 5, 6, 7),
  valid: true,
  lat: 41.8781,
  lon: -87.6298,
  speed: 12.5,
  course: 271.5,
  altitude: 181,
  satellites: 9,
  event: null,
  attributes: {
    batteryLevel: 60,
    signal: 80,
    steps: 1234,
    status: '00000010',
    movement: false,
    cells: '310-260-1091-30082:139 310-260-1091-30083:120',
    wifi: '60:45:cb:cb:34:68:-55 4c:30:00:24:27:3a:-70',
    accuracy: 12.5,
  },
};

describe('watch', () => {
  it('[R4.03] reads a location, which needs no answer', () => {
    for (const word of ['UD', 'UD2', 'UD_LTE', 'UD_WCDMA', 'ud_lte', 'PP,091046', 'NEW']) {
      const { messages, acknowledgement } = said(`${word},${PLACE}`);
      expect(messages).toMatchObject([{ kind: 'login', imei: '8800000015' }, POSITION]);
      expect(acknowledgement).toBeNull();
    }
  });

  it.each([
    ['[SG*8800000015*0002*LK]', '[SG*8800000015*0002*LK]', {}],
    ['[3G*8800000015*000D*LK,50,7,90]', '[3G*8800000015*0002*LK]', { steps: 50, batteryLevel: 90 }],
    ['[CS*352093081452251*0009*LK,50,100]', '[CS*352093081452251*0002*LK]', { steps: 50, batteryLevel: 100 }],
    ['[ZJ*352093081452251*00a7*0002*LK]', '[ZJ*352093081452251*00a7*0002*LK]', {}],
  ])('[R4.03] answers %s with its maker, number and serial number', (sent, answer, attributes) => {
    const { messages, acknowledgement } = decode(sent);
    expect(messages[1]).toEqual({ kind: 'heartbeat', attributes });
    expect(textOf(acknowledgement)).toBe(answer);
  });

  it.each(ALARMS.filter(([, event]) => event !== 'alarm'))(
    '[R4.03] reads alarm %i as %s and answers it',
    (bit, event) => {
      const status = (2 ** bit + 16).toString(16).padStart(8, '0');
      for (const word of ['AL', 'AL_LTE']) {
        const { messages, acknowledgement } = said(`${word},${PLACE.replace('00000010', status)}`);
        expect(messages[1]).toMatchObject({ event, lat: POSITION.lat, attributes: { movement: false } });
        expect(messages[1]).not.toMatchObject({ attributes: { alarmCode: expect.anything() } });
        expect(textOf(acknowledgement)).toBe('[3G*8800000015*0002*AL]');
      }
    },
  );

  it.each([
    ['00400000', 'alarm'],
    ['00210000', 'sos'],
    ['00000000', 'alarm'],
    ['0001', 'alarm'],
  ])('[R4.03] keeps the status word %s of an alarm as its code', (status, event) => {
    const [, message] = said(`AL,${PLACE.replace('00000010', status)}`).messages;
    expect(message).toMatchObject({ event, attributes: { alarmCode: status } });
  });

  it('[R4.03] reads states of a location as no alarm', () => {
    expect(said(`UD,${PLACE.replace('00000010', '00010000')}`).messages[1]).toMatchObject({
      event: null,
      attributes: { status: '00010000' },
    });
  });

  it.each([
    ['V,0.0,N,0.0,E', 'fix'],
    ['V,00.000000,,00.0000000,', 'fix'],
    ['A,91.5,N,8.5,E', 'latitude'],
    ['A,41.5,N,,', 'longitude'],
  ])('[R4.03] makes %s a status without a place', (place, noFix) => {
    const [, message] = said(`AL,${PLACE.replace('A,41.878100,N,87.6298000,W', place)}`).messages;
    expect(message).toMatchObject({
      kind: 'status',
      time: POSITION.time,
      event: 'alarm',
      attributes: { noFix, batteryLevel: 60, wifi: POSITION.attributes.wifi },
    });
  });

  it.each([
    ['another validity', '1,41.878100,N,87.6298000,W', { valid: false }],
    ['hemispheres in front', 'A,N,41.878100,W,87.6298000', { valid: true }],
    ['hemispheres at the numbers', 'A,41.878100N,87.6298000W', { valid: true }],
    ['degrees and minutes', 'A,4152.6860,N,08737.7880,W', { valid: true }],
  ])('[R4.03] reads a location with %s', (_, place, { valid }) => {
    const [, message] = said(`UD,${PLACE.replace('A,41.878100,N,87.6298000,W', place)}`).messages;
    expect(message).toMatchObject({
      ...POSITION,
      valid,
      lat: expect.closeTo(POSITION.lat, 9),
      lon: expect.closeTo(POSITION.lon, 9),
    });
  });

  it.each(['A,,N,,E', 'V,,,,', '0,,S,,W'])(
    '[R4.03] keeps battery, towers and stations beside the empty place %s',
    place => {
      const [, message] = said(`UD,${PLACE.replace('A,41.878100,N,87.6298000,W', place)}`).messages;
      const { batteryLevel, wifi, cells } = POSITION.attributes;
      expect(message).toMatchObject({ kind: 'status', attributes: { noFix: 'fix', batteryLevel, wifi, cells } });
    },
  );

  it('[R4.03] takes numbers without hemispheres for no location, even behind a time', () => {
    expect(said('XY,040326,050607,3,4,5.5,6,7').messages[1]).toMatchObject({ kind: 'status', attributes: {} });
    expect(said('XY,040326,050607,3,4,5.5,6,7').messages[1]).not.toHaveProperty('attributes.noFix');
  });

  it('[R4.03] reads the last known place as not valid, and a sign besides or instead of a hemisphere', () => {
    for (const place of ['V,41.8781,N,-87.6298,W', 'V,41.8781,,-87.6298,', 'V,41.8781,n, 87.6298,w']) {
      const [, message] = said(`UD,${PLACE.replace('A,41.878100,N,87.6298000,W', place)}`).messages;
      expect(message).toMatchObject({ kind: 'position', valid: false, lat: POSITION.lat, lon: POSITION.lon });
    }
  });

  it('[R4.03] reads towers in hexadecimal, and none that is empty', () => {
    const towers = (text: string) => said(`UD,${PLACE.split(',2,1,310')[0]},${text}`).messages[1];
    expect(towers('1,1,234,10,55C0,3B882A2,132,,10')).toMatchObject({
      attributes: { cells: '234-10-21952-62423714:132' },
    });
    for (const none of ['1,1,FFFF,FFFF,FFFE,3B882A2,132,,10', '0,1,,,,00', '0,0,0', '', '3', '2,255,310,260,1091']) {
      expect(towers(none)).toMatchObject({ kind: 'position' });
      expect(towers(none)).not.toMatchObject({ attributes: { cells: expect.anything() } });
    }
    expect(towers('0,0,40.7')).toMatchObject({ attributes: { accuracy: 40.7 } });
  });

  it.each([
    ['bphrt,112,73,67,,,,', { bloodPressureHigh: 112, bloodPressureLow: 73, heartRate: 67 }, 'bphrt'],
    ['bphrt,0,0,67', { heartRate: 67 }, 'bphrt'],
    ['oxygen,0,97', { bloodOxygen: 97 }, 'oxygen,1'],
    ['btemp2,1,36.6', { bodyTemperature: 36.6 }, 'btemp2'],
    ['btemp2,1,0', {}, 'btemp2'],
    ['TEMP,36.5', { bodyTemperature: 36.5 }, null],
    ['CONFIG,TY:G75,UL:600', { model: 'G75', text: 'CONFIG,TY:G75,UL:600' }, 'CONFIG,1'],
    ['ICCID,8901260123456789012', { iccid: '8901260123456789012' }, null],
    ['WIFIINFOUP,4465706F74,736563726574,08:c0:21:1e:68:e0', {}, 'WIFIINFOUP,1'],
    ['TKQ', { text: 'TKQ' }, 'TKQ'],
    ['TKQ2', { text: 'TKQ2' }, 'TKQ2'],
    ['INIT,1,2', { text: 'INIT,1,2' }, null],
  ])('[R4.03] reads %s', (content, attributes, answer) => {
    const { messages, acknowledgement } = said(content);
    expect(messages[1]).toEqual({ kind: 'status', time: null, event: null, attributes });
    const length = (answer ?? '').length.toString(16).toUpperCase().padStart(4, '0');
    expect(textOf(acknowledgement)).toBe(answer && `[3G*8800000015*${length}*${answer}]`);
  });

  it('[R4.03] reads a recording by its size, and says that nobody hears it', () => {
    // 0x5D in a recording is sent as 0x7D 0x03.
    const frame = frameOf('8800000015', join([bytes('TK,#!AMR\n'), Uint8Array.of(0x7d, 0x03, 0xff, 0x00, 0x0c)]));
    const { messages, acknowledgement } = decodeBytes(frame);
    expect(stream.nextFrame(frame)).toEqual({ status: 'frame', end: frame.length });
    expect(messages[1]).toMatchObject({ kind: 'status', attributes: { voiceBytes: 11 } });
    expect(textOf(acknowledgement)).toBe('[3G*8800000015*0004*TK,0]');
    expect(said('TK,1')).toMatchObject({ messages: [{}, { kind: 'reply', text: 'TK,1' }], acknowledgement: null });
  });

  it.each(['UPLOAD', 'VERNO,G29_BASE_V1.00_2014.04.23_17.46.49', 'TS,ver:G4C; batlevel:87', 'hrtstart', 'profile'])(
    '[R4.03] reads %s as an answer',
    content => {
      expect(said(content).messages[1]).toEqual({ kind: 'reply', text: content, reference: null });
    },
  );

  it('[R4.03] reads a picture that it asked for as an answer', () => {
    const frame = frameOf('8800000015', join([bytes('img,5,260304050607,'), Uint8Array.of(0xff, 0xd8, 0x2c, 0xff)]));
    expect(decodeBytes(frame).messages.slice(1)).toMatchObject([
      { kind: 'reply', text: 'img,5,260304050607' },
      { kind: 'status', attributes: { picture: '260304050607', pictureBytes: 4 } },
    ]);
  });

  it('[R4.03] reads a heart rate alone, and a temperature behind its kind', () => {
    for (const content of ['heart,72', 'HEART,72']) {
      const { messages, acknowledgement } = said(content);
      expect(messages[1]).toMatchObject({ kind: 'status', attributes: { heartRate: 72 } });
      expect(textOf(acknowledgement)).toBe('[3G*8800000015*0005*heart]');
    }
    expect(said('heart,0').messages[1]).toMatchObject({ kind: 'status', attributes: {} });
    expect(said('TEMP,1,36.5').messages[1]).toMatchObject({ kind: 'status', attributes: { bodyTemperature: 36.5 } });
  });

  it('[R4.03] keeps what it cannot read, with the reason', () => {
    expect(said('UD,nonsense').messages[1]).toMatchObject({ attributes: { unread: 'bad-field', data: 'nonsense' } });
    expect(said('').messages[1]).toMatchObject({ attributes: { unread: 'bad-field' } });
    const strange = frameOf('8800000015', join([bytes('JXTK,'), Uint8Array.of(0, 1, 2)]));
    expect(decodeBytes(strange).messages[1]).toMatchObject({
      attributes: { unread: 'unknown-type', messageType: 'JXTK' },
    });
    for (const none of ['[3G*8800000015*0003*LK', '3G*8800000015*0002*LK]', '[3G*88*0002*LK]', '[]']) {
      expect(decode(none).messages).toMatchObject([{ kind: 'error' }]);
    }
  });
});

describe('frames of watches', () => {
  const link = '[3G*8800000015*0002*LK]';

  it('[R4.03] are found after nonsense, after a frame without its end, and with a wrong length', () => {
    const wrong = `[3G*8800000015*0099*UD,${PLACE}]`;
    const sent = bytes(`xyz${link}[3G*8800000015*00CD*UD,0403${link}\r\n${wrong}${link}`);
    for (const size of [1, 7, 5000]) {
      const { frames, garbage } = framesOf(stream, sent, size);
      expect(frames.map(({ length }) => length)).toEqual([23, 23, 1, 1, wrong.length, 23]);
      expect(garbage).toBe(3 + '[3G*8800000015*00CD*UD,0403'.length);
    }
  });

  it('[R4.03] are read without their bracket if all of their content is there', () => {
    const content = `UD,${PLACE}`;
    const open = frameOf('8800000015', content).subarray(0, -1);
    const link = frameOf('8800000015', 'LK');
    for (const between of ['', '\r\n']) {
      const sent = join([open, bytes(between), link]);
      for (const size of [1, 7, sent.length]) {
        const { frames, garbage } = framesOf(stream, sent, size);
        expect(garbage).toBe(0);
        expect(decodeBytes(frames[0]!)).toEqual(said(content));
        expect(frames.at(-1)).toEqual(link);
      }
    }
  });

  it('[R4.03] may have letters in the number of the watch', () => {
    const frame = frameOf('YQ32109876', 'LK,50,100,80');
    expect(stream.nextFrame(frame)).toEqual({ status: 'frame', end: frame.length });
    expect(decodeBytes(frame).messages).toEqual([
      { kind: 'login', imei: 'YQ32109876' },
      { kind: 'heartbeat', attributes: { steps: 50, batteryLevel: 80 } },
    ]);
  });

  it('[R4.03] may have a bracket in the name of a station', () => {
    const named = frameOf('8800000015', `UD,${PLACE.replace('Depot', 'Depot [5G] #2')}`);
    expect(framesOf(stream, join([named, bytes(link)]), 5000).frames).toEqual([named, bytes(link)]);
  });
});

describe('what watches are sent', () => {
  it('[R4.03] has the length in hexadecimal, and another maker if the command begins with one', () => {
    expect(textOf(encodeCommand('UPLOAD,600', 7, '8800000015'))).toBe('[3G*8800000015*000A*UPLOAD,600]');
    expect(textOf(encodeCommand('SG*CR', 7, '8800000015'))).toBe('[SG*8800000015*0002*CR]');
  });

  it('[R4.03] has a message as hexadecimal characters', () => {
    const message = protocols.watch.commands.find(({ command }) => command === 'message');
    expect(message?.text({ text: '11a' })).toBe('MESSAGE,003100310061');
  });
});

describe('round trips of watches', () => {
  const cells = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 1, max: 2 ** 28 }), fc.nat(160)), {
      minLength: 1,
      maxLength: 7,
    })
    .map(list => list.map(([area, cell, signal]) => `310-260-${area}-${cell}:${signal}`).join(' '));
  const byte = fc.nat(255).map(value => value.toString(16).padStart(2, '0'));
  const wifi = fc
    .array(fc.tuple(fc.array(byte, { minLength: 6, maxLength: 6 }), fc.integer({ min: -99, max: -1 })), {
      minLength: 1,
      maxLength: 5,
    })
    .map(list => list.map(([address, signal]) => `${address.join(':')}:${signal}`).join(' '));
  const attributes = fc.record(
    { cells, wifi, accuracy: fc.integer({ min: 1, max: 9999 }).map(value => value / 10), movement: fc.constant(false) },
    { requiredKeys: [] },
  );
  const levels = fc.record({ batteryLevel: fc.nat(100), signal: fc.nat(100), steps: fc.nat(99_999) });
  const position = fc
    .record({
      fix: fixes({ steps: 1_000_000, speed: 'km/h', to: Date.UTC(2069) }),
      altitude: fc.integer({ min: -400, max: 9000 }).map(metres),
      satellites: fc.nat(40),
      event: orNull(fc.constantFrom(...ALARMS.map(([, event]) => event).filter(event => event !== 'alarm'))),
      attributes,
      levels,
    })
    .filter(({ fix }) => fix.lat !== 0 || fix.lon !== 0)
    .map(
      ({ fix, levels: known, attributes: more, ...rest }): PositionMessage => ({
        ...fix,
        ...rest,
        attributes: { ...known, ...more },
      }),
    );

  it('[R4.03] bring back every report', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(\d{10}|\d{15})$/), position, (imei, sent) => {
        const frame = encodeReport(imei, sent);
        expect(stream.nextFrame(frame)).toEqual({ status: 'frame', end: frame.length });
        const [who, decoded] = decodeBytes(frame).messages;
        expect(who).toEqual({ kind: 'login', imei });
        const { lat, lon, speed, attributes: found, ...others } = decoded as PositionMessage;
        const { lat: sentLat, lon: sentLon, speed: sentSpeed, attributes: given, ...expected } = sent;
        expect(others).toEqual(expected);
        expect(found).toMatchObject(given);
        expect([lat, lon, speed]).toEqual([
          expect.closeTo(sentLat, 6),
          expect.closeTo(sentLon, 6),
          expect.closeTo(sentSpeed!, 2),
        ]);
      }),
    );
  });

  it('[R4.03] bring back a link', () => {
    expect(decodeBytes(encodeLink('8800000015')).messages[1]).toMatchObject({ kind: 'heartbeat' });
  });
});
