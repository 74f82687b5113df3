import { readFileSync } from 'node:fs';
import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCheck } from '../event/duty-event.ts';
import { fileText } from '../file-text.ts';
import type { LogEntry } from '../log/entry.ts';
import { replay } from '../log/record-log.ts';
import {
  at,
  certification,
  duty,
  entry,
  HOME,
  indication,
  recorded,
  TERMS,
  UNIDENTIFIED,
  VEHICLE,
} from '../testing/entries.ts';
import { buildOutputFile, type OutputSubject, UNIDENTIFIED_USER } from './build.ts';
import { describeOutputFault } from './faults.ts';
import { outputFileName } from './file-name.ts';
import { writeLines } from './lines.ts';
import { readOutputFile } from './read.ts';
import type { OutputFile } from './sections.ts';
import { writeOutputFile } from './write.ts';

const SAMPLE = readFileSync(new URL('../testing/eld-output-sample.csv', import.meta.url), 'latin1');

function read(text: string): OutputFile {
  const result = readOutputFile(text);
  if (!result.ok) throw new Error(result.fault.map(describeOutputFault).join('\n'));
  return result.value;
}
function faults(text: string) {
  const result = readOutputFile(text);
  return result.ok ? [] : result.fault;
}
const lineAt = (text: string, index: number): number => text.slice(0, index).split('\r').length;

/** The files of this test: the sample from another vendor's ELD, and a preview of our own. */
const reason = { annotation: 'Paper log, José' };
const entries: readonly LogEntry[] = [
  recorded(duty('ON', '8:00', { sequence: 0x1f, lat: 'X', lon: 'X', placeByDriver: 'Yard, gate 4' })),
  recorded(duty('D', '8:30', { sequence: 0x20 })),
  recorded(duty('OFF', '12:00', { sequence: 0x21 })),
  recorded(
    indication('personal-use', '12:00', { sequence: 0x22, miles: null, hours: null, lat: '41.9', lon: '-87.6' }),
  ),
  recorded(indication('none', '12:45', { sequence: 0x23, miles: null, hours: null, lat: '41.9', lon: '-87.6' })),
  entry({
    action: 'record',
    event: {
      ...certification('2026-02-02', '13:00'),
      type: 5,
      code: 1,
      totalMiles: 184_000,
      totalHours: 5120.4,
      zoneOffset: undefined,
      date: undefined,
    } as never,
  }),
  entry({ action: 'certify', event: certification('2026-02-02', '13:00') }, { by: 'driver-12' }),
];
const log = replay(TERMS, entries);
const subject: OutputSubject = {
  driver: {
    id: 'driver-12',
    lastName: 'Rivera',
    firstName: 'Ana',
    userName: 'arivera',
    licenceState: 'IL',
    licenceNumber: 'R234-5678',
  },
  coDriver: null,
  vehicle: { ...VEHICLE, trailers: '53017' },
  carrier: { usdot: '1234567', name: 'Sample Freight, LLC', multidayBasis: 8 },
  home: HOME,
  shippingDocument: 'BOL 7741',
  exempt: false,
  now: { at: epochMs(at('15:35')), lat: '41.88', lon: '-87.63', totalMiles: 184_512, totalHours: 5120.4 },
  comment: 'INSP 4471',
  users: [
    { id: 'driver-12', userName: 'arivera', accountType: 'D', lastName: 'Rivera', firstName: 'Ana' },
    UNIDENTIFIED_USER,
  ],
  vehicles: [VEHICLE],
  records: log.ok ? log.value.records() : [],
  unidentified: [],
};
const written = writeOutputFile(buildOutputFile(subject));
const PREVIEW = written.ok ? written.value : '';

describe('the sample of an output file', { timeout: 60_000 }, () => {
  it('is read and written back, byte for byte', () => {
    const file = read(SAMPLE);
    expect(writeLines(file)).toBe(SAMPLE);
    expect(writeOutputFile(file)).toEqual({ ok: true, value: SAMPLE });
    expect(file.header.driver).toMatchObject({ lastName: 'Rivera', licenceNumber: 'R2345678' });
    expect(file.events).toHaveLength(8);
    expect(file.unidentified).toMatchObject([{ origin: '1', code: '3', eventCheck: 'DA' }]);
  });

  it('is refused with one bit flipped, naming the line, unless no check value counts the character', () => {
    const uncounted = /[^1-9A-Za-z]/;
    const missed: string[] = [];
    for (let i = 0; i < SAMPLE.length; i++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = String.fromCharCode(SAMPLE.charCodeAt(i) ^ (1 << bit));
        const [first] = faults(SAMPLE.slice(0, i) + changed + SAMPLE.slice(i + 1));
        if (!first) missed.push(`${SAMPLE[i]}${changed}`);
        // A removed line end joins two lines; an added one splits a line.
        else expect(Math.abs((first.line ?? 0) - lineAt(SAMPLE, i))).toBeLessThanOrEqual(1);
      }
    }
    // Appendix A's check values can't detect a space or a zero in free text that became another uncounted character.
    for (const [before = '', after = ''] of missed)
      expect([uncounted.test(before), uncounted.test(after)]).toEqual([true, true]);
    expect(missed.length).toBeLessThan(SAMPLE.length * 8 * 0.02);
  });

  it.each<[string, (text: string) => string, string, number]>([
    ['a line is missing', text => text.replace(/\r1C,[^\r]*/, ''), 'file-check', 38],
    ['two lines are swapped', text => text.replace(/\r(1C,[^\r]*)\r(1A,[^\r]*)/, '\r$2\r$1'), 'order', 18],
    ['a section is missing', text => text.replace('\rCMV List:', ''), 'wrong-title', 13],
    ['two titles are swapped', text => text.replace('User List:', 'CMV List:'), 'wrong-title', 9],
    ['there is a comma too many', text => text.replace('1234567,', '1234,567,'), 'columns', 5],
    ['lines end as on Windows', text => text.replaceAll('\r', '\r\n'), 'line-end', 2],
    ['lines end as on Unix', text => text.replaceAll('\r', '\n'), 'line-end', 1],
    ['the end is missing', text => text.slice(0, -6), 'cut-off', 38],
    ['the last line end is missing', text => text.slice(0, -1), 'cut-off', 39],
    ['there is text after the end', text => `${text}more\r`, 'too-much', 40],
    ['it is another kind of file', () => 'lat,lon\r1,2\r', 'not-an-output-file', 1],
    ['it is empty', () => '', 'not-an-output-file', 1],
  ])('is refused when %s', (_, change, code, line) => {
    expect(faults(change(SAMPLE))).toContainEqual(expect.objectContaining({ code, line }));
  });

  it('is refused when a field was changed and its line check value recomputed', () => {
    const forged = (change: (file: OutputFile) => OutputFile) => faults(writeLines(change(read(SAMPLE))));
    const events = (change: object) => (file: OutputFile) => ({
      ...file,
      events: file.events.map((row, i) => (i === 2 ? { ...row, ...change } : row)),
    });
    expect(forged(events({ code: '1' }))).toMatchObject([{ code: 'event-check', line: 17 }]);
    expect(forged(events({ time: '134600' }))).toMatchObject([{ code: 'event-check', line: 17 }]);
    expect(forged(events({ vehicle: '2' }))).toMatchObject([{ code: 'unknown-vehicle' }, { code: 'event-check' }]);
    expect(forged(events({ originator: '3' }))).toMatchObject([{ code: 'unknown-user', line: 17 }]);
    expect(forged(file => ({ ...file, users: file.users.toReversed() }))).toMatchObject([
      { code: 'numbering' },
      { code: 'numbering' },
    ]);
    const lonely = forged(file => ({ ...file, events: file.events.filter(row => row.sequence !== '19') }));
    expect(lonely.map(describeOutputFault)).toEqual([
      'Line 23, ELD Event Annotations or Comments: There is no event with the sequence id 19 at that time.',
    ]);
  });

  it('names the wrong field, and its expected format', () => {
    const wrong = SAMPLE.replace('1234567,Sample', '12345X7,Sample').replace(',8,000000,', ',9,240000,');
    expect(faults(wrong).map(describeOutputFault)).toEqual([
      'Line 5, ELD File Header Segment: The field usdot is up to 9 digits.',
      'Line 5, ELD File Header Segment: The field multidayBasis is 7 or 8.',
      'Line 5, ELD File Header Segment: The field dayStart is a time, HHMMSS.',
    ]);
  });
});

describe('our output file', { timeout: 60_000 }, () => {
  it('is marked as a preview in its name and identity, and in the comment if none is given', () => {
    expect(written).toMatchObject({ ok: true });
    expect(read(PREVIEW).header.device).toMatchObject({ registrationId: 'TEST', comment: 'INSP 4471' });
    const silent = writeOutputFile(buildOutputFile({ ...subject, comment: '' }));
    expect(read(silent.ok ? silent.value : '').header.device.comment).toBe('PREVIEW; not a registered ELD');
    expect(outputFileName('Rivera', 'R2345678', epochMs(at('15:35')), HOME.timeZone)).toBe(
      'River7835020326-PREVIEW00.csv',
    );
    expect(outputFileName('Smith', 'W8569238', epochMs(Date.parse('2026-09-11T17:00:00Z')), HOME.timeZone)).toMatch(
      /^Smith3841091126-/,
    );
    expect(outputFileName('O’Né', 'X', epochMs(at('15:35')), HOME.timeZone)).toBe('ONe__0000020326-PREVIEW00.csv');
  });

  it('lists the records newest first, as in their log', () => {
    const file = read(PREVIEW);
    expect(file.events.map(({ sequence, type, code, time }) => [sequence, type, code, time])).toEqual([
      ['23', '3', '0', '124500'],
      ['22', '3', '1', '120000'],
      ['21', '1', '1', '120000'],
      ['20', '1', '3', '083000'],
      ['1F', '1', '4', '080000'],
    ]);
    expect(file.annotations).toMatchObject([{ sequence: '1F', comment: '', place: 'Yard; gate 4' }]);
    expect(file.header).toMatchObject({
      carrier: { name: 'Sample Freight; LLC', zoneOffset: '06' },
      driver: { licenceNumber: 'R2345678' },
    });
    expect(file.sessions).toHaveLength(1);
    expect(file.certifications).toMatchObject([{ code: '1', certifiedDate: '020226' }]);
  });

  it('shows edits, proposals and who made them', () => {
    const [on] = entries;
    const edited = entry(
      { action: 'edit', replaces: on?.id ?? '', event: duty('SB', '8:00', { ...reason, sequence: 0x30 }) },
      { recordedAt: at('14:00'), by: 'driver-12' },
    );
    const more = replay(TERMS, [...entries, edited]);
    const text = writeOutputFile(buildOutputFile({ ...subject, records: more.ok ? more.value.records() : [] }));
    const file = read(text.ok ? text.value : '');
    expect(file.events.filter(row => row.time === '080000').map(row => [row.sequence, row.status, row.origin])).toEqual(
      [
        ['30', '1', '2'],
        ['1F', '2', '2'],
      ],
    );
    expect(file.annotations).toMatchObject([{ sequence: '30', comment: 'Paper log; Jose' }, { sequence: '1F' }]);
  });

  it('is written for every user name and vehicle number, accents and all', () => {
    const text = (minLength: number, maxLength: number) =>
      fc
        .oneof(fc.constantFrom('Zoë Müller', 'Łódź 7', 'Šíp', 'Иван', 'ß'), fc.string({ unit: 'binary' }))
        .map(one => ([...fileText(one, maxLength)].length < minLength ? 'José' : one.slice(0, maxLength)));
    fc.assert(
      fc.property(text(4, 40), text(1, 10), (userName, powerUnit) => {
        const vehicle = { ...VEHICLE, powerUnit };
        const event = withCheck({ ...duty('ON', '8:00'), vehicle }, userName, HOME.timeZone);
        const own = replay(TERMS, [recorded(event)]);
        const [driver] = subject.users;
        const written = writeOutputFile(
          buildOutputFile({
            ...subject,
            driver: { ...subject.driver, userName },
            vehicle: { ...vehicle, trailers: '' },
            users: driver ? [{ ...driver, userName }] : [],
            vehicles: [vehicle],
            records: own.ok ? own.value.records() : [],
          }),
        );
        expect(written.ok ? [] : written.fault.map(describeOutputFault)).toEqual([]);
        expect(faults(written.ok ? written.value : '')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('is written for a driver who got another user name, or a home terminal in another time zone, since', () => {
    const unidentified = replay(UNIDENTIFIED, [recorded(duty('D', '7:00'), { log: UNIDENTIFIED.log })]);
    for (const [userName, timeZone] of [
      ['ana.rivera', HOME.timeZone],
      ['arivera', 'America/Denver'],
    ] as const) {
      const written = writeOutputFile(
        buildOutputFile({
          ...subject,
          driver: { ...subject.driver, userName },
          home: { ...HOME, timeZone },
          unidentified: unidentified.ok ? unidentified.value.records() : [],
        }),
      );
      expect(written.ok ? [] : written.fault.map(describeOutputFault)).toEqual([]);
      const file = read(written.ok ? written.value : '');
      expect([file.events.length, file.unidentified.length]).toEqual([5, 1]);
    }
  });

  it('names the author of each remark', () => {
    const [on] = entries;
    const remark = entry(
      { action: 'annotate', record: on?.id ?? '', annotation: 'Checked with the yard' },
      { recordedAt: at('14:00'), by: 'safety-1' },
    );
    const remarked = replay(TERMS, [...entries, remark]);
    const safety = { id: 'safety-1', accountType: 'S', userName: 'kchen', lastName: 'Chen', firstName: 'Kim' } as const;
    const text = writeOutputFile(
      buildOutputFile({
        ...subject,
        users: [...subject.users, safety],
        records: remarked.ok ? remarked.value.records() : [],
      }),
    );
    expect(read(text.ok ? text.value : '').annotations).toMatchObject([
      { sequence: '1F', userName: 'kchen', comment: 'Checked with the yard', place: '' },
      { sequence: '1F', userName: 'arivera', comment: '', place: 'Yard; gate 4' },
    ]);
  });

  it('contains the officer’s whole comment, and is still marked as a preview', () => {
    const comment = 'Inspection 4471 at the scale of I-80 mile 122 - officer 991';
    const text = writeOutputFile(buildOutputFile({ ...subject, comment }));
    const { device } = read(text.ok ? text.value : '').header;
    expect(device).toMatchObject({ comment, registrationId: 'TEST', eldIdentifier: 'MLPOST' });
    expect(device.authentication).toMatch(/^PREVIEW-NOT-A-REGISTERED-ELD-/);
  });

  it.each(['Pacific/Guam', 'Asia/Tokyo', 'America/St_Johns', 'Europe/London'])(
    'is not made for a home terminal in %s, because the rule has no format for its offset',
    timeZone => {
      const result = writeOutputFile(buildOutputFile({ ...subject, home: { timeZone, startOfDay: 0 }, records: [] }));
      expect(result.ok ? '' : result.fault.map(describeOutputFault).join()).toContain('04 to 11');
    },
  );

  it('is not written with anything that the rule forbids, and says why', () => {
    const result = writeOutputFile(
      buildOutputFile({ ...subject, carrier: { ...subject.carrier, usdot: '' }, vehicles: [] }),
    );
    expect(!result.ok && result.fault.map(({ code, line }) => [code, line]).slice(0, 2)).toEqual([
      ['field', 5],
      ['field', 14],
    ]);
  });

  it('is refused with any one bit flipped', () => {
    for (let i = 0; i < PREVIEW.length; i++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = String.fromCharCode(PREVIEW.charCodeAt(i) ^ (1 << bit));
        if (faults(PREVIEW.slice(0, i) + changed + PREVIEW.slice(i + 1)).length === 0) {
          expect.unreachable(`${PREVIEW[i]} may become ${changed} on line ${lineAt(PREVIEW, i)}`);
        }
      }
    }
  });
});

describe('[I3] the reader', { timeout: 60_000 }, () => {
  it('accepts any text', () => {
    const pieces = SAMPLE.split(/(?<=[\r,])/);
    const shuffled = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 10 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          shuffled.map(parts => parts.join('')),
          shuffled.map(parts => `ELD File Header Segment:\r${parts.join('')}`),
        ),
        text => {
          const result = readOutputFile(text);
          if (!result.ok) {
            expect(result.fault.length).toBeGreaterThan(0);
            for (const fault of result.fault) expect(describeOutputFault(fault)).not.toContain('undefined');
          }
        },
      ),
    );
  });

  it('accepts damaged files', () => {
    const edits = fc.array(
      fc.tuple(fc.nat(SAMPLE.length), fc.nat(30), fc.string({ unit: 'binary-ascii', maxLength: 8 })),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(edits, changes => {
        const text = changes.reduce(
          (file, [from, length, put]) => file.slice(0, from) + put + file.slice(from + length),
          SAMPLE,
        );
        const result = readOutputFile(text);
        if (result.ok) expect(writeLines(result.value)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('reads back what was written, with any names', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(name, name, (lastName, comment) => {
        const text = writeOutputFile(buildOutputFile({ ...subject, driver: { ...subject.driver, lastName }, comment }));
        const { driver, device } = read(text.ok ? text.value : '').header;
        expect(driver.lastName).toBe(fileText(lastName, 30).padEnd(2, '_'));
        expect(device.comment).toBe(fileText(comment, 60) || 'PREVIEW; not a registered ELD');
      }),
      { numRuns: 200 },
    );
  });
});
