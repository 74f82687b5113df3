import { degrees, type EpochMs, epochMs, fromMiles, fromMilesPerHour, metres, seconds } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dutyEventSchema, engineEventSchema, sessionEventSchema } from '../event/event.ts';
import { VEHICLE } from '../testing/entries.ts';
import { compose, type Readings } from './compose.ts';
import { advanceRecorder, newRecorder, nextMoment } from './recorder.ts';
import type { Mark, RecorderInput, RecorderState } from './recorder-state.ts';

const START = Date.parse('2026-02-03T14:00:00Z');
/** Minutes, or `m:ss`, after the start. */
const at = (clock: number | string): EpochMs => {
  const [minutes = 0, secs = 0] = String(clock).split(':').map(Number);
  return epochMs(START + minutes * 60_000 + secs * 1000);
};
const sample = (clock: number | string, mph: number, engineOn = true): RecorderInput => ({
  kind: 'sample',
  at: at(clock),
  speed: fromMilesPerHour(mph),
  engineOn,
});
const ALLOWED = { 'personal-use': true, 'yard-move': true };
const signIn = (clock: number, mayIndicate = ALLOWED): RecorderInput => ({
  kind: 'sign-in',
  at: at(clock),
  driver: 'driver:12',
  status: 'ON',
  mayIndicate,
});

function run(...inputs: RecorderInput[]) {
  let state: RecorderState = newRecorder(at(0));
  const marks: Mark[] = [];
  const refusals: (string | null)[] = [];
  for (const input of inputs) {
    const step = advanceRecorder(state, input);
    ({ state } = step);
    marks.push(...step.marks);
    refusals.push(step.refusal);
  }
  /** `1/3 12:00 automatic`: type, code, minute and second, origin. */
  const events = marks
    .filter(mark => mark.type < 5)
    .map(mark => {
      const passed = (mark.at - START) / 1000;
      const clock = `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, '0')}`;
      return `${mark.type}/${mark.code} ${clock} ${mark.origin}`;
    });
  return { state, marks, events, refusals };
}

describe('a log without a status', () => {
  const first = (status: 'OFF' | 'ON'): RecorderInput =>
    ({ ...signIn(0), kind: 'sign-in', status, isFirst: true }) as RecorderInput;

  it('gets its first status from the driver, also if it is the one that every log begins with', () => {
    const select = (clock: number): RecorderInput => ({ kind: 'select-status', at: at(clock), status: 'OFF' });
    const { events, refusals } = run(first('OFF'), select(1), select(2));
    expect(events).toEqual(['1/1 1:00 driver']);
    expect(refusals).toEqual([null, null, 'no-change']);
  });

  it('is off duty with a record before personal use', () => {
    const use: RecorderInput = { kind: 'indicate', at: at(1), indication: 'personal-use' };
    expect(run(first('OFF'), use, sample(2, 40)).events).toEqual(['1/1 1:00 driver', '3/1 1:00 driver']);
  });
});

describe('automatic duty status', { timeout: 60_000 }, () => {
  it('is driving at 5 mph and above, not below', () => {
    expect(run(signIn(0), sample(1, 4.99)).events).toEqual([]);
    expect(run(signIn(0), sample(1, 4.99), sample(2, 5)).events).toEqual(['1/3 2:00 automatic']);
  });

  it('asks after five minutes at rest, and is on duty after one more without an answer', () => {
    const driven = [signIn(0), sample(1, 55), sample(10, 0)];
    // The vehicle counts as stopped 3 s after the first zero.
    expect(run(...driven, sample('15:02', 0)).state.question).toBeNull();
    expect(run(...driven, sample('15:03', 0)).state.question).toEqual({ kind: 'still-driving', askedAt: at('15:03') });
    expect(run(...driven, sample('16:02', 0)).events).toEqual(['1/3 1:00 automatic']);
    const { events, state } = run(...driven, sample(30, 0));
    expect(events).toEqual(['1/3 1:00 automatic', '1/4 16:03 automatic']);
    expect(state.question).toBeNull();
  });

  it('counts three seconds at zero as a stop, not less, and anything above zero as none', () => {
    const crawl = [signIn(0), sample(1, 55), sample(10, 0), sample('10:02', 0.5), sample(14, 3), sample(30, 1)];
    expect(run(...crawl).events).toEqual(['1/3 1:00 automatic']);
    expect(run(...crawl).state.motion.moving).toBe(true);
  });

  it('stays driving when the driver confirms, or moves on', () => {
    const driven = [signIn(0), sample(1, 55), sample(10, 0), sample('15:30', 0)];
    const confirmed = run(...driven, { kind: 'confirm', at: at('15:40') }, sample(20, 0));
    expect([confirmed.events, confirmed.state.question]).toEqual([['1/3 1:00 automatic'], null]);
    expect(run(...driven, { kind: 'confirm', at: at('15:40') }, sample(40, 0)).events).toContain('1/4 21:40 automatic');
    const moved = run(...driven, sample(16, 20), sample(17, 0), sample(21, 0));
    expect([moved.events, moved.state.question]).toEqual([['1/3 1:00 automatic'], null]);
  });

  it('can be chosen by the driver only at rest', () => {
    const off = (clock: number): RecorderInput => ({ kind: 'select-status', at: at(clock), status: 'OFF' });
    expect(run(signIn(0), sample(1, 55), off(2)).refusals).toEqual([null, null, 'in-motion']);
    const { events, refusals } = run(signIn(0), sample(1, 55), sample(10, 0), off(11), off(12));
    expect(events).toEqual(['1/3 1:00 automatic', '1/1 11:00 driver']);
    expect(refusals.at(-1)).toBe('no-change');
    expect(run(off(1)).refusals).toEqual(['nobody-signed-in']);
  });

  it('makes an intermediate log after each hour of motion', () => {
    const hours = Array.from({ length: 150 }, (_, minute) => sample(minute + 1, 60));
    expect(run(signIn(0), ...hours).events).toEqual([
      '1/3 1:00 automatic',
      '2/1 61:00 automatic',
      '2/1 121:00 automatic',
    ]);
  });

  it('records unidentified driving until a driver signs in', () => {
    const { marks, refusals } = run(sample(1, 30), sample(10, 0), signIn(12), sample(13, 30));
    expect(marks.map(mark => [mark.driver, mark.type, mark.code])).toEqual([
      [null, 6, 1],
      [null, 1, 3],
      [null, 1, 4],
      ['driver:12', 5, 1],
      ['driver:12', 1, 3],
    ]);
    expect(refusals).toEqual([null, null, null, null]);
    expect(run(sample(1, 30), signIn(2)).refusals).toEqual([null, 'in-motion']);
  });

  it('does not depend on how often the clock ticks, and ignores late samples', () => {
    const inputs = [
      signIn(0),
      sample(1, 55),
      sample(10, 0),
      sample(30, 12),
      sample(95, 50),
      sample(100, 0),
      sample(140, 0),
    ];
    const plain = run(...inputs);
    const minutes = fc.array(fc.integer({ min: 0, max: 140 }), { maxLength: 60 });
    fc.assert(
      fc.property(minutes, minutes, (ticks, late) => {
        const all = [...inputs, ...ticks.map(minute => ({ kind: 'tick' as const, at: at(minute) }))].sort(
          (a, b) => a.at - b.at,
        );
        const withLate = all.flatMap((input, i) =>
          i < late.length ? [input, { ...sample(0, 70), at: epochMs(input.at - 1 - (late[i] ?? 0) * 1000) }] : [input],
        );
        expect(run(...withLate).events).toEqual(plain.events);
      }),
    );
  });

  it('tells when the next tick is needed', () => {
    const { state } = run(signIn(0), sample(1, 55), sample(10, 0));
    const moments: number[] = [];
    let current = state;
    for (let next = nextMoment(current); next !== null; next = nextMoment(current)) {
      moments.push((next - START) / 1000);
      ({ state: current } = advanceRecorder(current, { kind: 'tick', at: next }));
    }
    expect(moments).toEqual([603, 903, 963]);
    expect(current.status).toBe('ON');
  });
});

describe('personal use and yard moves', () => {
  const indicate = (clock: number, indication: 'none' | 'personal-use' | 'yard-move'): RecorderInput => ({
    kind: 'indicate',
    at: at(clock),
    indication,
  });

  it('are for drivers whom the carrier allows them', () => {
    const forbidden = { 'personal-use': false, 'yard-move': true };
    const { refusals } = run(
      signIn(0, forbidden),
      indicate(1, 'personal-use'),
      indicate(2, 'yard-move'),
      indicate(3, 'yard-move'),
    );
    expect(refusals).toEqual([null, 'not-allowed', null, 'no-change']);
  });

  it('move the vehicle off duty, without miles and with reduced location precision', () => {
    const ride = [sample(2, 40), sample(50, 0)];
    const { events, marks } = run(
      signIn(0),
      sample(0, 0),
      indicate(1, 'personal-use'),
      ...ride,
      indicate(51, 'none'),
      sample(52, 40),
    );
    expect(events).toEqual(['1/1 1:00 driver', '3/1 1:00 driver', '3/0 51:00 driver', '1/3 52:00 automatic']);
    expect(marks.filter(mark => mark.type < 5).map(mark => mark.reduced)).toEqual([false, true, true, false]);
    const long = run(
      signIn(0),
      sample(0, 0),
      indicate(1, 'personal-use'),
      ...Array.from({ length: 70 }, (_, i) => sample(2 + i, 40)),
    );
    expect(long.events.at(-1)).toBe('2/2 61:00 automatic');
  });

  it('in a yard go on where the engine was on before anything was recorded', () => {
    const { events } = run(signIn(0), indicate(1, 'yard-move'), sample(2, 8), sample(4, 0));
    expect(events).toEqual(['3/2 1:00 driver', '2/1 2:00 automatic']);
  });

  it('in a yard end when the engine is restarted', () => {
    const { events, state } = run(
      signIn(0),
      sample(0, 0),
      indicate(1, 'yard-move'),
      sample(2, 8),
      sample(5, 0, false),
      sample(9, 0),
      sample(10, 8),
    );
    expect(events).toEqual(['3/2 1:00 driver', '2/1 2:00 automatic', '3/0 9:00 automatic', '1/3 10:00 automatic']);
    expect(state.indication).toBe('none');
  });

  it('for personal use must be confirmed when the engine is restarted', () => {
    const restarted = [
      signIn(0),
      sample(0, 0),
      indicate(1, 'personal-use'),
      sample(2, 30),
      sample(5, 0, false),
      sample(9, 0),
    ];
    expect(run(...restarted).state.question?.kind).toBe('personal-use');
    const silent = run(...restarted, sample(10, 30));
    expect(silent.events.slice(-2)).toEqual(['3/0 10:00 automatic', '1/3 10:00 automatic']);
    const confirmed = run(...restarted, { kind: 'confirm', at: at(9) }, sample(10, 30));
    expect(confirmed.events).toEqual(['1/1 1:00 driver', '3/1 1:00 driver']);
    expect(confirmed.marks.filter(mark => mark.type === 6).map(mark => mark.code)).toEqual([1, 4, 2]);
  });

  it('end with another status, and when the driver signs out', () => {
    const inYard = [signIn(0), indicate(1, 'yard-move')];
    expect(run(...inYard, { kind: 'select-status', at: at(2), status: 'OFF' }).events.slice(-2)).toEqual([
      '3/0 2:00 driver',
      '1/1 2:00 driver',
    ]);
    expect(run(...inYard, { kind: 'sign-out', at: at(2) }).events.at(-1)).toBe('3/0 2:00 driver');
  });
});

describe('an event', () => {
  const readings: Readings = {
    odometer: fromMiles(184_512.9),
    engineTime: seconds(5120.49 * 3600),
    atPowerUp: { odometer: fromMiles(184_300), engineTime: seconds(5114.3 * 3600) },
    place: {
      fix: { lat: degrees(41.8781), lon: degrees(-87.6298) },
      since: metres(0),
      malfunction: false,
      typedByDriver: false,
    },
    location: '1mi E IL Chicago',
  };
  const context = {
    vehicle: VEHICLE,
    trailers: '53017',
    shippingDocument: 'BOL 7741',
    userName: 'arivera',
    timeZone: 'America/Chicago',
    malfunction: false,
    diagnostic: true,
  };
  const mark: Mark = { at: at('5:30'), type: 1, code: 3, origin: 'automatic', driver: 'driver:12', reduced: false };
  const composed = (change: Partial<Mark>, read: Partial<Readings> = {}) =>
    compose({ ...mark, ...change }, 0x1f, { ...readings, ...read }, context);

  it('has the instrument readings, in the record’s units', () => {
    const { event, missing } = composed({});
    expect(event).toMatchObject({ miles: 212, hours: 6.1, lat: '41.88', lon: '-87.63', diagnostic: true });
    expect(dutyEventSchema.safeParse(event).success).toBe(true);
    expect(missing).toEqual([]);
    const engine = composed({ type: 6, code: 1 }).event;
    expect(engine).toMatchObject({ totalMiles: 184_512, totalHours: 5120.4, lat: '41.88' });
    expect(engineEventSchema.safeParse(engine).success).toBe(true);
    expect(sessionEventSchema.safeParse(composed({ type: 5, code: 1 }).event).success).toBe(true);
  });

  it('in personal use has no miles, and coordinates with one decimal', () => {
    const { event, missing } = composed({ reduced: true, type: 3, code: 1, origin: 'driver' });
    expect(event).toMatchObject({ miles: null, hours: null, lat: '41.9', lon: '-87.6' });
    expect(missing).toEqual([]);
  });

  it('names the missing elements', () => {
    const { place } = readings;
    const lost = composed({}, { odometer: null, place: { ...place, since: fromMiles(5.1) } });
    expect(lost).toMatchObject({
      event: { miles: null, lat: 'X', lon: 'X', milesSinceFix: 5 },
      missing: ['miles', 'place'],
    });
    const typed = { ...place, fix: null, since: fromMiles(40), typedByDriver: true };
    expect(composed({}, { place: typed })).toMatchObject({ event: { lat: 'M', milesSinceFix: 6 }, missing: [] });
    expect(composed({}, { place: { ...typed, malfunction: true } }).event).toMatchObject({ lat: 'E' });
  });
});
