import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DUTY_CODES, DUTY_STATES, type DutyState } from '../event/codes.ts';
import type { DutyEvent } from '../event/event.ts';
import { at, certification, duty, entry, recorded, TERMS } from '../testing/entries.ts';
import type { LogEntry } from './entry.ts';
import { openLog, type RecordLog } from './record-log.ts';

/** Minute by minute, by brute force: driving that the device recorded must always remain driving. */

const START = at('0:00');
const MINUTES = 300;
const clock = (minute: number): string => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;
const reason = { annotation: 'Another reason' };

interface Change {
  readonly kind: 'edit' | 'enter' | 'propose';
  /** Index of the active record to change. */
  readonly target: number;
  readonly state: DutyState;
  readonly minute: number;
}

/** The status of each minute; `OFF` before the first record, and nothing after the last record unless it lasts. */
function minutesOf(events: readonly DutyEvent[]): (number | null)[] {
  const sorted = events.toSorted((a, b) => a.at - b.at);
  return Array.from(
    { length: MINUTES },
    (_, minute) => sorted.findLast(event => event.at <= START + minute * 60_000)?.code ?? null,
  );
}

const active = (log: RecordLog) => log.records().filter(({ event, status }) => event.type === 1 && status === 'active');

function apply(log: RecordLog, { kind, target, state, minute }: Change, turn: number): void {
  const records = active(log);
  const old = records[target % records.length];
  const head = { recordedAt: at('+1 9:00') + turn * 1000, by: 'someone' };
  const made = (origin: DutyEvent['origin']) => duty(state, clock(minute), { ...reason, origin });
  if (kind === 'enter' || !old) log.append(recorded(made('driver'), head));
  else if (kind === 'edit') log.append(entry({ action: 'edit', replaces: old.id, event: made('driver') }, head));
  else {
    const replaces = turn % 2 ? old.id : null;
    const proposal = entry({ action: 'propose', replaces, event: made('other-user') }, head);
    if (log.append(proposal) === null) log.append(entry({ action: 'accept', proposal: proposal.id }, head));
  }
}

it('keeps every minute of automatic driving after any changes', { timeout: 60_000 }, () => {
  const state = fc.constantFrom(...DUTY_STATES);
  const minute = fc.integer({ min: 0, max: MINUTES - 1 });
  const automatic = fc.uniqueArray(fc.tuple(minute, state), { selector: ([at]) => at, minLength: 1, maxLength: 12 });
  const change = fc.record({
    kind: fc.constantFrom('edit' as const, 'enter' as const, 'propose' as const),
    target: fc.nat(30),
    state,
    minute,
  });
  let taken = 0;
  fc.assert(
    fc.property(automatic, fc.array(change, { maxLength: 25 }), (events, changes) => {
      const log = openLog(TERMS);
      const originals: LogEntry[] = events
        .toSorted(([a], [b]) => a - b)
        .map(([at, state]) => recorded(duty(state, clock(at), { origin: 'automatic' })));
      for (const original of originals) expect(log.append(original)).toBeNull();
      expect(log.append(entry({ action: 'certify', event: certification('2026-02-03', '+1 8:00') }))).toBeNull();
      const last = Math.max(...events.map(([at]) => at));
      const before = minutesOf(active(log).map(({ event }) => event as DutyEvent));
      for (const [turn, one] of changes.entries()) apply(log, one, turn);
      taken += log.records().length - originals.length - 1;
      const after = minutesOf(active(log).map(({ event }) => event as DutyEvent));
      for (let i = 0; i < last; i++) {
        if (before[i] === DUTY_CODES.D) expect([i, after[i]]).toEqual([i, DUTY_CODES.D]);
      }
    }),
    { numRuns: 150 },
  );
  // Proves that changes were accepted at all.
  expect(taken).toBeGreaterThan(100);
});

it('keeps driving automatic when a person enters driving over the device’s', () => {
  const log = openLog(TERMS);
  log.append(recorded(duty('D', '8:00')));
  const over = recorded(duty('D', '8:30', { origin: 'driver' }));
  expect(log.append(over)).toBeNull();
  log.append(recorded(duty('ON', '12:00', { origin: 'automatic' })));
  const away = entry(
    { action: 'edit', replaces: over.id, event: duty('OFF', '8:30', { ...reason, origin: 'driver' }) },
    { recordedAt: at('20:00') },
  );
  expect(log.append(away)).toBe('driving-shortened');
});

it('accepts the device’s own correction, and does not charge the driving to anyone else', () => {
  const log = openLog(TERMS);
  log.append(recorded(duty('D', '8:00')));
  log.append(recorded(duty('ON', '12:00', { origin: 'automatic' })));
  const late = recorded(duty('ON', '10:00', { origin: 'automatic' }), { recordedAt: at('13:00') });
  expect(log.append(late)).toBeNull();
  const rest = entry(
    { action: 'edit', replaces: late.id, event: duty('OFF', '10:00', { ...reason, origin: 'driver' }) },
    { recordedAt: at('20:00') },
  );
  expect(log.append(rest)).toBeNull();
  const shorter = recorded(duty('OFF', '9:59', reason), { recordedAt: at('20:00') });
  expect(log.append(shorter)).toBe('driving-shortened');
});

it('lets the device take back what did not happen, and then keeps the driving that goes on instead', () => {
  const log = openLog(TERMS);
  const drive = recorded(duty('D', '8:00'));
  const stop = recorded(duty('ON', '12:00', { origin: 'automatic' }));
  const on = recorded(duty('D', '14:00'), { recordedAt: at('14:00') });
  const retracted = (record: string, by: string) =>
    entry({ action: 'retract', record }, { recordedAt: at('20:00'), by });
  for (const one of [drive, stop, on]) expect(log.append(one)).toBeNull();
  expect(log.append(retracted(stop.id, 'driver-12'))).toBe('wrong-origin');
  expect(log.append(retracted('00000000-0000-4000-8000-fffffffffffe', 'eld'))).toBe('unknown-record');
  expect(log.append(retracted(stop.id, 'eld'))).toBeNull();
  expect(log.append(retracted(stop.id, 'eld'))).toBe('not-active');
  expect(log.record(stop.id)).toMatchObject({ status: 'inactive-changed', event: { code: DUTY_CODES.ON } });
  // It was driven from 8 to 14 o'clock now: no person shortens that.
  const rest = recorded(duty('OFF', '13:00', reason), { recordedAt: at('20:00') });
  expect(log.append(rest)).toBe('driving-shortened');
  // The device says that nobody drove at all before 14 o'clock.
  expect(log.append(retracted(drive.id, 'eld'))).toBeNull();
  expect(log.append(rest)).toBeNull();
});
