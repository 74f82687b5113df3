import { DUTY_CODES, type DutyState, readLogFile, rootDay, verifyLog, verifyText } from '@milepost/eld';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Databases, openDatabases } from '../../db/database.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { createAccount } from '../accounts/accounts.ts';
import type { EntryDraft, EventDraft } from './draft.ts';
import { exportLog, readLog } from './export.ts';
import { type LogOwner, writeEntries } from './write.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** 08:00 in Chicago. */
const START = Date.parse('2026-02-03T14:00:00Z');
const TERMS: LogOwner = { home: { timeZone: 'America/Chicago', startOfDay: 0 }, userName: 'arivera' };
const LOG = 'driver:12';
const NOBODY = 'unidentified:7';

let database: TestDatabase;
let databases: Databases;
let accountId: number;

beforeAll(async () => {
  database = await testDatabase();
  databases = database.databases;
});
afterAll(() => database.close());
beforeEach(async () => {
  accountId = await createAccount(databases, { name: 'Cobalt Freight' });
});

const event = (
  state: DutyState,
  at: number,
  annotation = '',
  origin: 'automatic' | 'driver' | 'unidentified' = 'driver',
) =>
  ({
    at,
    vehicle: { powerUnit: 'T204', vin: '1M8GDM9AXKP042788' },
    trailers: '',
    shippingDocument: 'BOL 7741',
    type: 1,
    code: DUTY_CODES[state],
    origin,
    miles: 12,
    hours: 1.5,
    lat: '41.88',
    lon: '-87.63',
    milesSinceFix: 0,
    malfunction: false,
    diagnostic: false,
    annotation,
    placeByDriver: null,
    place: '1mi E IL Chicago',
  }) satisfies EventDraft;
const record = (state: DutyState, at: number, log = LOG): EntryDraft => ({
  action: 'record',
  log,
  device: 'vehicle:7',
  by: 'eld',
  event: event(state, at, '', state === 'D' ? 'automatic' : log === NOBODY ? 'automatic' : 'driver'),
});

const write = (drafts: EntryDraft | readonly EntryDraft[], now: number, terms = TERMS, db = databases) =>
  writeEntries(db, accountId, Array.isArray(drafts) ? drafts : [drafts as EntryDraft], () => terms, now);
/** The id of the one entry that was written. */
async function written(draft: EntryDraft, now: number): Promise<string> {
  const result = await write(draft, now);
  if (!result.ok) throw new Error(result.refusal);
  return result.entries[0]?.id ?? '';
}
const exported = async (now = START + 30 * DAY, log = LOG): Promise<string> =>
  (await databases.asAccount(accountId, trx => exportLog(trx, log, now))) ?? '';
const stateOf = (log = LOG) => databases.asAccount(accountId, trx => readLog(trx, log));
const asAccount = (query: ReturnType<typeof sql>) => databases.asAccount(accountId, trx => query.execute(trx));

async function workday(): Promise<Record<'on' | 'drive' | 'rest', string>> {
  return {
    on: await written(record('ON', START), START),
    drive: await written(record('D', START + 30 * MINUTE), START + 30 * MINUTE),
    rest: await written(record('OFF', START + 240 * MINUTE), START + 240 * MINUTE),
  };
}
const sleeper = (replaces: string, at = START + 240 * MINUTE): EntryDraft => ({
  action: 'edit',
  log: LOG,
  device: 'office',
  by: 'driver-12',
  replaces,
  event: event('SB', at, 'Slept in the berth'),
});

describe('[I5] the logbook', () => {
  it('writes entries, gives each its place, and exports what verifies without us', async () => {
    const { rest } = await workday();
    await written(sleeper(rest), START + 300 * MINUTE);
    const text = await exported();
    expect(verifyText(text)).toMatchObject({
      ok: true,
      log: {
        log: LOG,
        entries: 5,
        chains: [
          { chain: LOG, links: 5 },
          { chain: 'vehicle:7', links: 3 },
          { chain: 'office', links: 1 },
        ],
        fromStart: true,
      },
    });
    const log = await stateOf();
    expect(log.home()).toEqual(TERMS.home);
    expect(log.records().map(({ status, event: { sequence } }) => [status, sequence])).toEqual([
      ['active', 0],
      ['active', 1],
      ['inactive-changed', 2],
      ['active', 0],
    ]);
  });

  it('answers why an entry is not taken, and writes nothing of what came with it', async () => {
    const { drive } = await workday();
    const before = await exported();
    const shorter: EntryDraft = {
      ...sleeper(drive, START + 30 * MINUTE),
      event: event('ON', START + 30 * MINUTE, 'Was not driving'),
    } as EntryDraft;
    const now = START + 400 * MINUTE;
    expect(await write([record('ON', now), shorter], now)).toEqual({
      ok: false,
      refusal: 'driving-shortened',
      index: 1,
    });
    const nonsense = { ...record('ON', now), event: { ...event('ON', now), lat: 'north' } } as EntryDraft;
    expect(await write(nonsense, now)).toEqual({ ok: false, refusal: 'not-an-entry', index: 0 });
    expect(await exported()).toBe(before);
  });

  it('gives unidentified driving to a driver in one go', async () => {
    const drive = await written(record('D', START, NOBODY), START);
    await written(record('ON', START + 60 * MINUTE, NOBODY), START + 60 * MINUTE);
    const claim = (id: string): readonly EntryDraft[] => [
      {
        action: 'assume',
        log: LOG,
        device: 'office',
        by: 'driver-12',
        from: { log: NOBODY, record: id },
        event: event('D', START, '', 'unidentified'),
      },
      { action: 'release', log: NOBODY, by: 'driver-12', record: id, to: LOG },
    ];
    expect(await write(claim(drive), START + DAY)).toMatchObject({ ok: true });
    expect((await stateOf(NOBODY)).record(drive)).toMatchObject({ status: 'inactive-changed', releasedTo: LOG });
    expect(await write(claim(drive), START + DAY)).toEqual({ ok: false, refusal: 'not-active', index: 1 });
    expect((await stateOf()).records()).toHaveLength(1);
    for (const log of [LOG, NOBODY])
      expect(verifyText(await exported(START + 2 * DAY, log))).toMatchObject({ ok: true });
  });

  it('certifies a day and counts on, whatever was written long before', async () => {
    const { rest } = await workday();
    const certify = (code: number): EntryDraft => ({
      action: 'certify',
      log: LOG,
      device: 'office',
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
      await written(record(day % 2 ? 'ON' : 'OFF', START + day * DAY), START + day * DAY);
    expect(await write(certify(1), late)).toMatchObject({ ok: true });
    expect(await write(certify(2), late)).toMatchObject({ refusal: 'nothing-to-certify' });
    await written(sleeper(rest), late);
    expect(await write(certify(1), late)).toMatchObject({ refusal: 'wrong-certification' });
    expect(await write(certify(2), late)).toMatchObject({ ok: true });
    expect((await stateOf()).day('2026-02-03')).toEqual({ certifications: 2, changedSince: false });
  });

  it('keeps time by the home terminal of then, when it moves', async () => {
    await workday();
    const west = { ...TERMS, home: { timeZone: 'America/Los_Angeles', startOfDay: 0 } };
    expect(await write(record('ON', START + DAY), START + DAY, west)).toMatchObject({ ok: true });
    expect((await stateOf()).home()).toEqual(west.home);
    expect(verifyText(await exported())).toMatchObject({ ok: true, log: { entries: 6 } });
  });

  it('gives driving to the co-driver of a team that was formed long before, in one go', async () => {
    const other = 'driver:13';
    const team = (log: string, coDriver: string): EntryDraft => ({
      action: 'team',
      log,
      by: 'eld',
      at: START,
      coDriver,
    });
    expect(await write([team(LOG, other), team(other, LOG)], START)).toMatchObject({ ok: true });
    const later = START + 20 * DAY;
    const drive = await written(record('D', later), later);
    await written(record('ON', later + 60 * MINUTE), later + 60 * MINUTE);
    const handOver: EntryDraft = { action: 'hand-over', log: LOG, by: 'driver-12', record: drive, to: other };
    const now = later + 120 * MINUTE;
    expect(await write(handOver, now)).toMatchObject({ ok: true });
    const takeOver: EntryDraft = {
      action: 'take-over',
      log: other,
      device: 'office',
      by: 'driver-13',
      from: { log: LOG, record: drive },
      event: event('D', later, 'I was at the wheel'),
    };
    const release: EntryDraft = { action: 'release', log: LOG, by: 'driver-13', record: drive, to: other };
    expect(await write([takeOver, release], now)).toMatchObject({ ok: true });
    expect((await stateOf()).record(drive)?.releasedTo).toBe(other);
    for (const log of [LOG, other])
      expect(verifyText(await exported(START + 30 * DAY, log))).toMatchObject({ ok: true });
  });

  it('makes a root of each day that is over, which finds a log that was written anew', async () => {
    await workday();
    await written(record('ON', START + DAY), START + DAY);
    await written(record('OFF', START + 2 * DAY), START + 2 * DAY);
    const today = readLogFile(await exported(START + 2 * DAY));
    const later = readLogFile(await exported(START + 3 * DAY));
    if (!today.ok || !later.ok) return expect.unreachable();
    const days = (file: typeof today.value) => file.roots.filter(({ chain }) => chain === LOG).map(({ day }) => day);
    expect(days(today.value)).toEqual(['2026-02-03', '2026-02-04']);
    expect(days(later.value)).toEqual(['2026-02-03', '2026-02-04', '2026-02-05']);
    const kept = later.value.roots.map(({ root }) => root);
    expect(verifyLog(later.value, kept)).toMatchObject({ ok: true });
    // The day that was still open becomes the stored root when the next entry comes.
    await written(record('ON', START + 4 * DAY), START + 4 * DAY);
    expect(verifyText(await exported(), kept)).toMatchObject({ ok: true });
    expect(verifyText(await exported(), ['ab'.repeat(32)])).toMatchObject({ ok: false });
  });

  it('writes down nothing before what stands there when the clock is set back', async () => {
    await written(record('ON', START), START + 60 * MINUTE);
    await written(record('OFF', START + 10 * MINUTE), START + 10 * MINUTE);
    const [first, second] = (await stateOf()).records();
    expect(second?.recordedAt).toBe(first?.recordedAt);
    expect(rootDay(START)).toBe('2026-02-03');
  });

  it('has one writer at a time for each chain: from two servers at once, nothing is lost, doubled or crossed', async () => {
    const other = openDatabases(database.connection);
    try {
      const logs = ['driver:1', 'driver:2', 'driver:3'];
      const results = await Promise.all(
        Array.from({ length: 36 }, (_, i) => {
          const draft = record(i % 2 ? 'ON' : 'OFF', START + i * 1000, logs[i % 3]);
          return write(draft, START + 60 * MINUTE, TERMS, i % 4 < 2 ? databases : other);
        }),
      );
      // What came second and lies before an entry that is there wants a reason; that is an answer, too.
      const refused = results.filter(result => !result.ok);
      for (const result of refused) expect(result).toMatchObject({ refusal: 'reason-missing' });
      const { rows } = await sql<{ log: string; count: number; last: number; device: number }>`
        select log, count(*)::integer as count, max(position) as last, max(device_position) as device
        from duty_entry where account_id = ${accountId} group by log order by log`.execute(databases.system);
      expect(rows.map(({ log }) => log)).toEqual(logs);
      for (const { count, last } of rows) expect(count).toBe(last + 1);
      const events = results.length - refused.length;
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(events + logs.length);
      expect(Math.max(...rows.map(({ device }) => device))).toBe(events - 1);
      for (const log of logs) expect(verifyText(await exported(START + DAY, log))).toMatchObject({ ok: true });
    } finally {
      await other.close();
    }
  });

  it('knows nothing of another account’s log of the same name', async () => {
    await workday();
    const mine = await exported();
    accountId = await createAccount(databases, { name: 'Another' });
    expect(await exported()).toBe('');
    await workday();
    expect(await exported()).not.toBe(mine);
    expect(verifyText(await exported())).toMatchObject({ ok: true, log: { entries: 4 } });
  });
});

describe('[I5] the database', () => {
  it('gives whoever serves a request no right to change or remove a record', async () => {
    await workday();
    for (const table of ['duty_entry', 'duty_root']) {
      for (const statement of [
        sql`update ${sql.table(table)} set account_id = account_id`,
        sql`delete from ${sql.table(table)}`,
        sql`truncate ${sql.table(table)}`,
        sql`set local milepost.erase_logbook_of = ${sql.lit(String(accountId))}; delete from ${sql.table(table)}`,
      ]) {
        await expect(asAccount(statement)).rejects.toThrow(/permission denied/);
      }
    }
  });

  it('lets not even the owner of the tables do so', async () => {
    const { on } = await workday();
    await written(record('ON', START + DAY), START + DAY);
    const { system } = databases;
    for (const statement of [
      sql`update duty_entry set action = 'x' where id = ${on}`,
      sql`update duty_entry set position = position + 10`,
      sql`delete from duty_entry where id = ${on}`,
      sql`delete from duty_root`,
      sql`update duty_root set count = 1`,
      sql`truncate duty_entry`,
      sql`delete from account where id = ${accountId}`,
    ]) {
      await expect(statement.execute(system)).rejects.toThrow(/only added to/);
    }
    expect(verifyText(await exported())).toMatchObject({ ok: true });
  });

  it('erases the logbook with its account, for whom it was said and no other', async () => {
    await workday();
    const other = accountId;
    accountId = await createAccount(databases, { name: 'Leaving' });
    await workday();
    const erase = (account: number) =>
      databases.system.transaction().execute(async trx => {
        await sql`set local milepost.erase_logbook_of = ${sql.lit(String(accountId))}`.execute(trx);
        await sql`delete from account where id = ${account}`.execute(trx);
      });
    await expect(erase(other)).rejects.toThrow(/only added to/);
    await erase(accountId);
    const { rows } = await sql<{ of: number }>`select distinct account_id as of from duty_entry`.execute(
      databases.system,
    );
    expect(rows.map(({ of }) => of)).not.toContain(accountId);
    expect(rows.map(({ of }) => of)).toContain(other);
  });

  it('takes no text under another’s hash', async () => {
    await workday();
    const copy = sql`insert into duty_entry
      select account_id, log, position + 1, gen_random_uuid(), action, recorded_at, touches_at, null, null,
        replace(entry, 'T204', 'T205'), content, hash, null
      from duty_entry where account_id = ${accountId} order by position desc limit 1`;
    await expect(copy.execute(databases.system)).rejects.toThrow(/duty_entry_content_check|check constraint/);
  });

  it.each<[string, (id: string) => ReturnType<typeof sql>, RegExp]>([
    [
      'removed',
      id => sql`delete from duty_entry where id = ${id}`,
      /driver:12, record 3 .*A record before this one is missing/,
    ],
    [
      'changed',
      id => sql`update duty_entry set entry = replace(entry, 'T204', 'T205'),
        content = sha256(convert_to(replace(entry, 'T204', 'T205'), 'UTF8')) where id = ${id}`,
      /driver:12, record 2 .*was changed after it was written/,
    ],
  ])('that somebody with all rights has %s a record in is found out by its export', async (_, forge, sentence) => {
    const { drive } = await workday();
    const { system } = databases;
    await sql`alter table duty_entry disable trigger user`.execute(system);
    await forge(drive).execute(system);
    await sql`alter table duty_entry enable trigger user`.execute(system);
    const verdict = verifyText(await exported());
    expect(verdict.ok ? '' : verdict.sentence).toMatch(sentence);
  });
});
