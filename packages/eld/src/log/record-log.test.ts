import { describe, expect, it } from 'vitest';
import type { DutyEvent } from '../event/event.ts';
import {
  at,
  certification,
  duty,
  entry,
  indication,
  intermediate,
  recorded,
  TERMS,
  UNIDENTIFIED,
} from '../testing/entries.ts';
import { edit, reason, workday } from '../testing/workday.ts';
import { type LogEntry, readEntry } from './entry.ts';
import { openLog, type RecordLog, replay } from './record-log.ts';

const propose = (replaces: string | null, event: DutyEvent, clock = '+1 9:00'): LogEntry =>
  entry(
    { action: 'propose', replaces, event: { ...event, origin: 'other-user' } },
    { recordedAt: at(clock), by: 'safety-desk', device: 'vehicle:7' },
  );
const decide = (action: 'accept' | 'reject' | 'withdraw', proposal: string, clock = '+1 10:00'): LogEntry =>
  entry({ action, proposal }, { recordedAt: at(clock), by: 'driver-12' });
const certify = (clock: string, code = 1, date = '2026-02-03'): LogEntry =>
  entry({ action: 'certify', event: certification(date, clock, code) }, { by: 'driver-12' });
const statuses = (log: RecordLog) => log.records().map(({ status }) => status);

describe('[I5] an edit', () => {
  it('is a new record that replaces the old one, which stays', () => {
    const log = openLog(TERMS);
    const { lunch } = workday(log);
    const sleeper = edit(lunch, duty('SB', '12:00', reason));
    expect(log.append(sleeper)).toBeNull();
    expect(log.record(lunch)).toMatchObject({ status: 'inactive-changed', event: { code: 1 } });
    expect(log.record(sleeper.id)).toMatchObject({
      status: 'active',
      replaces: lunch,
      event: { code: 2, origin: 'driver' },
    });
    expect(log.append(edit(lunch, duty('ON', '12:00', reason)))).toBe('not-active');
    expect(log.append(edit(sleeper.id, duty('OFF', '12:00', reason)))).toBeNull();
    expect(statuses(log).filter(status => status === 'inactive-changed')).toHaveLength(2);
  });

  it('gives a reason', () => {
    const log = openLog(TERMS);
    const { lunch } = workday(log);
    expect(log.append(edit(lunch, duty('SB', '12:00', { annotation: 'no' })))).toBe('reason-missing');
    const forgotten = recorded(duty('ON', '12:30'), { recordedAt: at('20:00') });
    expect(log.append(forgotten)).toBe('reason-missing');
    expect(log.append(recorded(duty('ON', '12:30', reason), { recordedAt: at('20:00') }))).toBeNull();
  });

  it.each<[string, (log: RecordLog, ids: ReturnType<typeof workday>) => LogEntry, string]>([
    [
      'remove driving',
      (_, { drive }) => edit(drive, duty('ON', '8:30', { ...reason, origin: 'driver' })),
      'driving-shortened',
    ],
    [
      'start driving later',
      (_, { drive }) => edit(drive, duty('D', '8:31', { ...reason, origin: 'driver' })),
      'driving-shortened',
    ],
    ['end driving earlier', (_, { lunch }) => edit(lunch, duty('OFF', '11:59', reason)), 'driving-shortened'],
    [
      'insert a rest into driving',
      () => recorded(duty('OFF', '9:00', reason), { recordedAt: at('20:00') }),
      'driving-shortened',
    ],
    [
      'turn a rest into an indication',
      (_, { lunch }) => edit(lunch, indication('personal-use', '12:00', reason)),
      'other-type',
    ],
    [
      'claim to be automatic',
      (_, { lunch }) => edit(lunch, duty('SB', '12:00', { ...reason, origin: 'automatic' })),
      'wrong-origin',
    ],
    ['move a record to another week', (_, { on }) => edit(on, duty('ON', '-2 8:00', reason)), 'moved-too-far'],
    ['be in the future', (_, { on }) => edit(on, duty('ON', '20:11', reason)), 'in-the-future'],
    [
      'refer to a missing record',
      () => edit('00000000-0000-4000-8000-ffffffffffff', duty('ON', '8:00', reason)),
      'unknown-record',
    ],
  ])('may not %s', (_, make, refusal) => {
    const log = openLog(TERMS);
    const ids = workday(log);
    const before = log.records();
    expect(log.append(make(log, ids))).toBe(refusal);
    expect(log.records()).toEqual(before);
  });

  it('may annotate driving, and make it longer', () => {
    const log = openLog(TERMS);
    const { drive, lunch } = workday(log);
    const remarked = edit(drive, duty('D', '8:25', { ...reason, origin: 'driver' }));
    expect(log.append(remarked)).toBeNull();
    expect(log.append(edit(lunch, duty('OFF', '12:10', reason)))).toBeNull();
    // Automatic driving stays automatic in the new record.
    expect(log.append(edit(remarked.id, duty('ON', '8:25', reason)))).toBe('driving-shortened');
    expect(log.append(edit(remarked.id, duty('D', '8:30', { ...reason, origin: 'driver' })))).toBeNull();
  });

  it('may change driving that the driver has entered by hand', () => {
    const log = openLog(TERMS);
    const byHand = recorded(duty('D', '8:30', { origin: 'driver' }));
    expect(log.append(byHand)).toBeNull();
    expect(log.append(edit(byHand.id, duty('ON', '8:30', reason)))).toBeNull();
  });

  it('keeps driving that has not ended, up to the device’s last record', () => {
    const log = openLog(TERMS);
    for (const event of [duty('D', '8:00'), intermediate('9:00')]) expect(log.append(recorded(event))).toBeNull();
    const rest = (clock: string) => recorded(duty('OFF', clock, reason), { recordedAt: at('9:45') });
    expect(log.append(rest('8:59'))).toBe('driving-shortened');
    expect(log.append(rest('9:40'))).toBeNull();
  });

  it('keeps driving that has not ended, up to when the vehicle was last seen in motion', () => {
    const log = openLog(TERMS);
    expect(log.append(recorded(duty('D', '8:00')))).toBeNull();
    const seen = (clock: string) => entry({ action: 'motion', until: at(clock) }, { recordedAt: at('8:45') });
    expect(log.append(seen('8:56'))).toBe('in-the-future');
    expect(log.append(seen('8:40'))).toBeNull();
    const rest = (clock: string) => recorded(duty('OFF', clock), { recordedAt: at('8:45') });
    expect(log.append(rest('8:05'))).toBe('driving-shortened');
    expect(log.append(rest('8:40'))).toBeNull();
    expect(log.records()).toHaveLength(2);
  });

  it('never touches intermediate logs', () => {
    const log = openLog(TERMS);
    const between = recorded(intermediate('9:00'));
    expect(log.append(between)).toBeNull();
    expect(log.append(edit(between.id, { ...duty('OFF', '9:00', reason), type: 2 }))).toBe('not-editable');
    expect(log.append(recorded(intermediate('9:30', { origin: 'driver' })))).toBe('not-editable');
  });
});

describe('a carrier’s proposal', () => {
  const certified = () => {
    const log = openLog(TERMS);
    const ids = workday(log);
    expect(log.append(certify('+1 8:00'))).toBeNull();
    return { log, ids };
  };

  it('waits until the driver has certified the day', () => {
    const log = openLog(TERMS);
    const { lunch } = workday(log);
    const day = '2026-02-03';
    expect([log.append(propose(lunch, duty('SB', '12:00', reason))), log.refusedDay(day)]).toEqual([
      'not-certified',
      'not-certified',
    ]);
    expect(log.append(certify('+1 8:00'))).toBeNull();
    // The days around it are not submitted, and a change of this one does not take it back.
    expect(['2026-02-02', day, '2026-02-04'].map(date => log.refusedDay(date))).toEqual([
      'not-certified',
      null,
      'not-certified',
    ]);
    expect(log.append(edit(lunch, duty('OFF', '12:10', reason), '+1 8:30'))).toBeNull();
    expect([log.day(day)?.changedSince, log.refusedDay(day)]).toEqual([true, null]);
  });

  it('changes nothing until the driver accepts, keeps its origin, and requires a new certification', () => {
    const { log, ids } = certified();
    const proposal = propose(ids.lunch, duty('SB', '12:00', reason));
    expect(log.append(proposal)).toBeNull();
    expect([log.record(ids.lunch)?.status, log.record(proposal.id)?.status]).toEqual(['active', 'change-requested']);
    expect(log.daysToCertify(at('+1 9:30'))).toEqual([]);
    expect(log.append(decide('accept', proposal.id))).toBeNull();
    expect([log.record(ids.lunch)?.status, log.record(proposal.id)?.status]).toEqual(['inactive-changed', 'active']);
    expect(log.record(proposal.id)?.event).toMatchObject({ origin: 'other-user' });
    expect(log.daysToCertify(at('+1 11:00'))).toEqual(['2026-02-03']);
    expect(log.append(decide('reject', proposal.id))).toBe('not-pending');
  });

  it('stays in the log when the driver rejects it, and the day stays certified', () => {
    const { log, ids } = certified();
    const proposal = propose(ids.lunch, duty('SB', '12:00', reason));
    log.append(proposal);
    expect(log.append(decide('reject', proposal.id))).toBeNull();
    expect([log.record(ids.lunch)?.status, log.record(proposal.id)?.status]).toEqual(['active', 'change-rejected']);
    expect(log.daysToCertify(at('+1 11:00'))).toEqual([]);
  });

  it('can be withdrawn until the driver answers; the day stays certified', () => {
    const { log, ids } = certified();
    const proposal = propose(ids.lunch, duty('SB', '12:00', reason));
    log.append(proposal);
    expect(log.append(decide('withdraw', proposal.id))).toBeNull();
    const { isWithdrawn, status } = log.record(proposal.id) ?? {};
    expect([status, isWithdrawn, log.record(ids.lunch)?.status]).toEqual(['change-rejected', true, 'active']);
    expect(log.daysToCertify(at('+1 11:00'))).toEqual([]);
    for (const late of ['accept', 'reject', 'withdraw'] as const) {
      expect(log.append(decide(late, proposal.id))).toBe('not-pending');
    }
    expect(log.append(decide('withdraw', ids.lunch))).toBe('not-pending');
  });

  it('is void when the driver has changed the record meanwhile', () => {
    const { log, ids } = certified();
    const proposal = propose(ids.lunch, duty('SB', '12:00', reason));
    log.append(proposal);
    expect(log.append(edit(ids.lunch, duty('ON', '12:00', reason), '+1 9:30'))).toBeNull();
    expect(log.append(decide('accept', proposal.id))).toBe('not-active');
  });

  it('may not shorten driving either', () => {
    const { log, ids } = certified();
    expect(log.append(propose(ids.drive, duty('ON', '8:30', reason)))).toBe('driving-shortened');
    expect(log.append(propose(null, duty('OFF', '9:00', reason)))).toBe('driving-shortened');
    expect(log.append(propose(null, duty('ON', '12:30', reason)))).toBeNull();
  });
});

describe('certification', () => {
  it('is for a completed day, and is required again after each change', () => {
    const log = openLog(TERMS);
    const { lunch } = workday(log);
    expect(log.append(certify('23:59'))).toBe('day-not-over');
    expect(log.daysToCertify(at('+1 8:00'))).toEqual(['2026-02-03']);
    expect(log.append(certify('+1 8:00', 2))).toBe('wrong-certification');
    expect(log.append(certify('+1 8:00'))).toBeNull();
    expect(log.append(certify('+1 8:05', 2))).toBe('nothing-to-certify');
    expect(log.append(edit(lunch, duty('SB', '12:00', reason), '+1 8:10'))).toBeNull();
    expect(log.day('2026-02-03')).toEqual({ certifications: 1, changedSince: true });
    expect(log.append(certify('+1 8:15', 2))).toBeNull();
    expect(log.daysToCertify(at('+1 9:00'))).toEqual([]);
  });

  it('counts no higher than nine', () => {
    const log = openLog(TERMS);
    let target = workday(log).lunch;
    for (let n = 1; n <= 11; n++) {
      expect(log.append(certify(`+1 8:${10 + n}`, Math.min(9, n)))).toBeNull();
      const change = edit(target, duty(n % 2 ? 'SB' : 'OFF', '12:00', reason), `+1 8:${10 + n}`);
      expect(log.append(change)).toBeNull();
      target = change.id;
    }
    expect(log.day('2026-02-03')).toEqual({ certifications: 11, changedSince: true });
  });

  it('of the next day is required again when a status that reaches into it changes', () => {
    const log = openLog(TERMS);
    const night = recorded(duty('OFF', '20:00'));
    for (const one of [night, recorded(duty('ON', '+1 8:00')), recorded(duty('OFF', '+1 9:00'))]) log.append(one);
    expect(log.append(certify('+2 8:00', 1, '2026-02-03'))).toBeNull();
    expect(log.append(certify('+2 8:00', 1, '2026-02-04'))).toBeNull();
    expect(log.append(edit(night.id, duty('SB', '20:00', reason), '+2 8:10'))).toBeNull();
    expect(log.daysToCertify(at('+2 9:00'))).toEqual(['2026-02-03', '2026-02-04']);
  });
});

describe('a home terminal', () => {
  it('that moves west is the one whose days are certified afterward', () => {
    const log = openLog(TERMS);
    workday(log);
    // 00:30 on the 4th in Chicago is 22:30 on the 3rd in Los Angeles.
    const west = { action: 'home' as const, timeZone: 'America/Los_Angeles', startOfDay: 0 };
    expect(log.append(entry(west, { recordedAt: at('20:00') }))).toBeNull();
    expect(log.home()).toEqual({ timeZone: 'America/Los_Angeles', startOfDay: 0 });
    expect(log.append(certify('+1 0:30'))).toBe('day-not-over');
    expect(log.append(certify('+1 2:30'))).toBeNull();
    expect(readEntry({ ...entry(west), timeZone: 'Mars/Olympus' }).ok).toBe(false);
  });
});

describe('a replay', () => {
  it('names the first entry that breaks a rule', () => {
    const drive = recorded(duty('D', '8:00'));
    const stop = recorded(duty('ON', '9:00'));
    const forged = edit(drive.id, duty('OFF', '8:00', { ...reason, origin: 'driver' }));
    expect(replay(TERMS, [drive, stop, forged, forged])).toEqual({
      ok: false,
      fault: { index: 2, entry: forged, refusal: 'driving-shortened' },
    });
    expect(replay(TERMS, [drive, stop, drive])).toMatchObject({ fault: { index: 2, refusal: 'known-id' } });
    expect(replay(TERMS, [stop, drive])).toMatchObject({ fault: { index: 1, refusal: 'recorded-backward' } });
    expect(replay(UNIDENTIFIED, [drive])).toMatchObject({ fault: { index: 0, refusal: 'wrong-log' } });
  });
});
