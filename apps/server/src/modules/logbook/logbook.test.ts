import { randomUUID } from 'node:crypto';
import { readLogFile, rootDay, verifyLog, verifyText } from '@milepost/eld';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DAY,
  event,
  LOG,
  MINUTE,
  NOBODY,
  OWNER,
  openTestLogbook,
  record,
  START,
  sleeper,
  type TestLogbook,
} from '../../../testing/logbook.ts';
import { openDatabases } from '../../db/database.ts';
import { claimDrafts } from './claim.ts';
import type { EntryDraft } from './draft.ts';

let book: TestLogbook;
beforeAll(async () => {
  book = await openTestLogbook();
});
afterAll(() => book.close());
beforeEach(() => book.useNewAccount());

describe('[I5] the logbook', () => {
  it('writes entries in order, and exports a log that others can verify', async () => {
    const { rest } = await book.workday();
    await book.written(sleeper(rest), START + 300 * MINUTE);
    const text = await book.exported();
    expect(verifyText(text)).toMatchObject({
      ok: true,
      log: {
        log: LOG,
        entries: 5,
        chains: [
          { chain: LOG, links: 5 },
          { chain: 'vehicle:7', links: 4 },
        ],
        fromStart: true,
      },
    });
    const log = await book.stateOf();
    expect(log.home()).toEqual(OWNER.home);
    expect(log.records().map(({ status, event: { sequence } }) => [status, sequence])).toEqual([
      ['active', 0],
      ['active', 1],
      ['inactive-changed', 2],
      // Entered at a desk, and still no duplicate IDs.
      ['active', 3],
    ]);
  });

  it('returns why an entry is refused, and writes nothing that came with it', async () => {
    const { drive } = await book.workday();
    const before = await book.exported();
    const shorter: EntryDraft = {
      ...sleeper(drive, START + 30 * MINUTE),
      event: event('ON', START + 30 * MINUTE, 'Was not driving'),
    } as EntryDraft;
    const now = START + 400 * MINUTE;
    expect(await book.write([record('ON', now), shorter], now)).toEqual({
      ok: false,
      refusal: 'driving-shortened',
      index: 1,
    });
    const nonsense = { ...record('ON', now), event: { ...event('ON', now), lat: 'north' } } as EntryDraft;
    expect(await book.write(nonsense, now)).toEqual({ ok: false, refusal: 'not-an-entry', index: 0 });
    expect(await book.exported()).toBe(before);
  });

  it('judges a late entry by driving that began long before it, too', async () => {
    await book.written(record('D', START), START);
    // Its end is not known yet: the tracker has been without a network for days.
    const now = START + 6 * DAY;
    await book.written(record('OFF', now), now);
    const late = { ...record('ON', now - 60 * MINUTE), event: event('ON', now - 60 * MINUTE, 'Received later') };
    expect(await book.write(late as EntryDraft, now)).toMatchObject({ refusal: 'driving-shortened' });
    expect((await book.stateOf()).records().map(({ event: { at } }) => at)).toEqual([START, now]);
    expect(verifyText(await book.exported(now + DAY))).toMatchObject({ ok: true });
    // Once it is known, there is a status before, and none is shortened.
    const end = START + 60 * MINUTE;
    const ended = { ...record('OFF', end), by: 'eld', event: event('OFF', end, '', 'automatic') };
    await book.written(ended as EntryDraft, now);
    expect(await book.write(late as EntryDraft, now)).toMatchObject({ ok: true });
  });

  it('assigns unidentified driving to a driver in one transaction', async () => {
    const drive = await book.written(record('D', START, NOBODY), START);
    await book.written(record('ON', START + 60 * MINUTE, NOBODY), START + 60 * MINUTE);
    const assume = (id: string, until = START + 60 * MINUTE): EntryDraft => ({
      action: 'assume',
      log: LOG,
      device: 'vehicle:7',
      by: 'driver-12',
      from: { log: NOBODY, record: id },
      event: event('D', START, '', 'unidentified'),
      until,
    });
    const claim = async (id: string) =>
      claimDrafts(
        { name: NOBODY, log: await book.stateOf(NOBODY) },
        { name: LOG, log: await book.stateOf() },
        id,
        'driver-12',
      );
    // Part of a driving period, or one that does not exist, can't be claimed.
    expect(await book.write(assume(drive, START + 30 * MINUTE), START + DAY)).toMatchObject({
      refusal: 'other-driving',
    });
    expect(await book.write(assume(randomUUID()), START + DAY)).toMatchObject({ refusal: 'other-driving' });
    expect(await claim(randomUUID())).toBeNull();
    expect(await book.write((await claim(drive)) ?? [], START + DAY)).toMatchObject({ ok: true });
    expect((await book.stateOf(NOBODY)).record(drive)).toMatchObject({ status: 'inactive-changed', releasedTo: LOG });
    expect(await book.write(assume(drive), START + DAY)).toEqual({ ok: false, refusal: 'other-driving', index: 0 });
    expect(await claim(drive)).toBeNull();
    // The driving, and the status that ended it.
    expect((await book.stateOf()).records().map(({ event: { at } }) => at)).toEqual([START + 60 * MINUTE, START]);
    for (const log of [LOG, NOBODY])
      expect(verifyText(await book.exported(START + 2 * DAY, log))).toMatchObject({ ok: true });
  });

  it('certifies a day and counts on, whatever was written long before', async () => {
    const { rest } = await book.workday();
    const certify = (code: number): EntryDraft => ({
      action: 'certify',
      log: LOG,
      device: 'vehicle:7',
      by: 'driver-12',
      event: {
        at: START + 20 * DAY,
        vehicle: { powerUnit: 'T204', vin: '' },
        trailers: '',
        shippingDocument: '',
        type: 4,
        code,
        zoneOffset: '06',
        date: '2026-02-03',
      },
    });
    const late = START + 20 * DAY;
    for (let day = 1; day < 15; day++)
      await book.written(record(day % 2 ? 'ON' : 'OFF', START + day * DAY), START + day * DAY);
    expect(await book.write(certify(1), late)).toMatchObject({ ok: true });
    expect(await book.write(certify(2), late)).toMatchObject({ refusal: 'nothing-to-certify' });
    await book.written(sleeper(rest), late);
    expect(await book.write(certify(1), late)).toMatchObject({ refusal: 'wrong-certification' });
    expect(await book.write(certify(2), late)).toMatchObject({ ok: true });
    expect((await book.stateOf()).day('2026-02-03')).toEqual({ certifications: 2, changedSince: false });
  });

  it('uses the home terminal of the time when it moves', async () => {
    await book.workday();
    const west = { ...OWNER, home: { timeZone: 'America/Los_Angeles', startOfDay: 0 } };
    expect(await book.write(record('ON', START + DAY), START + DAY, west)).toMatchObject({ ok: true });
    expect((await book.stateOf()).home()).toEqual(west.home);
    expect(verifyText(await book.exported())).toMatchObject({ ok: true, log: { entries: 6 } });
  });

  it('assigns driving to the co-driver of a team formed long before, in one transaction', async () => {
    const other = 'driver:13';
    const team = (log: string, coDriver: string): EntryDraft => ({
      action: 'team',
      log,
      by: 'eld',
      at: START,
      coDriver,
    });
    expect(await book.write([team(LOG, other), team(other, LOG)], START)).toMatchObject({ ok: true });
    const later = START + 20 * DAY;
    const drive = await book.written(record('D', later), later);
    await book.written(record('ON', later + 60 * MINUTE), later + 60 * MINUTE);
    const handOver: EntryDraft = { action: 'hand-over', log: LOG, by: 'driver-12', record: drive, to: other };
    const now = later + 120 * MINUTE;
    expect(await book.write(handOver, now)).toMatchObject({ ok: true });
    const takeOver: EntryDraft = {
      action: 'take-over',
      log: other,
      device: 'vehicle:7',
      by: 'driver-13',
      from: { log: LOG, record: drive },
      event: event('D', later, 'I was at the wheel'),
      until: later + 60 * MINUTE,
    };
    const release: EntryDraft = { action: 'release', log: LOG, by: 'driver-13', record: drive, to: other };
    const slept: EntryDraft = {
      ...record('SB', later + 60 * MINUTE, other),
      event: event('SB', later + 60 * MINUTE, 'Back in the berth'),
    } as EntryDraft;
    expect(await book.write([takeOver, release], now)).toMatchObject({ refusal: 'end-missing' });
    expect(await book.write([slept, takeOver, release], now)).toMatchObject({ ok: true });
    expect((await book.stateOf()).record(drive)?.releasedTo).toBe(other);
    for (const log of [LOG, other])
      expect(verifyText(await book.exported(START + 30 * DAY, log))).toMatchObject({ ok: true });
  });

  it('stores a root for each finished day, which exposes a rewritten log', async () => {
    await book.workday();
    await book.written(record('ON', START + DAY), START + DAY);
    await book.written(record('OFF', START + 2 * DAY), START + 2 * DAY);
    const today = readLogFile(await book.exported(START + 2 * DAY));
    const later = readLogFile(await book.exported(START + 3 * DAY));
    if (!today.ok || !later.ok) return expect.unreachable();
    const days = (file: typeof today.value) => file.roots.filter(({ chain }) => chain === LOG).map(({ day }) => day);
    expect(days(today.value)).toEqual(['2026-02-03', '2026-02-04']);
    expect(days(later.value)).toEqual(['2026-02-03', '2026-02-04', '2026-02-05']);
    const kept = later.value.roots.map(({ root }) => root);
    expect(verifyLog(later.value, kept)).toMatchObject({ ok: true });
    // The next entry closes the open day and stores its root.
    await book.written(record('ON', START + 4 * DAY), START + 4 * DAY);
    expect(verifyText(await book.exported(), kept)).toMatchObject({ ok: true });
    expect(verifyText(await book.exported(), ['ab'.repeat(32)])).toMatchObject({ ok: false });
  });

  it('records no entry before earlier ones when the clock is set back', async () => {
    await book.written(record('ON', START), START + 60 * MINUTE);
    await book.written(record('OFF', START + 10 * MINUTE), START + 10 * MINUTE);
    const [first, second] = (await book.stateOf()).records();
    expect(second?.recordedAt).toBe(first?.recordedAt);
    expect(rootDay(START)).toBe('2026-02-03');
  });

  it('has one writer at a time for each chain: with two servers writing, nothing is lost, duplicated or mixed up', {
    timeout: 60_000,
  }, async () => {
    const other = openDatabases(book.database.connection);
    try {
      const logs = ['driver:1', 'driver:2', 'driver:3'];
      const results = await Promise.all(
        Array.from({ length: 36 }, (_, i) => {
          const draft = record(i % 2 ? 'ON' : 'OFF', START + i * 1000, logs[i % 3]);
          return book.write(draft, START + 60 * MINUTE, OWNER, i % 4 < 2 ? book.databases : other);
        }),
      );
      // The second writer's entry can lie before an existing one and is then refused without a reason; that is a
      // valid answer.
      const refused = results.filter(result => !result.ok);
      for (const result of refused) expect(result).toMatchObject({ refusal: 'reason-missing' });
      const { rows } = await sql<{ log: string; count: number; last: number; device: number }>`
        select log, count(*)::integer as count, max(position) as last, max(device_position) as device
        from duty_entry where account_id = ${book.accountId} group by log order by log`.execute(book.databases.system);
      expect(rows.map(({ log }) => log)).toEqual(logs);
      for (const { count, last } of rows) expect(count).toBe(last + 1);
      const events = results.length - refused.length;
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(events + logs.length);
      expect(Math.max(...rows.map(({ device }) => device))).toBe(events - 1);
      for (const log of logs) expect(verifyText(await book.exported(START + DAY, log))).toMatchObject({ ok: true });
    } finally {
      await other.close();
    }
  });

  it('knows nothing of another account’s log of the same name', async () => {
    await book.workday();
    const mine = await book.exported();
    await book.useNewAccount();
    expect(await book.exported()).toBe('');
    await book.workday();
    expect(await book.exported()).not.toBe(mine);
    expect(verifyText(await book.exported())).toMatchObject({ ok: true, log: { entries: 4 } });
  });
});
