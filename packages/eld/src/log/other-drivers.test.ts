import { describe, expect, it } from 'vitest';
import type { DutyEvent } from '../event/event.ts';
import { at, duty, entry, recorded, TERMS, UNIDENTIFIED } from '../testing/entries.ts';
import { edit, reason, workday } from '../testing/workday.ts';
import { takeable } from './driving.ts';
import { dutySegments } from './duty-segments.ts';
import { openLog } from './record-log.ts';

describe('unidentified driving', () => {
  const driving = () => {
    const log = openLog(UNIDENTIFIED);
    const drive = recorded(duty('D', '7:00'), { log: UNIDENTIFIED.log });
    expect(log.append(drive)).toBeNull();
    return { log, drive };
  };
  const assume = (record: string, from = UNIDENTIFIED.log) =>
    entry(
      {
        action: 'assume',
        from: { log: from, record },
        event: duty('D', '7:00', { origin: 'unidentified' }),
        until: at('7:30'),
      },
      { recordedAt: at('8:00'), by: 'driver-12' },
    );

  const assumeEnd = () =>
    entry(
      {
        action: 'assume',
        from: { log: UNIDENTIFIED.log, record: '00000000-0000-4000-8000-ffffffffffff' },
        event: duty('ON', '7:30', { origin: 'unidentified' }),
        until: at('7:30'),
      },
      { recordedAt: at('8:00'), by: 'driver-12' },
    );

  it('includes its end, so that it does not continue until the next status', () => {
    const { drive } = driving();
    const drivers = openLog(TERMS);
    expect(drivers.append(recorded(duty('OFF', '6:00'), { recordedAt: at('6:00') }))).toBeNull();
    expect(drivers.append(assume(drive.id))).toBe('end-missing');
    expect(drivers.append(assumeEnd())).toBeNull();
    expect(drivers.append(assume(drive.id))).toBeNull();
    expect(dutySegments(drivers.records(), TERMS.home, at('12:00'))?.segments).toEqual([
      { status: 'OFF', start: at('6:00'), end: at('7:00') },
      { status: 'D', start: at('7:00'), end: at('7:30') },
      { status: 'ON', start: at('7:30'), end: at('12:00') },
    ]);
  });

  it('becomes a driver’s by two entries: a record of origin 4 there, a release here', () => {
    const { log, drive } = driving();
    const drivers = openLog(TERMS);
    const taken = assume(drive.id);
    expect(drivers.append(assumeEnd())).toBeNull();
    expect(drivers.append(taken)).toBeNull();
    const release = entry(
      { action: 'release', record: drive.id, to: TERMS.log },
      { log: UNIDENTIFIED.log, recordedAt: at('8:00'), by: 'driver-12' },
    );
    expect(log.append(release)).toBeNull();
    expect(log.record(drive.id)).toMatchObject({ status: 'inactive-changed', releasedTo: TERMS.log });
    expect(log.append({ ...release, id: '00000000-0000-4000-8000-fffffffffffe' })).toBe('not-active');
    // From here on it is automatically recorded driving.
    const away = edit(taken.id, duty('OFF', '7:00', { ...reason, origin: 'driver' }));
    expect(drivers.append({ ...away, recordedAt: at('20:00') })).toBe('driving-shortened');
  });

  it('is not cut short by a status in between, nor by a later one', () => {
    const { drive } = driving();
    const cut = openLog(TERMS);
    cut.append(recorded(duty('OFF', '7:10'), { recordedAt: at('7:10') }));
    expect(cut.append(assume(drive.id))).toBe('status-in-between');
    const drivers = openLog(TERMS);
    expect(drivers.append(assumeEnd())).toBeNull();
    expect(drivers.append(assume(drive.id))).toBeNull();
    const off = (clock: string) => recorded(duty('OFF', clock, reason), { recordedAt: at('9:00') });
    expect(drivers.append(off('7:29'))).toBe('driving-shortened');
    expect(drivers.append(off('7:30'))).toBeNull();
  });

  it('can be taken over once it has ended', () => {
    const { log, drive } = driving();
    expect(takeable(log.records(), drive.id)).toBeNull();
    const end = recorded(duty('ON', '7:30', { origin: 'automatic' }), { log: UNIDENTIFIED.log });
    expect(log.append(end)).toBeNull();
    expect(takeable(log.records(), drive.id)).toMatchObject({ event: { code: 3 }, until: at('7:30') });
    expect(takeable(log.records(), end.id)).toMatchObject({ event: { code: 4 }, until: at('7:30') });
    expect(takeable(log.records(), 'nothing')).toBeNull();
  });

  it('is taken over only from an unidentified driving log, and cannot be changed', () => {
    const { log, drive } = driving();
    expect(openLog(TERMS).append(assume(drive.id, 'driver:13'))).toBe('drivers-log');
    const change = { ...edit(drive.id, duty('OFF', '7:00', reason)), log: UNIDENTIFIED.log };
    expect(log.append(change)).toBe('unidentified-log');
    const entered = recorded(duty('OFF', '7:30'), { log: UNIDENTIFIED.log });
    expect(log.append(entered)).toBe('unidentified-log');
  });

  it('can be declined by a driver and annotated by the carrier', () => {
    const { log, drive } = driving();
    const from = { log: UNIDENTIFIED.log, record: drive.id };
    expect(openLog(TERMS).append(entry({ action: 'decline', from }))).toBeNull();
    const remark = entry(
      { action: 'annotate', record: drive.id, annotation: 'Mechanic on a test drive' },
      { log: UNIDENTIFIED.log, recordedAt: at('9:00') },
    );
    expect(log.append(remark)).toBeNull();
    expect(log.record(drive.id)).toMatchObject({ status: 'active', annotation: 'Mechanic on a test drive' });
  });
});

describe('team driving recorded under the wrong driver', () => {
  const OTHER = { ...TERMS, log: 'driver:13' };
  const team = (log: string, coDriver: string | null, clock = '7:00') =>
    entry({ action: 'team', at: at(clock), coDriver }, { log, recordedAt: at(clock) });
  const handOver = (record: string) =>
    entry({ action: 'hand-over', record, to: OTHER.log }, { recordedAt: at('20:00'), by: 'driver-12' });
  const takeOver = (record: string, event: DutyEvent) =>
    entry(
      { action: 'take-over', from: { log: TERMS.log, record }, event, until: at('12:00') },
      { log: OTHER.log, recordedAt: at('20:00') },
    );
  const release = (record: string) =>
    entry({ action: 'release', record, to: OTHER.log }, { recordedAt: at('20:00'), by: 'driver-13' });
  const driven = duty('D', '8:30', { annotation: 'I was at the wheel', origin: 'driver' });

  it('moves to the other driver when both agree, and remains automatic driving', () => {
    const [mine, theirs] = [openLog(TERMS), openLog(OTHER)];
    expect([mine.append(team(TERMS.log, OTHER.log)), theirs.append(team(OTHER.log, TERMS.log))]).toEqual([null, null]);
    const { drive } = workday(mine);
    expect(mine.append(release(drive))).toBe('not-handed-over');
    expect(mine.append(handOver(drive))).toBeNull();
    expect(mine.record(drive)?.status).toBe('active');
    const taken = takeOver(drive, driven);
    expect(theirs.append(taken)).toBe('end-missing');
    const slept = recorded(duty('SB', '12:00', { annotation: 'Back in the berth' }), {
      log: OTHER.log,
      recordedAt: at('20:00'),
    });
    expect(theirs.append(slept)).toBeNull();
    expect([theirs.append(taken), mine.append(release(drive))]).toEqual([null, null]);
    expect(mine.record(drive)).toMatchObject({ status: 'inactive-changed', releasedTo: OTHER.log });
    expect(theirs.record(taken.id)).toMatchObject({ status: 'active', automaticFrom: at('8:30') });
  });

  it('stays if they were not a team at the time, or one of them does not agree', () => {
    const [mine, theirs] = [openLog(TERMS), openLog(OTHER)];
    const { drive, lunch } = workday(mine);
    expect(mine.append(handOver(drive))).toBe('not-in-team');
    expect(theirs.append(takeOver(drive, driven))).toBe('not-in-team');
    expect(
      mine.append(entry({ action: 'team', at: at('7:00'), coDriver: OTHER.log }, { recordedAt: at('17:00') })),
    ).toBeNull();
    expect(
      mine.append(entry({ action: 'team', at: at('8:00'), coDriver: null }, { recordedAt: at('17:00') })),
    ).toBeNull();
    expect(mine.append(handOver(drive))).toBe('not-in-team');
    expect(mine.append(handOver(lunch))).toBe('not-editable');
    expect(theirs.append(team(OTHER.log, OTHER.log))).toBe('not-in-team');
  });
});
