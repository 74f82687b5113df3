import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PositionMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { framesOf, join } from '../testing/stream.ts';
import { h02, h02Udp } from './decode.ts';
import { encodeCommand, encodeHeartbeat, encodeRecord, encodeReport } from './encode.ts';
import { ALARM_BITS, statusOf, statusWord } from './status.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (text: string) => h02.decode(bytes(text), SESSION).messages;

/** Made by us, field by field. */
const REPORT = [
  '*HQ', // maker
  '4109876543', // identity
  'V1', // report
  '050607', // 05:06:07 UTC
  'A', // valid
  '4152.6860', // 41° 52.6860'
  'N',
  '08737.7880', // 87° 37.7880'
  'W',
  '027.00', // knots
  '271', // course
  '040326', // March 4, 2026
  'FFFFFBFB', // ignition off (bit 10), overspeed (bit 2)
  '310', // country
  '260', // network
  '32936', // area
  '13641', // cell
  '3#', // battery, three of six bars
].join();

const PLACE = { kind: 'position', time: Date.UTC(2026, 2, 4, 5, 6, 7), valid: true, lat: 41.8781, lon: -87.6298 };

describe('H02', () => {
  it('reads a report, which needs no answer', () => {
    const { messages, acknowledgement } = h02.decode(bytes(REPORT), SESSION);
    expect(acknowledgement).toBeNull();
    expect(messages[0]).toEqual({ kind: 'login', imei: '4109876543' });
    expect(messages[1]).toMatchObject({
      ...PLACE,
      speed: 13.89,
      course: 271,
      ignition: false,
      event: 'overspeed',
      attributes: { status: 'FFFFFBFB', cell: '310-260-32936-13641', batteryLevel: 50 },
    });
  });

  describe("the maker's V6 and V8", () => {
    const head = REPORT.replace('V1', 'V8').replace(/,3#$/, '');
    const byte = fc.integer({ min: 0, max: 255 });
    const stations = fc.array(fc.record({ mac: fc.array(byte, { minLength: 6, maxLength: 6 }), signal: byte }), {
      maxLength: 3,
    });
    const signals = fc.record({
      stations,
      satellites: fc.integer({ min: 0, max: 40 }),
      gsm: fc.integer({ min: 0, max: 31 }),
      tenths: fc.integer({ min: 0, max: 360 }),
      level: fc.integer({ min: 0, max: 100 }),
    });
    const digits = (bytes: readonly number[]) => Buffer.from(bytes).toString('hex');

    it('[R4.03] have stations, satellites, signal, voltage and battery', () => {
      fc.assert(
        fc.property(signals, ({ stations, satellites, gsm, tenths, level }) => {
          const found = stations.filter(({ mac }) => mac.some(value => value > 0));
          const tail = [
            ...found.flatMap(({ mac, signal }) => [digits(mac), digits([signal])]),
            ...[satellites, gsm, tenths, level],
          ];
          const wifi = found.map(({ mac, signal }) => {
            const address = digits(mac).toUpperCase().match(/../g)?.join(':');
            return `${address}:${signal - 110}`;
          });
          const [, position] = decode(`${head},${tail.join()}#`);
          expect(position).toMatchObject({
            ...{ ...PLACE, satellites, gsm },
            attributes: { cell: '310-260-32936-13641', externalVoltage: tenths / 10, batteryLevel: level },
          });
          expect(position && 'attributes' in position && position.attributes?.wifi).toBe(
            wifi.length > 0 ? wifi.join(' ') : undefined,
          );
        }),
        { examples: [[{ stations: [], satellites: 5, gsm: 31, tenths: 122, level: 85 }]] },
      );
    });

    it.each([
      ['FFFFFFFD', 'sos'],
      ['FDFFFFFF', 'towing'],
      ['FFFDFFFF', 'vibration'],
      ['FFFFFFDF', 'batteryLow'],
      ['FFFFFFBF', 'batteryLow'],
      ['FFF7FFFF', null],
    ])('say with %s that there is %s', (word, event) => {
      expect(decode(`${head.replace('FFFFFBFB', word)},12,31,122,85#`)[1]).toMatchObject({ ...PLACE, event });
    });

    it('are confirmed with R12', () => {
      const received = { ...SESSION, receivedAt: epochMs(Date.UTC(2026, 2, 4, 6, 21, 8, 500)) };
      const answered = (text: string) => h02.decode(bytes(text), received).acknowledgement;
      expect(answered(`${head},12,31,122,85#`)).toEqual(bytes('*HQ,4109876543,R12,062108#'));
      expect(answered(`${head.replace('V8', 'V6')},89860446091891234567#`)).toEqual(
        bytes('*HQ,4109876543,R12,062108#'),
      );
      expect(answered(`${head.replace('V8', 'V1')}#`)).toBeNull();
    });
  });

  describe('of Protocol V1.0.3', () => {
    it('[R4.03] has the battery in percent and three towers behind the status word', () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 99 }), fc.constantFrom('V1', 'VI1', 'V2'), (level, keyword) => {
          const listed = `${String(level).padStart(2, '0')},3,310,260,32936,13641,32936,13642,0,0 #`;
          const [, position] = decode(REPORT.replace('V1', keyword).replace('310,260,32936,13641,3#', listed));
          expect(position).toMatchObject({
            ...PLACE,
            attributes: {
              batteryLevel: level === 99 ? 100 : level,
              cells: '310-260-32936-13641 310-260-32936-13642',
            },
          });
        }),
      );
    });

    it('[R4.03] reads the tower of a confirmation, whose area and cell alone are hexadecimal', () => {
      const answered = REPORT.replace('V1', 'V4,S20,80,130305').replace('310,260,32936,13641,3#', '310,000,80A8,3549#');
      expect(decode(answered)).toMatchObject([
        { kind: 'login' },
        { kind: 'reply', text: 'S20,80' },
        { ...PLACE, attributes: { cell: '310-0-32936-13641' } },
      ]);
    });

    it('has no battery level in a tower of zeros', () => {
      const [, position] = decode(REPORT.replace('310,260,32936,13641,3#', '0,0,0,0,6#'));
      expect(position).toMatchObject({ ...PLACE, attributes: { batteryLevel: 100 } });
      const [, without] = decode(REPORT.replace('310,260,32936,13641,3#', '0,0,0,0#'));
      expect(without && 'attributes' in without && without.attributes).not.toHaveProperty('batteryLevel');
    });

    it('reads a request for an address, whose number is no validity', () => {
      const asking = REPORT.replace('V1', 'VI1').replace(',A,', ',0,');
      const towers = '136,104,80A8,3549,90,  80A8-3549-10| 80A8-3549-7#';
      expect(decode(asking.replace('310,260,32936,13641,3#', towers))[1]).toMatchObject({
        ...PLACE,
        attributes: {
          cell: '310-260-32936-13641',
          cells: '310-260-32936-13641:10 310-260-32936-13641:7',
          batteryLevel: 90,
        },
      });
      expect(decode(asking.replace(',0,', ',V,'))[1]).toMatchObject({ ...PLACE, valid: false });
    });

    it.each([
      ['1', 'sos'],
      ['2', 'batteryLow'],
      ['3', 'alarm'],
    ])('reads alarm %s', (type, event) => {
      const alarm = REPORT.replace('V1', `ALRM,${type}`).replace('FFFFFBFB', 'FFFFFFFF').replace(',A,', ',0,');
      expect(decode(alarm.replace('310,260,32936,13641,3#', '90,  80A8-3549-10#'))[1]).toMatchObject({
        ...{ ...PLACE, event },
        attributes: { batteryLevel: 90 },
      });
      // V1.0.5 has the tower between the two, and bars between the neighbors.
      const listed = '136,104,80A8,3549,90,80A8-3549-10|80A8-354A-6#';
      expect(decode(alarm.replace('310,260,32936,13641,3#', listed))[1]).toMatchObject({
        ...{ ...PLACE, event },
        attributes: {
          batteryLevel: 90,
          cell: '310-260-32936-13641',
          cells: '310-260-32936-13641:10 310-260-32936-13642:6',
        },
      });
      expect(decode(`*HQ,4109876543,ALRM,${type},052825#`)[1]).toMatchObject({ kind: 'status', event });
    });

    it('[R4.03] reads what was recorded without a network, with the day of the month only', () => {
      const arrivals = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
      const ages = fc.array(fc.integer({ min: 0, max: 27 * 86_400 }), { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(arrivals, ages, (arrival, seconds) => {
          const times = seconds.map(age => Math.floor(arrival / 1000) * 1000 - age * 1000);
          const points = times.map(time => {
            const [, day = '', clock = ''] = /-(\d\d)T([\d:]{8})/.exec(new Date(time).toISOString()) ?? [];
            const moment = day + clock.replaceAll(':', '');
            return `A,4152.6860,N,08737.7880,W,27.00,271, ${moment},FFFFFBFB,136,104,80A8,3549`;
          });
          const segment = points.join(';');
          const frame = `*HQ,4109876543,BC,052825,${segment.length},${segment}#`;
          const session = { ...SESSION, receivedAt: epochMs(arrival) };
          expect(h02.decode(bytes(frame), session).messages.slice(1)).toMatchObject(
            times.map(time => ({
              ...{ ...PLACE, time, event: 'overspeed', speed: 13.89, course: 271 },
              attributes: { cell: '310-260-32936-13641' },
            })),
          );
        }),
      );
    });

    it('keeps the command in a confirmation without a time', () => {
      const [, reply, position] = decode(REPORT.replace('V1', 'V4,SF'));
      expect(reply).toEqual({ kind: 'reply', text: 'SF', reference: null });
      expect(position).toMatchObject(PLACE);
    });
  });

  it('reads a confirmation without a comma between the date and the status word', () => {
    const [, reply, position] = decode(
      REPORT.replace('V1', 'V4,S20,OK,050600').replace('040326,FFFFFBFB', '040326F7FFBBFF'),
    );
    expect(reply).toMatchObject({ kind: 'reply', text: 'S20,OK' });
    expect(position).toMatchObject({ ...PLACE, attributes: { engineCut: true, cell: '310-260-32936-13641' } });
  });

  it('reads a V3 that asks for an address as a report, and one with towers as towers', () => {
    const asking = REPORT.replace('V1', 'V3').replace(',3#', '#');
    expect(decode(asking)[1]).toMatchObject({ ...PLACE, attributes: { cell: '310-260-32936-13641' } });
    expect(decode('*HQ,4109876543,V3,050607,310260,1,32936,13641,31,0,040326,FFFFFBFF#')[1]).toMatchObject({
      kind: 'status',
      attributes: { cells: '310-260-32936-13641:31' },
    });
  });

  describe('[R4.03] of the G20LS', () => {
    it.each([
      ['a time', '050607,', Date.UTC(2026, 2, 4, 5, 6, 7)],
      ['no time', '', null],
    ])('stations with %s', (_, clock, time) => {
      const stations = '1C20DB8DD78077,1c20db8dd78165';
      expect(decode(`*HQ,135790246811220,V5,${clock}2,${stations},0256,040326,FFFBFBFF#`)[1]).toEqual({
        kind: 'status',
        time,
        event: 'tamper',
        attributes: { wifi: '1C:20:DB:8D:D7:80 1C:20:DB:8D:D7:81', status: 'FFFBFBFF' },
      });
    });

    it('no station, vibration', () => {
      expect(decode('*HQ,135790246811220,V5,050607,0,0256,040326,FFFFF3FF#')[1]).toMatchObject({
        kind: 'status',
        event: 'vibration',
        attributes: { status: 'FFFFF3FF' },
      });
    });

    it('a V5 with a fix, and the SIM', () => {
      expect(decode(REPORT.replace('V1', 'V5'))[1]).toMatchObject(PLACE);
      expect(decode(REPORT.replace('V1', 'V5').replace(',A,', ',0,'))[1]).toMatchObject({ ...PLACE, valid: false });
      expect(decode('*HQ,135790246811220,ICCID,89860121801609042193#')[1]).toMatchObject({
        kind: 'status',
        attributes: { iccid: '89860121801609042193' },
      });
    });

    it('towers with a comma between country and network', () => {
      expect(decode('*HQ,4109876543,V3,050607,310,260,1,32936,13641,31,0,0256,0,X,040326,FFFFFBFF#')[1]).toMatchObject({
        attributes: { cells: '310-260-32936-13641:31' },
      });
    });
  });

  it('reads the mileage in the answer to S32', () => {
    const answer = REPORT.replace('V1', 'V4,S32,0000130502.35,050600');
    expect(decode(answer).slice(1)).toMatchObject([
      { kind: 'reply', text: 'S32,0000130502.35' },
      { ...PLACE, odometer: expect.closeTo(67_136.2, 1) },
    ]);
    expect(decode(answer.replace('S32', 'S14'))[2]).toMatchObject({ ...PLACE, odometer: null });
  });

  describe('a record that begins with X', () => {
    const signedIn: Session = { ...SESSION, imei: '352093081452251' };
    const mileage = fc.integer({ min: 0, max: 9_999_999_999 });
    const withMileage = (driven: number, position: PositionMessage): Uint8Array => {
      const record = Uint8Array.from(encodeRecord('4109876543', position));
      record.set([0x58, ...Buffer.from(String(driven).padStart(10, '0'), 'hex')]);
      record[16] = 0x31;
      return record;
    };
    const places = fixes({ steps: 600_000, speed: 'knots', to: Date.UTC(2069, 0) });

    it('[R4.03] has the mileage in the place of the identity', () => {
      fc.assert(
        fc.property(mileage, places, (driven, position) => {
          const record = withMileage(driven, position);
          expect(h02.decode(record, signedIn).messages).toMatchObject([
            {
              kind: 'position',
              time: position.time,
              valid: position.valid,
              lat: expect.closeTo(position.lat, 5),
              lon: expect.closeTo(position.lon, 5),
              odometer: expect.closeTo((driven * 1852) / 3600, 3),
            },
          ]);
        }),
      );
    });

    it('[R4.03] is found among others, however they arrive', () => {
      fc.assert(
        fc.property(mileage, places, fc.integer({ min: 1, max: 70 }), (driven, position, size) => {
          const frames = [
            bytes(REPORT),
            withMileage(driven, position),
            withMileage(driven + 1, position),
            encodeRecord('4109876543', position),
            withMileage(driven, position),
          ];
          expect(framesOf(h02, join(frames), size)).toEqual({ frames, garbage: 0 });
        }),
        { numRuns: 50 },
      );
    });

    it('belongs to nobody on a connection without a tracker', () => {
      const [position] = fc.sample(places, 1);
      const record = withMileage(1, position as PositionMessage);
      expect(h02.decode(record, SESSION).messages).toMatchObject([{ kind: 'error', code: 'not-signed-in' }]);
    });
  });

  it.each([
    ['fff271', { speed: null, course: 271 }],
    ['027fff', { speed: expect.closeTo(13.89, 2), course: null }],
    ['ffffff', { speed: null, course: null }],
  ])('[R4.03] reads a binary record whose speed and course are %s', (motion, values) => {
    const record = annotated(`24 4109876543 050607 040326 41526860 06 0873778806 ${motion} fffffbff ff0000 |`);
    expect(h02.decode(record, SESSION).messages[1]).toMatchObject({ ...PLACE, ...values, valid: true });
  });

  it('reads the binary record', () => {
    const record = annotated(`
      24           | start
      4109876543   | identity
      050607       | 05:06:07 UTC
      040326       | 4 March 2026
      41526860     | 41° 52.6860'
      06           | battery, six of six bars
      087377880 6  | 87° 37.7880'; north and valid, not east
      027 271      | knots, course
      fffffbff     | ignition off
      ff 001406    | not read
      00000000     | not read
      0136 04      | country 310, network 4
      81fe 066d    | area 33278, cell 1645
      0a           | counter
    `);
    expect(h02.nextFrame(record)).toEqual({ status: 'frame', end: 45 });
    const { messages } = h02.decode(record, SESSION);
    expect(messages[0]).toEqual({ kind: 'login', imei: '4109876543' });
    expect(messages[1]).toMatchObject({
      ...PLACE,
      speed: 13.89,
      course: 271,
      ignition: false,
      event: null,
      attributes: { batteryLevel: 100, cell: '310-4-33278-1645' },
    });
  });

  it('reads a confirmation with the report after it', () => {
    const messages = decode(
      '*TH,2020916012,V4,S17,130305,050316,A,2212.8745,N,11346.6574,E,14.28,028,220902,FFFFFBFF#',
    );
    expect(messages[1]).toEqual({ kind: 'reply', text: 'S17', reference: 13 * 3600 + 3 * 60 + 5 });
    expect(messages[2]).toMatchObject({ kind: 'position', lon: 113 + 46.6574 / 60 });
  });

  it('keeps cell towers, heartbeats and other keywords', () => {
    expect(decode('*HQ,4109876543,NBR,103732,722,310,0,2,8106,32010,23,8101,22007,25,100217,FFFFFBFF,3#')[1]).toEqual({
      kind: 'status',
      time: Date.UTC(2017, 1, 10, 10, 37, 32),
      event: null,
      attributes: { cells: '722-310-8106-32010:23 722-310-8101-22007:25', status: 'FFFFFBFF', batteryLevel: 50 },
    });
    expect(decode('*HQ,4109876543,LINK,112137,20,8,67,5,0,081116,FFFFFBFF#')[1]).toMatchObject({
      attributes: { gsm: 20, satellites: 8, batteryLevel: 67, steps: 5 },
    });
    expect(
      decode('*HQ,4109876543,V1,000000,V,0.0000,0,0.0000,0,0.00,0.00,000000,FFFFFFFF,f0,a,11a0,c0c6#')[1],
    ).toMatchObject({
      kind: 'status',
      attributes: { cell: '240-10-4512-49350' },
    });
    expect(decode('*HQ,4109876543,ZZ,1#')[1]).toMatchObject({ attributes: { text: 'ZZ,1' } });
    expect(decode('*HQ,4109876543#')).toEqual([{ kind: 'login', imei: '4109876543' }]);
  });

  it.each(['V5', 'V8', 'V0', 'ALARM'])('reads a report under %s', keyword => {
    expect(decode(REPORT.replace(',V1,', `,${keyword},`))[1]).toMatchObject({ ...PLACE, event: 'overspeed' });
  });

  it('reads ALRM as an alarm, whether or not the status word has one', () => {
    expect(decode(REPORT.replace(',V1,', ',ALRM,'))[1]).toMatchObject({ ...PLACE, event: 'overspeed' });
    const unnamed = REPORT.replace(',V1,', ',ALRM,3,').replace('FFFFFBFB', 'FFFFFFFF');
    expect(decode(unnamed)[1]).toMatchObject({ ...PLACE, event: 'alarm' });
    expect(decode('*HQ,4109876543,ALRM,3#')[1]).toMatchObject({ kind: 'status', event: 'alarm' });
  });

  it('takes a fix of BeiDou for a valid one, and small letters for capitals', () => {
    const small = REPORT.replace('V1', 'v1').replace(',N,', ',n,').replace(',W,', ',w,');
    for (const flag of ['B', 'a']) {
      expect(decode(small.replace(',A,', `,${flag},`))[1]).toMatchObject(PLACE);
    }
  });

  it('reads the examples of Cantrack, with a space beside the status word', () => {
    const fix = 'A,2240.55503,N,11358.35174,E,0.85,0,100815';
    const [, , report] = decode(`*HQ,865205030330012,V4,S2,150950,151007,${fix}, FFFFFBFF #`);
    expect(report).toMatchObject({
      kind: 'position',
      time: Date.UTC(2015, 7, 10, 15, 10, 7),
      lat: expect.closeTo(22.675917, 6),
      lon: expect.closeTo(113.972529, 6),
      ignition: false,
      attributes: { status: 'FFFFFBFF' },
    });
  });

  it.each(['*HQ,135790246811220,V0#', '*HQ,135790246811220,HTBT,100#'])('sends %s back, as its maker asks', frame => {
    const { messages, acknowledgement } = h02.decode(bytes(frame), SESSION);
    expect(messages[1]).toMatchObject({ kind: 'heartbeat' });
    expect(new TextDecoder().decode(acknowledgement ?? undefined)).toBe(frame);
  });

  it.each(['0', '', 'V'])('takes a place that “%s” stands before for an invalid fix', flag => {
    expect(decode(REPORT.replace(',A,', `,${flag},`))[1]).toMatchObject({ ...PLACE, valid: false });
  });

  it('reads a report whose angles have no decimal point, without false values', () => {
    const text = REPORT.replace('4152.6860', '41526860')
      .replace('08737.7880', '087377880')
      .replace('FFFFFBFB', 'FFFFFFFF');
    const [, message] = decode(text);
    expect(message).toMatchObject({ ...PLACE, event: null, ignition: true });
    expect(message).not.toHaveProperty('attributes.engineCut');
  });

  it('does not read an unreadable angle as a status word', () => {
    expect(decode('*HQ,4109876543,V1,050607,A,99526860,X,087377880,W,027.00,271,040326,FFFFFFFF#')[1]).toEqual({
      kind: 'status',
      time: null,
      event: null,
      attributes: { noFix: 'fix', ignition: true, status: 'FFFFFFFF' },
    });
  });

  it.each([
    ['a time that no clock has', '240060', '040326', 'time'],
    ['a date that no calendar has', '050607', '320326', 'time'],
  ])('[R4.03] makes a report with %s a status with its reason', (_, clock, date, noFix) => {
    const [, message] = decode(REPORT.replace('050607', clock).replace('040326', date));
    expect(message).toMatchObject({ kind: 'status', attributes: { noFix, status: 'FFFFFBFB' } });
  });

  it.each([
    ['the clock as a number', '50607', '040326'],
    ['the date as a number', '050607', '40326'],
    ['a date of single digits', '050607', '4/3/26'],
  ])('reads %s', (_, clock, date) => {
    expect(decode(REPORT.replace('050607', clock).replace('040326', date))[1]).toMatchObject(PLACE);
  });

  it('reads a position without a time, on its day, and one without a date', () => {
    const receivedAt = epochMs(Date.UTC(2026, 2, 4, 5, 6, 9));
    const decoded = (words: string) => h02.decode(bytes(words), { ...SESSION, receivedAt }).messages[1];
    const place = 'A,4152.6860,N,08737.7880,W,0.62,0.0';
    expect(decoded(`*hq,356327080425330,VP1,${place},040326#`)).toMatchObject({ ...PLACE, time: receivedAt });
    expect(decoded(`*hq,356327080425330,VP1,${place},030326#`)).toMatchObject({
      time: Date.UTC(2026, 2, 3, 23, 59, 59, 999),
    });
    expect(decoded(`*HQ,4109876543,V1,050607,${place},,FFFFFBFF#`)).toMatchObject(PLACE);
    expect(decoded(`*HQ,4109876543,V1,235959,${place},,FFFFFBFF#`)).toMatchObject({
      time: Date.UTC(2026, 2, 3, 23, 59, 59),
    });
  });

  it.each(['*H,4109876543,V1#', '*HQ,410987654A,V1#'])('refuses %s', text => {
    expect(decode(text)).toMatchObject([{ kind: 'error', code: 'bad-field' }]);
  });

  it.each(['*HQ,4109876543,V1#', '*HQ,4109876543,V1,1,2#'])('keeps what it can’t read in %s', text => {
    expect(decode(text)).toMatchObject([
      { kind: 'login', imei: '4109876543' },
      { kind: 'status', attributes: { unread: 'bad-field', messageType: 'V1', data: text.slice(1, -1) } },
    ]);
  });

  it('finds text and binary in one stream, with and without line ends', () => {
    const record = encodeRecord('4109876543', fc.sample(fixes({ steps: 600_000, speed: 'knots' }), 1)[0]!);
    const stream = join([bytes(REPORT), bytes('\r\n'), record, bytes('*HQ,41098'), bytes(REPORT)]);
    for (const size of [1, 5, 2000]) {
      const { frames, garbage } = framesOf(h02, stream, size);
      expect(frames.map(({ length }) => length)).toEqual([REPORT.length, 1, 1, 32, REPORT.length]);
      expect(garbage).toBe(9);
    }
  });

  it('finds records that use all their bytes, and text that ends with its line', () => {
    const fix = (second: string, tail: string): Uint8Array =>
      annotated(`24 4109876543 0506${second} 040326 41526860 06 087377880 6 027271 fffffbff ${tail}`);
    const counted = ['01', '02', '03'].map(second => fix(second, `ff00${second}`));
    const withMileage = ['04', '05'].map(second => fix(second, 'ff001408 0000a123 0136 04 81fe 066d 0a'));
    const line = bytes(`${REPORT.slice(0, -1)}\r\n`);
    const stream = join([...counted, ...withMileage, ...counted.slice(1), line, line, bytes(REPORT)]);
    for (const size of [1, 32, 45, 2000]) {
      const { frames, garbage } = framesOf(h02, stream, size);
      expect(garbage).toBe(0);
      const messages = frames.flatMap(frame => h02.decode(frame, SESSION).messages);
      expect(messages.filter(({ kind }) => kind === 'position')).toHaveLength(counted.length * 2 + 4);
    }
  });

  it('loses no frame behind bytes that look like the start of one', () => {
    const record = annotated('24 4109876543 050607 040326 41526860 06 087377880 6 027271 fffffbff ff0000');
    for (const stray of [[0x2a], [0x2a, 0x01, 0x24], [0x2a, 0x48, 0x00], [0x2a, 0x2a]]) {
      const stream = join([Uint8Array.from(stray), record, Uint8Array.from(stray), bytes(REPORT)]);
      for (const size of [1, 33, 2000]) {
        const { frames, garbage } = framesOf(h02, stream, size);
        expect(garbage).toBe(stray.length * 2);
        expect(frames.map(({ length }) => length)).toEqual([record.length, REPORT.length]);
      }
    }
  });

  it.each(['20', '7f', 'ff'])('knows a short record with the count %s, which is no signal, by itself', count => {
    const record = annotated(`24 4109876543 050607 040326 41526860 06 087377880 6 027271 fffffbff ff00${count}`);
    expect(h02.nextFrame(record)).toEqual({ status: 'frame', end: record.length });
    expect(h02.decode(record, SESSION).messages[1]).toMatchObject(PLACE);
  });

  it('reads several reports in one frame', () => {
    const [maker, identity, , clock, ...rest] = REPORT.slice(0, -1).split(',');
    const earlier = rest.join().replace('FFFFFBFB', 'FFFFFFFF').replace(/,3$/, ',6');
    const messages = decode(`${maker},${identity},BC,2,050557,${earlier},${clock},${rest.join()}#`);
    expect(messages.slice(1)).toMatchObject([
      { ...PLACE, time: PLACE.time - 10_000, ignition: true, attributes: { batteryLevel: 100 } },
      { ...PLACE, ignition: false, event: 'overspeed', attributes: { batteryLevel: 50 } },
    ]);
  });

  it.each([
    ['05:06:07', '04/03/26'],
    ['050607', '20260304'],
    ['050607', '2026-03-04'],
  ])('reads the time %s %s', (clock, date) => {
    expect(decode(REPORT.replace('050607', clock).replace('040326', date))[1]).toMatchObject(PLACE);
  });

  it('reads decimal degrees', () => {
    const degrees = REPORT.replace('4152.6860', '41.878100').replace('08737.7880', '87.629800');
    expect(decode(degrees)[1]).toMatchObject(PLACE);
    // As minutes, this would be 1° 13.9'.
    expect(decode(degrees.replace('87.629800', '113.905462'))[1]).toMatchObject({ lon: -113.905462 });
  });

  it('reads a datagram', () => {
    expect(h02Udp.decodeDatagram(bytes(`${REPORT}\r\n`), SESSION.receivedAt).messages).toHaveLength(2);
  });

  it.each([
    ['S20,1,1', '*HQ,4109876543,S20,000042,1,1#'],
    ['R1', '*HQ,4109876543,R1,000042#'],
    ['*TH,000,S17,130305,60#', '*TH,000,S17,130305,60#'],
  ])('writes %s', (command, expected) => {
    expect(new TextDecoder().decode(encodeCommand(command, 42, '4109876543'))).toBe(expected);
  });
});

const events = [...new Set(ALARM_BITS.map(([, event]) => event))];
const position = fc
  .record({
    fix: fixes({ steps: 600_000, speed: 'knots' }),
    ignition: fc.boolean(),
    event: orNull(fc.constantFrom(...events)),
  })
  .map(({ fix, ignition, event }): PositionMessage => {
    const { attributes } = statusOf(statusWord(event, ignition));
    return { ...fix, ignition, event, attributes };
  });

function expectSame(decoded: unknown, sent: PositionMessage): void {
  const { lat, lon, speed, ...others } = decoded as PositionMessage;
  const { lat: sentLat, lon: sentLon, speed: sentSpeed, ...expected } = sent;
  expect(others).toEqual(expected);
  expect(lat).toBeCloseTo(sentLat, 9);
  expect(lon).toBeCloseTo(sentLon, 9);
  expect(speed).toBeCloseTo(sentSpeed!, 9);
}

describe('H02 round trip', () => {
  it('as text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(\d{10}|\d{15})$/), position, (imei, report) => {
        const [who, decoded] = h02.decode(encodeReport(imei, report), SESSION).messages;
        expect(who).toEqual({ kind: 'login', imei });
        expectSame(decoded, report);
      }),
    );
  });

  it('as a record', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{10}$/), position, (imei, report) => {
        const record = encodeRecord(imei, report);
        expect(h02.nextFrame(record)).toEqual({ status: 'frame', end: record.length });
        const [who, decoded] = h02.decode(record, SESSION).messages;
        expect(who).toEqual({ kind: 'login', imei });
        expectSame(decoded, report);
      }),
    );
  });

  it('as a heartbeat', () => {
    expect(h02.decode(encodeHeartbeat('4109876543', 87), SESSION).messages[1]).toEqual({
      kind: 'heartbeat',
      attributes: { batteryLevel: 87 },
    });
  });
});
