import { degrees, type EpochMs, epochMs, fromMiles, fromMilesPerHour, metres, seconds } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DUTY_CODES } from './event/codes.ts';
import { isDutyEvent } from './event/event.ts';
import type { LogEntry } from './log/entry.ts';
import { readEntry } from './log/entry.ts';
import { openLog } from './log/record-log.ts';
import { buildOutputFile, UNIDENTIFIED_USER } from './output-file/build.ts';
import { describeOutputFault } from './output-file/faults.ts';
import { writeOutputFile } from './output-file/write.ts';
import { type Composed, compose } from './recorder/compose.ts';
import { advanceRecorder, newRecorder } from './recorder/recorder.ts';
import type { Mark, RecorderInput } from './recorder/recorder-state.ts';
import { buildChains, fileOf } from './testing/chains.ts';
import { HOME, newId, TERMS, VEHICLE } from './testing/entries.ts';
import { verifyText } from './verify.ts';

/** End to end: vehicle samples become events, entries, chains, an exported log and an output file. */

const START = Date.parse('2026-02-03T12:00:00Z');
const MINUTE = 60_000;

/** What a driver and a vehicle do, minute by minute; each step lasts a number of minutes. */
type Step = readonly [
  kind: 'drive' | 'stand' | 'engine-off' | 'OFF' | 'SB' | 'ON' | 'personal-use' | 'yard-move' | 'confirm',
  minutes: number,
];

function inputsOf(steps: readonly Step[]): RecorderInput[] {
  const inputs: RecorderInput[] = [
    {
      kind: 'sign-in',
      at: epochMs(START),
      driver: TERMS.log,
      status: 'OFF',
      mayIndicate: { 'personal-use': true, 'yard-move': true },
    },
  ];
  let at = START;
  for (const [kind, minutes] of steps) {
    const now = epochMs(at);
    if (kind === 'drive' || kind === 'stand' || kind === 'engine-off') {
      for (let minute = 0; minute < minutes; minute++) {
        const speed = fromMilesPerHour(kind === 'drive' ? 50 : 0);
        inputs.push({ kind: 'sample', at: epochMs(at + minute * MINUTE), speed, engineOn: kind !== 'engine-off' });
      }
    } else if (kind === 'confirm') inputs.push({ kind, at: now });
    else if (kind === 'personal-use' || kind === 'yard-move')
      inputs.push({ kind: 'indicate', at: now, indication: kind });
    else inputs.push({ kind: 'select-status', at: now, status: kind });
    at += minutes * MINUTE;
  }
  return inputs;
}

function eventOf(mark: Mark): Composed {
  const hours = (mark.at - START) / 3_600_000;
  const readings = {
    odometer: fromMiles(184_300 + hours * 50),
    engineTime: seconds((5114 + hours) * 3600),
    atPowerUp: { odometer: fromMiles(184_300), engineTime: seconds(5114 * 3600) },
    place: {
      fix: { lat: degrees(41.88), lon: degrees(-87.63) },
      since: metres(0),
      malfunction: false,
      typedByDriver: false,
    },
    location: null,
  };
  const context = {
    vehicle: VEHICLE,
    trailers: '',
    shippingDocument: 'BOL 7741',
    userName: 'arivera',
    timeZone: HOME.timeZone,
    malfunction: false,
    diagnostic: false,
  };
  return compose(mark, 0, readings, context).event;
}

function recordDay(steps: readonly Step[]): { entries: LogEntry[]; marks: Mark[]; until: EpochMs } {
  let state = newRecorder(epochMs(START));
  const marks: Mark[] = [];
  for (const input of inputsOf(steps)) {
    const step = advanceRecorder(state, input);
    ({ state } = step);
    marks.push(...step.marks);
  }
  const entries = marks.map(mark => {
    const event = eventOf(mark);
    return {
      action: 'record' as const,
      id: newId(),
      log: TERMS.log,
      device: 'vehicle:7',
      by: mark.origin === 'driver' ? 'driver-12' : 'eld',
      recordedAt: mark.at,
      event,
    };
  });
  return { entries, marks, until: state.at };
}

const subject = {
  driver: {
    id: 'driver-12',
    lastName: 'Rivera',
    firstName: 'Ana',
    userName: 'arivera',
    licenceState: 'IL',
    licenceNumber: 'R2345678',
  },
  coDriver: null,
  vehicle: { ...VEHICLE, trailers: '' },
  carrier: { usdot: '1234567', name: 'Sample Freight LLC', multidayBasis: 8 as const },
  home: HOME,
  shippingDocument: 'BOL 7741',
  exempt: false,
  now: { at: epochMs(START + 24 * 60 * MINUTE), lat: '41.88', lon: '-87.63', totalMiles: 184_900, totalHours: 5138 },
  comment: '',
  users: [
    { id: 'driver-12', userName: 'arivera', accountType: 'D' as const, lastName: 'Rivera', firstName: 'Ana' },
    UNIDENTIFIED_USER,
  ],
  vehicles: [VEHICLE],
  unidentified: [],
};

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('drive', 'drive', 'stand', 'engine-off', 'OFF', 'SB', 'ON', 'personal-use', 'yard-move', 'confirm'),
  fc.integer({ min: 1, max: 150 }),
);

describe('a day', { timeout: 60_000 }, () => {
  it('is recorded, stored, exported and written to an output file', () => {
    const { entries, marks } = recordDay([
      ['stand', 10],
      ['ON', 20],
      ['drive', 130],
      ['stand', 20],
      ['OFF', 30],
      ['personal-use', 1],
      ['drive', 20],
      ['stand', 10],
      ['SB', 60],
    ]);
    expect(marks.map(({ type, code }) => `${type}/${code}`).join(' ')).toBe(
      '5/1 6/1 1/4 1/3 2/1 2/1 1/4 1/1 3/1 3/0 1/2',
    );
    expect(verifyText(fileOf(buildChains(entries)))).toMatchObject({ ok: true, log: { entries: 11 } });
  });

  it('of any kind makes records that the log, the chains and the output file accept', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), steps => {
        const { entries } = recordDay(steps);
        const built = buildChains(entries);
        const log = openLog(TERMS);
        for (const { entry } of built.own) {
          const read = readEntry(entry);
          expect(read.ok && log.append(read.value)).toBeNull();
        }
        expect(verifyText(fileOf(built))).toMatchObject({ ok: true });
        const text = writeOutputFile(buildOutputFile({ ...subject, records: log.records() }));
        expect(text.ok ? [] : text.fault.map(describeOutputFault)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('records every minute of motion as driving, except personal use and yard moves', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), steps => {
        const { entries } = recordDay(steps.filter(([kind]) => kind !== 'personal-use' && kind !== 'yard-move'));
        const inputs = inputsOf(steps.filter(([kind]) => kind !== 'personal-use' && kind !== 'yard-move'));
        const statuses = entries.flatMap(entry =>
          'event' in entry && isDutyEvent(entry.event) && entry.event.type === 1 ? [entry.event] : [],
        );
        for (const input of inputs) {
          if (input.kind !== 'sample' || input.speed === 0) continue;
          const then = statuses.findLast(({ at }) => at <= input.at);
          expect(then?.code).toBe(DUTY_CODES.D);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('[I3] readEntry', { timeout: 60_000 }, () => {
  it('accepts any value', () => {
    const [entry] = recordDay([['drive', 1]]).entries;
    const mangled = fc
      .tuple(fc.constantFrom(...Object.keys(entry ?? {})), fc.jsonValue())
      .map(([key, value]) => ({ ...entry, [key]: value }));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.jsonValue(), mangled), value => {
        const read = readEntry(value);
        if (!read.ok) expect(read.fault.message.length).toBeGreaterThan(0);
        else expect(typeof (openLog(TERMS).append(read.value) ?? '')).toBe('string');
      }),
    );
  });
});
