import { celsius, degrees, epochMs, fromKnots } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protocols } from '../index.ts';
import type { DecodedMessage, PositionMessage, Session } from '../protocol.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf, join } from '../testing/stream.ts';
import { totem } from './decode.ts';
import { encodeReport, sealed, sealedSeries } from './encode.ts';
import { explain } from './explain.ts';

const IMEI = '352093081452251';
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);
const SESSION: Session = { imei: null, receivedAt: epochMs(TIME + 9000) };
const decode = (frame: Uint8Array) => totem.decode(frame, SESSION).messages;
const bytesOf = (text: string) => Uint8Array.from(text, character => character.charCodeAt(0));
const readOf = (content: string): DecodedMessage | undefined => decode(sealed(`${IMEI}|${content}|`))[1];

const PLACE = '$GPRMC,050607.000,A,4152.7347,N,08737.8005,W,29.16,271.00,040326,,,A*40';
const REST = '02.3|01.3|02.0|000010010000|20260304050607|14251305|00050000|25337621';

/** Its checksums are computed by us. */
const REPORT = join([
  annotatedText(`
  $$                    | start
  C4                    | 196 characters
  352093081452251\\|     | IMEI
  11                    | over speed
  $GPRMC,               | NMEA sentence
  050607.000,           | time
  A,                    | valid
  4152.7347,N,          | latitude
  08737.8005,W,         | longitude
  29.16,                | knots
  271.00,               | course
  040326,,,A            | 2026-03-04
  *40\\|                 | checksum of the sentence
  02.3\\|                | PDOP
  01.3\\|                | HDOP
  02.0\\|                | VDOP
  000010010000\\|        | inputs 1 and 4 are on
  20260304050607\\|      | clock
  14251305\\|            | charges, battery 4.25 V, input 13.05 V
  00051251\\|            | analog inputs 0.05 V and 12.51 V
  25337621\\|            | area 0x2533, cell 0x7621
  -045\\|                | -4.5 °C
  0.7614\\|              | odometer
  0080\\|                | serial number
  0A1B2C3D4E\\|          | card
  7412                  | checksum
`),
  bytesOf('\r\n'),
]);

describe('Totem and AVL', () => {
  it('reads a report with GPRMC and the fields behind it', () => {
    expect(decode(REPORT)).toEqual([
      { kind: 'login', imei: IMEI },
      {
        kind: 'position',
        time: TIME,
        valid: true,
        lat: 41 + 52.7347 / 60,
        lon: -(87 + 37.8005 / 60),
        speed: fromKnots(29.16),
        course: 271,
        altitude: null,
        satellites: null,
        hdop: 1.3,
        ignition: null,
        odometer: null,
        fuel: null,
        temperature: -4.5,
        gsm: null,
        event: 'overspeed',
        rfid: '0A1B2C3D4E',
        attributes: {
          input1: true,
          input2: false,
          input3: false,
          input4: true,
          output1: false,
          output2: false,
          output3: false,
          output4: false,
          charging: true,
          batteryVoltage: 4.25,
          externalVoltage: 13.05,
          analogInput1: 0.05,
          analogInput2: 12.51,
          areaCode: 0x2533,
          cellId: 0x7621,
        },
      },
    ]);
    expect(totem.decode(REPORT, SESSION).acknowledgement).toBeNull();
    const wrong = REPORT.with(30, 0x39);
    expect(decode(wrong)).toEqual([{ kind: 'error', code: 'bad-checksum', at: REPORT.length - 6 }]);
  });

  it.each([
    ['AVL02, without odometer', `${REST}|0345|2280`, { temperature: 34.5, attributes: { cellId: 0x7621 } }],
    ['AVL05', '02.0|01.2|01.6|000000001010|20090918102156|14181353|00000000|279311AA|0000|0.7614|0080', { hdop: 1.2 }],
    [
      'AVL201, without ADC',
      '02.5|02.3|01.0|000000000000|20100714055605|03780000|25337837|0000|0.0000|0205',
      {
        attributes: { charging: false, batteryVoltage: 3.78, cellId: 0x7837 },
      },
    ],
    [
      'a long cell',
      '01.7|00.8|01.4|000000000000|20150820044704|14291265|00000000|4EECBF8B31|0000|0.0000|0002|00000',
      {
        rfid: null,
        attributes: { areaCode: 0x4eec, cellId: 0xbf8b31 },
      },
    ],
    ['an empty card', `${REST}|1234|0.0000|0001|`, { temperature: 123.4, rfid: null }],
    ['no fields at all', '', { hdop: null, attributes: {} }],
  ])('reads the fields of %s', (_, rest, expected) => {
    expect(readOf(`AA${PLACE}|${rest}`)).toMatchObject({ kind: 'position', time: TIME, event: null, ...expected });
  });

  it('makes a status of a report without a fix, and a heartbeat of 88', () => {
    const zeros = '0'.repeat(60);
    expect(readOf(`01${zeros}|${REST}|0000|0007`)).toMatchObject({
      kind: 'status',
      time: TIME,
      event: 'sos',
      attributes: { noFix: 'fix', batteryVoltage: 4.25 },
    });
    const unset = 'AA$GPRMC,000000.00,V,0000.0000,N,00000.0000,E,000.0,000.0,000000,,,A*73|00.0|00.0|00.0';
    expect(readOf(`${unset}|000000001000|20000000000000|13790000`)).toMatchObject({
      kind: 'status',
      time: null,
      attributes: { noFix: 'fix', output1: true },
    });
    expect(readOf(`88${zeros}|${REST}`)).toMatchObject({ kind: 'heartbeat', attributes: { input1: true } });
    const bad = `AA${PLACE.replace('040326', '310226')}|${REST}`;
    expect(protocols.totem.stream?.decode(sealed(`${IMEI}|${bad}|`), SESSION).messages[1]).toMatchObject({
      kind: 'status',
      attributes: { noFix: 'time' },
    });
    expect(readOf(`AA${PLACE.replace(',A,', ',V,')}|${REST}`)).toMatchObject({ kind: 'position', valid: false });
  });

  it('says what an alarm is, or its number', () => {
    expect(readOf(`50${PLACE}|${REST}`)).toMatchObject({ event: null, attributes: { reportType: 'input 1 closed' } });
    expect(readOf(`0F${PLACE}|${REST}`)).toMatchObject({ event: 'alarm', attributes: { alarmCode: '0F' } });
  });

  it('reads the form with bars, whose checksum is in no document, if its length is right', () => {
    const text = `$$8B${IMEI}|AA040326050607|A|4152.7347|N|08737.8005|W|29.160|271|8.70|100000001000|13811|00000000|253162F5|00000000|0.0000|0014|2B16`;
    const right = text.replace('8B', text.length.toString(16).toUpperCase());
    expect(decode(bytesOf(`${right}\r\n`))[1]).toMatchObject({
      kind: 'position',
      time: TIME,
      valid: true,
      hdop: 8.7,
      course: 271,
      attributes: { output1: true, charging: true, batteryVoltage: 3.81 },
    });
    expect(decode(bytesOf(right.replace('|N|', '|N||')))).toMatchObject([{ kind: 'error', code: 'bad-checksum' }]);
  });

  it('reads the AT series: one string without separators, from its end', () => {
    const frame = annotatedText(`
      $$               | start
      0108             | 108 characters
      AA               | by time
      352093081452251\\| | IMEI
      50044000         | vehicle status
      260304050607     | 2026-03-04 05:06:07 UTC
      42               | battery 4.2 V
      12               | 12 V
      000052093852     | values of the model
      11               | satellites
      29               | signal
      271              | course
      054              | 54 km/h
      00.7             | HDOP
      0000213          | odometer
      4152.7347N       | latitude
      08737.8005W      | longitude
      0485             | serial number
      46               | checksum
    `);
    expect(decode(frame)).toMatchObject([
      { kind: 'login', imei: IMEI },
      {
        kind: 'position',
        time: TIME,
        valid: true,
        satellites: 11,
        gsm: 29,
        course: 271,
        speed: 15,
        hdop: 0.7,
        event: null,
        attributes: {
          vehicleStatus: '50044000',
          batteryVoltage: 4.2,
          externalVoltage: 12,
          data: '4212000052093852',
        },
      },
    ]);
    expect(decode(frame.with(30, 0x39))).toMatchObject([{ kind: 'error', code: 'bad-checksum', at: 106 }]);
    const none = '1A0000001401010101014111000027BA0E57003100000000.000000000000.0000N00000.0000E0481';
    expect(decode(sealedSeries('02', IMEI, none))[1]).toMatchObject({
      kind: 'status',
      event: 'alarm',
      attributes: { noFix: 'fix', alarmCode: '02', satellites: 0 },
    });
    const other = '50044000260304050607421200AB4152.73470N08737.80050W25.5,1';
    expect(decode(sealedSeries('AA', IMEI, other))[1]).toMatchObject({
      kind: 'position',
      time: TIME,
      speed: null,
      event: null,
      attributes: { vehicleStatus: '50044000', data: '421200AB|25.5,1' },
    });
    expect(decode(sealedSeries('E2', IMEI, 'nothing known'))[1]).toMatchObject({
      kind: 'status',
      attributes: { unread: 'unknown-type', messageType: 'E2', data: 'nothing known' },
    });
    const bus = '260304050607,-87.630008,41.878912,$Cloud,1738,621,730,12100,0,0,255,|';
    expect(decode(sealedSeries('E5', IMEI, bus))[1]).toMatchObject({
      kind: 'position',
      time: TIME,
      lat: 41.878912,
      lon: -87.630008,
      attributes: { data: '1738,621,730,12100,0,0,255' },
    });
  });

  it('finds frames with and without a line end, and after one that was cut off', () => {
    const at = sealedSeries('E5', IMEI, '260304050607,-87.63,41.87,$Cloud,1,');
    const stream = join([REPORT, at, at, bytesOf('\r\n'), bytesOf('x'), REPORT.subarray(0, 50), REPORT]);
    for (const size of [1, 11, 900]) {
      const { frames, garbage } = framesOf(totem, stream, size);
      const kept = frames.filter(frame => frame.length > 1).map(frame => frame.length);
      expect(kept).toEqual([REPORT.length, at.length, at.length, 50, REPORT.length]);
      expect(garbage).toBe(1);
    }
  });

  it('explains both forms', () => {
    const shown = (frame: Uint8Array) => explain(frame).map(({ name, value }) => `${name}: ${value}`);
    expect(shown(REPORT)).toContain('alarm: 11 over speed');
    expect(shown(REPORT)).toContain('latitude: 41.878912');
    expect(shown(REPORT)).toContain('checksum: right');
    expect(shown(sealedSeries('AA', IMEI, '50044000260304050607424152.73470N08737.80050W25'))).toContain(
      'latitude: 41.878912',
    );
    expect(shown(sealedSeries('E5', IMEI, '260304050607,-87.63,41.87,$Cloud,1,'))).toContain('checksum: right');
  });
});

const position = fc
  .record({
    fix: fixes({ steps: 600_000, speed: 'knots', to: Date.UTC(2069, 0) }).filter(
      ({ lat, lon }) => lat !== 0 || lon !== 0,
    ),
    event: orNull(fc.constantFrom('sos', 'batteryLow', 'geofenceExit')),
    tenths: orNull(fc.integer({ min: -500, max: 850 }).filter(value => value !== 0)),
    dop: orNull(fc.integer({ min: 1, max: 990 })),
    rfid: orNull(fc.stringMatching(/^[0-9A-F]{9}[1-9A-F]$/)),
    battery: fc.integer({ min: 0, max: 999 }),
    supply: fc.integer({ min: 0, max: 9999 }),
    charging: fc.boolean(),
    cell: fc.integer({ min: 1, max: 0xffff }),
  })
  .map(
    ({ fix, event, tenths, dop, rfid, battery, supply, charging, cell }): PositionMessage => ({
      ...fix,
      event,
      rfid,
      hdop: dop === null ? null : dop / 10,
      temperature: tenths === null ? null : celsius(tenths / 10),
      attributes: {
        input1: true,
        input2: false,
        input3: false,
        input4: false,
        output1: false,
        output2: true,
        output3: false,
        output4: false,
        charging,
        batteryVoltage: battery / 100,
        externalVoltage: supply / 100,
        analogInput1: 0,
        analogInput2: 0,
        areaCode: 0x2533,
        cellId: cell,
      },
    }),
  );

it('reports survive a round trip', () => {
  fc.assert(
    fc.property(position, fc.integer({ min: 1, max: 9999 }), (sent, serial) => {
      const [who, got] = decode(encodeReport(IMEI, sent, serial));
      const { lat, lon, speed, ...expected } = sent;
      expect(who).toEqual({ kind: 'login', imei: IMEI });
      if (got?.kind !== 'position') throw new Error('no position');
      expect({ ...got, lat: degrees(0), lon: degrees(0), speed: null }).toEqual({
        ...expected,
        lat: degrees(0),
        lon: degrees(0),
        speed: null,
      });
      expect(got.lat).toBeCloseTo(lat, 8);
      expect(got.lon).toBeCloseTo(lon, 8);
      expect(got.speed).toBeCloseTo(speed ?? 0, 6);
    }),
    { numRuns: 200 },
  );
});
