import { metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SESSION } from '../fuzz-checks.ts';
import { protocols } from '../index.ts';
import { gprmcText } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf, join } from '../testing/stream.ts';
import { encodeReport, sealed } from './encode.ts';
import { EVENTS } from './words.ts';

const stream = protocols.xexun.stream!;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const decodeBytes = (frame: Uint8Array) => stream.decode(frame, SESSION);
const decode = (text: string) => decodeBytes(bytes(text));
const textOf = (frame: Uint8Array): string => new TextDecoder().decode(frame);

/** Made by us. */
const REPORT = annotatedText(`
  260304000607,        | serial number: the tracker's local time
  13125550123,         | authorized number
  GPRMC,               | sentence of NMEA 0183
  050607.000,          | 05:06:07 UTC
  A,                   | valid
  4152.6860,N,         | 41° 52.6860'
  08737.7880,W,        | 87° 37.7880'
  27.00,               | knots
  271.50,              | course
  040326,              | March 4, 2026
  ,,                   | no magnetic variation
  A*49,                | mode, exclusive or of what is between GPRMC and the asterisk
  F,                   | full GPS signal
  help me,             | event
  imei:352093081452251, | IMEI
  05,                  | satellites
  181.0,               | m above the sea
  F:4.11V,             | battery
  1,                   | charging
  146,                 | characters before this field
  19738,               | CRC of all of it up to here
  310,26,              | country and network
  1F90,2B67            | area and cell, in hexadecimal
`);
const LINE = join([REPORT, bytes('\r\n')]);

const POSITION = {
  kind: 'position',
  time: Date.UTC(2026, 2, 4, 5, 6, 7),
  valid: true,
  lat: 41 + 52.686 / 60,
  lon: -(87 + 37.788 / 60),
  speed: expect.closeTo(13.89, 2),
  course: 271.5,
  altitude: 181,
  satellites: 5,
  event: 'sos',
  attributes: { batteryVoltage: 4.11, charging: true, cell: '310-26-8080-11111' },
};

describe('Xexun', () => {
  it('[R4.03] reads a report, which needs no answer', () => {
    const { messages, acknowledgement } = decodeBytes(LINE);
    expect(messages).toMatchObject([{ kind: 'login', imei: '352093081452251' }, POSITION]);
    expect(acknowledgement).toBeNull();
  });

  it('[R4.03] refuses a report whose checksum is wrong, and reads one whose start is missing', () => {
    const text = textOf(LINE);
    for (const damaged of [text.replace('4152', '4153'), text.replace('19738', '19739')]) {
      expect(decode(damaged).messages).toMatchObject([{ kind: 'error', code: 'bad-checksum' }]);
    }
    expect(decode(`xyz${text}`).messages[1]).toMatchObject(POSITION);
    expect(decode(text.slice(13)).messages[1]).toMatchObject(POSITION);
    expect(decode(text.replace('19738', '')).messages[1]).toMatchObject(POSITION);
  });

  it.each([
    [
      'the byte of an older tracker',
      'GPRMC,050607.000,A,4152.6860,N,08737.7880,W,27.00,271.50,040326,,,A*75,F,imei:352093081452251,101j',
    ],
    [
      'length and checksum only',
      '1,2,GPRMC,050607,A,4152.6860,N,08737.7880,W,27.00,271.50,040326,,,A*75,F,, imei:352093081452251,132,40512\r\n',
    ],
    [
      'nothing behind the IMEI',
      'GNRMC,050607.000,A,4152.6860,N,08737.7880,W,27.00,271.50,040326,00,0000.0,A*75,F,, imei:352093081452251,',
    ],
    [
      'no signal indicator',
      '1,2,GPRMC,050607,A,4152.686000,n,8737.788,w,27.00,271.50,040326,,,*75,,,imei:352093081452251,05,181\r\n',
    ],
  ])('[R4.03] reads a report with %s', (_, line) => {
    const [, message] = decode(line).messages;
    const { satellites, altitude, attributes, event, ...fix } = POSITION;
    expect(message).toMatchObject({ ...fix, event: null, satellites: null, altitude: null, attributes: {} });
  });

  it('[R4.03] takes a place without a signal for the last known one', () => {
    expect(decode(textOf(LINE).replace('A*49,F', 'A*49,L').replace(',19738,', ',,')).messages[1]).toMatchObject({
      kind: 'position',
      valid: false,
    });
  });

  it.each([
    ...EVENTS,
    ['HELP ME!', 'sos'],
    ['helpme', 'sos'],
    ['speed 080!', 'overspeed'],
    ['Door', 'alarm'],
    ['', null],
  ] as const)('[R4.03] reads %s as %s', (word, event) => {
    const [, message] = decode(textOf(LINE).replace('help me', word).replace(',19738,', ',,')).messages;
    expect(message).toMatchObject({ event });
    if (event === 'alarm') expect(message).toMatchObject({ attributes: { alarmCode: word } });
  });

  it.each([
    [',+13125550123,,L,, imei:352093081452251,,,F:4.28V,1,', 'fix'],
    ['260304000607,,GPRMC,,V,,,,,,,,,,N*53,L,, imei:352093081452251,00,,F:4.28V,1,', 'fix'],
    [
      '260304000607,,GPRMC,050607,A,0000.0000,N,00000.0000,E,0,0,040326,,,A*53,F,, imei:352093081452251,00,,F:4.28V,1,',
      'fix',
    ],
    [
      '260304000607,,GPRMC,050607,A,4160.0000,N,08737.7880,W,0,0,040326,,,A*53,F,, imei:352093081452251,00,,F:4.28V,1,',
      'latitude',
    ],
    [
      '260304000607,,GPRMC,050607,A,4152.6860,N,08737.7880,W,0,0,310226,,,A*53,F,, imei:352093081452251,00,,F:4.28V,1,',
      'time',
    ],
  ])('[R4.03] makes a report without a fix a status: %s', (text, noFix) => {
    const { messages } = decodeBytes(sealed(text, ',247,01,000E,1FC5'));
    const attributes = { noFix, batteryVoltage: 4.28, charging: true, cell: '247-1-14-8133' };
    expect(messages[1]).toMatchObject({ kind: 'status', attributes });
  });

  it.each([
    ['hemispheres in front', '050607.000,A,N,4152.6860,W,08737.7880,0,0,040326'],
    ['hemispheres at the numbers', '050607.000,A,4152.6860N,08737.7880W,0,0,040326'],
    ['degrees without minutes', '050607.000,A,41.8781,N,87.6298,W,0,0,040326'],
    ['more decimals', '050607.000,A,4152.6860000000,N,08737.788000000,W,0,0,040326'],
    ['numbers without zeros in front', '50607,A,4152.6860,N,08737.7880,W,0,0,40326'],
    ['a year of four digits', '050607.000,A,4152.6860,N,08737.7880,W,0,0,04032026'],
  ])('[R4.03] reads a place with %s', (_, sentence) => {
    const text = `260304000607,,GPRMC,${sentence},,,A*53,F,, imei:352093081452251,05,181,F:4.28V,1,`;
    expect(decodeBytes(sealed(text, '')).messages[1]).toMatchObject({
      kind: 'position',
      time: Date.UTC(2026, 2, 4, 5, 6, 7),
      lat: expect.closeTo(41.8781, 6),
      lon: expect.closeTo(-87.6298, 6),
    });
  });

  it('[R4.03] reads inputs in volts, and the charger', () => {
    const battery = 'F:4.01V/ADC1=0.20V/ADC2=12.05V,0';
    expect(decode(textOf(LINE).replace('F:4.11V,1', battery).replace(',19738,', ',,')).messages[1]).toMatchObject({
      attributes: { batteryVoltage: 4.01, analogInput1: 0.2, analogInput2: 12.05, charging: false },
    });
  });

  it('[R4.03] refuses a line without an IMEI', () => {
    for (const line of ['', 'GPRMC,050607,A\r\n', 'imei:12\r\n']) {
      expect(decode(line).messages).toMatchObject([{ kind: 'error', code: 'bad-field' }]);
    }
  });
});

describe('lines of Xexun trackers', () => {
  const older = bytes(
    '0711011832,+13125550123,GPRMC,050607.000,A,4152.6860,N,08737.7880,W,0.00,,040326,,,A*7E,F,imei:352093081452251,101j',
  );

  it('[R4.03] end at their line, at their byte, or where the next one begins', () => {
    const bare = older.subarray(0, -4);
    const parts = [LINE, older, older, bare, older, bare, LINE, older, bytes('\n'), bytes('\r'), LINE];
    for (const size of [1, 7, 5000]) {
      expect(framesOf(stream, join(parts), size)).toEqual({ frames: parts, garbage: 0 });
    }
  });

  it('[R4.03] are read several from a datagram', () => {
    const { messages } = protocols.xexun.datagram!.decodeDatagram(join([LINE, older]), SESSION.receivedAt);
    expect(messages.map(({ kind }) => kind)).toEqual(['login', 'position', 'position']);
  });
});

describe('round trips of Xexun', () => {
  const cell = fc
    .tuple(fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 1, max: 2 ** 28 }))
    .map(([area, number]) => `310-26-${area}-${number}`);
  const position = fc
    .record({
      fix: fixes({ steps: 600_000, speed: 'knots', to: Date.UTC(2069) }),
      altitude: fc.integer({ min: -400, max: 9000 }).map(metres),
      satellites: fc.nat(40),
      event: orNull(fc.constantFrom(...EVENTS.map(([, event]) => event))),
      attributes: fc.record(
        { batteryVoltage: fc.integer({ min: 300, max: 450 }).map(volts => volts / 100), charging: fc.boolean(), cell },
        { requiredKeys: ['batteryVoltage', 'charging'] },
      ),
    })
    .filter(({ fix }) => fix.lat !== 0 || fix.lon !== 0)
    .map(({ fix, ...rest }): PositionMessage => ({ ...fix, ...rest }));

  it('[R4.03] bring back every report', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{15}$/), position, (imei, sent) => {
        const frame = encodeReport(imei, sent);
        expect(stream.nextFrame(frame)).toEqual({ status: 'frame', end: frame.length });
        const [who, decoded] = decodeBytes(frame).messages;
        expect(who).toEqual({ kind: 'login', imei });
        const { lat, lon, speed, ...others } = decoded as PositionMessage;
        const { lat: sentLat, lon: sentLon, speed: sentSpeed, ...expected } = sent;
        expect(others).toEqual(expected);
        expect([lat, lon, speed]).toEqual([
          expect.closeTo(sentLat, 8),
          expect.closeTo(sentLon, 8),
          expect.closeTo(sentSpeed!, 2),
        ]);
        expect(gprmcText(sent)).toMatch(/^GPRMC,.*\*[0-9A-F]{2}$/);
      }),
    );
  });
});
