import { CHANGE_KINDS } from '@milepost/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { Client } from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { testImei } from '../../testing/imei.ts';
import { createAccount } from '../modules/accounts/accounts.ts';
import { type Change, type ChangeFeed, createChangeFeed, forgetOldChanges } from './change-feed.ts';

let database: TestDatabase;
let feed: ChangeFeed;
let accountId: number;
const heard: Change[] = [];

beforeAll(async () => {
  database = await testDatabase();
  accountId = await createAccount(database.databases, { name: 'Feed' });
  feed = createChangeFeed(database.databases, pino({ level: 'silent' }));
  await feed.open();
  feed.follow('memory', changes => void heard.push(...changes));
});
afterAll(() => database.close());

async function news(): Promise<Change[]> {
  await feed.settled();
  return heard.splice(0);
}

const told = (changes: readonly Change[]) => changes.map(({ kind, id, how }) => [kind, id, how]);

async function folder(name: string): Promise<string> {
  const { id } = await database.databases.system
    .insertInto('folder')
    .values({ account_id: accountId, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(id);
}

/** A writer with its own connection and transaction. */
async function writer() {
  const client = new Client(database.url);
  await client.connect();
  return {
    say: (text: string, values: unknown[] = []) => client.query(text, values),
    end: () => client.end(),
  };
}

/**
 * Tables that no browser caches, and why their changes needn't be announced. A table that is neither in the feed nor
 * listed here fails a test, so whoever adds one must decide.
 */
const NOT_FED: Readonly<Record<string, string>> = {
  duty_signature: 'comes with an entry of a driver, and is shown with their phones when asked for',
  task_step: 'written with its task, which is announced',
  former_user: 'kept when a user is deleted, which is announced',
  former_driver: 'kept when a driver is deleted, which is announced',
  former_vehicle: 'kept when a vehicle is deleted, which is announced',
  position: 'a stream of its own: live messages, by vehicle',
  sealed_day: 'positions in another form',
  private_position: 'shown to nobody',
  vehicle_state: 'follows from the positions',
  vehicle_day: 'follows from the positions',
  trip_day: 'follows from the positions',
  trip_part: 'follows from the positions',
  geofence_version: 'a note of the server to itself',
  geofence_deleted: 'tells of geofences, which are fed',
  rule_fold: 'follows from the positions',
  rule_noise_mail: 'says which weekly emails went out',
  visit_fold: 'follows from the positions',
  visit_day: 'follows from the positions',
  visit: 'announced by whoever counts them, once for many',
  vehicle_day_stale: 'a note of the server to itself',
  projection_claim: 'a note of the servers to each other',
  vehicle_owner: 'a note of the servers to each other',
  tracker_way: 'a note of the servers to each other',
  day_zone: 'follows from the settings, which are fed',
  command_run_vehicle: 'changes with its job, which is fed',
  driven_road: 'follows from the positions',
  driven_road_through: 'follows from the positions',
  refused_report: 'counts unknown senders; pages that show it ask for it',
  refused_frame: 'counts unknown senders; pages that show it ask for it',
  look: 'grows while someone looks; the page that shows it asks for it',
  audit_entry: 'tells of changes that are fed themselves',
  duty_input: 'what came of it is in the log, which is fed',
  recorder_fold: 'follows from the positions and inputs; what it records is in the log, which is fed',
  recorder_late: 'a note of the server to itself',
  recorder_day: 'follows from the positions and inputs',
  duty_root: 'follows from the entries, which are fed',
  image: 'never changed: anyone who shows it, a user or the branding, names another',
  alert_notice: 'on its way out: pages show alerts',
  alert_mail: 'on its way out: pages show alerts',
  alert_mail_pace: 'on its way out: pages show alerts',
  alert_received: 'a count that grows with each alert on its way; the pages that show it ask for it',
  push_delivery: 'on its way out: pages show alerts',
  push_outcome: 'says how an alert went out; the page that shows it asks for it',
  webhook_secret: 'shown to nobody once it is made',
  sign_on_secret: 'shown to nobody once it is entered',
  sign_on_identity: 'shown as a count only, beside settings that are fed',
  sign_on_attempt: 'a note of the server to itself for a few minutes',
  control_try: 'a count for the server, which no page shows',
  control_grant: 'a secret of one page for a minute',
  change: 'the feed itself',
};

describe('the tables of an account', () => {
  it('are each fed by a trigger on every write, or listed with the reason why not', async () => {
    const { rows } = await sql<{ name: string; events: number; kind: string | null }>`
      select c.relname as name, coalesce(bit_or(t.tgtype::integer & 28), 0) as events,
        min(split_part(encode(t.tgargs, 'escape'), '\\000', 1)) as kind
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
      left join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'note_change' and t.tgqual is null
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      group by 1 order by 1`.execute(database.databases.system);
    // Bits of `pg_trigger.tgtype`: 4 insert, 8 delete, 16 update.
    const fed = rows.filter(({ events }) => events === 28).map(({ name }) => name);
    expect([...fed, ...Object.keys(NOT_FED)].toSorted()).toEqual(rows.map(({ name }) => name));
    for (const { kind } of rows) if (kind) expect(Object.keys(CHANGE_KINDS)).toContain(kind);
  });

  it('announce what was created, changed and deleted; a write that changes nothing announces nothing', async () => {
    await news();
    const id = await folder('West');
    expect(told(await news())).toEqual([['folder', id, 'made']]);
    const { system } = database.databases;
    await system.updateTable('folder').set({ name: 'West' }).where('id', '=', Number(id)).execute();
    expect(await news()).toEqual([]);
    await system.updateTable('folder').set({ name: 'Far west' }).where('id', '=', Number(id)).execute();
    expect(told(await news())).toEqual([['folder', id, 'changed']]);
    await system.deleteFrom('folder').where('id', '=', Number(id)).execute();
    expect(told(await news())).toEqual([['folder', id, 'gone']]);
  });

  it('announce a new driver whose number is that of the account', async () => {
    const { system } = database.databases;
    // What makes two audiences alike as sets: the same numbers in other places.
    await sql`insert into driver (id, account_id, name) overriding system value
      values (${accountId}, ${accountId}, 'Namesake')`.execute(system);
    const { id } = await system
      .insertInto('task')
      .values({
        ...{ account_id: accountId, task_id: 'a', title: 'Pallets', priority: 'normal', stops: '[]' },
        ...{ needs_photo: false, needs_signature: false, state: 'open' },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await news();
    await system.updateTable('task').set({ driver_id: accountId }).where('id', '=', id).execute();
    const changes = (await news()).filter(({ kind }) => kind === 'task');
    expect(changes.map(({ driverId }) => driverId).toSorted()).toEqual([accountId, null]);
    await system.deleteFrom('task').where('id', '=', id).execute();
    await system.deleteFrom('driver').where('id', '=', accountId).execute();
    await news();
  });

  it('announce a change of owner to both owners', async () => {
    const { system } = database.databases;
    const account = { account_id: accountId };
    const users = await Promise.all(
      ['ann', 'ben'].map(user_name =>
        system
          .insertInto('app_user')
          .values({ ...account, user_name, display_name: user_name, role: 'driver' })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    );
    const [ann, ben] = users.map(({ id }) => id);
    const { id } = await system
      .insertInto('driver')
      .values({ ...account, name: 'Dana', user_id: ann ?? null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await news();
    await system
      .updateTable('driver')
      .set({ user_id: ben ?? null })
      .where('id', '=', id)
      .execute();
    expect((await news()).map(({ kind, userId }) => [kind, userId])).toEqual([
      ['driver', ann],
      ['driver', ben],
    ]);
  });

  it('announce changed rights to the users concerned, whether by user, role or policy', async () => {
    const { system } = database.databases;
    const account = { account_id: accountId };
    const role = await system
      .insertInto('custom_role')
      .values({ ...account, name: 'Desk', based_on: 'viewer', permissions: [] })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await system
      .insertInto('app_user')
      .values({ ...account, user_name: 'cleo', display_name: 'Cleo', role: 'viewer', custom_role_id: role.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await news();
    const rights = async () =>
      (await news()).filter(({ kind, userId }) => kind === 'rights' && userId === id).map(({ how }) => how);
    await system.updateTable('app_user').set({ last_seen_at: new Date() }).where('id', '=', id).execute();
    expect(await news()).toEqual([]);
    await system.updateTable('app_user').set({ display_name: 'Cleo M' }).where('id', '=', id).execute();
    expect(await rights()).toEqual([]);
    const nowhere = { scope_folders: [], scope_departments: [] };
    await system.updateTable('app_user').set(nowhere).where('id', '=', id).execute();
    expect(await rights()).toEqual(['changed']);
    await system
      .updateTable('custom_role')
      .set({ permissions: ['vehicles.read'] })
      .where('id', '=', role.id)
      .execute();
    expect(await rights()).toEqual(['changed']);
    await system
      .updateTable('account')
      .set({ second_factor_policy: 'everybody' })
      .where('id', '=', accountId)
      .execute();
    expect(await rights()).toEqual(['changed']);
  });
});

describe('the order of commits', () => {
  it('misses nothing of a transaction that starts first and ends last', async () => {
    await news();
    const slow = await writer();
    await slow.say('begin');
    const { rows } = await slow.say('insert into folder (account_id, name) values ($1, $2) returning id', [
      accountId,
      'slow',
    ]);
    const quick = await folder('quick');
    const first = await news();
    expect(told(first)).toEqual([['folder', quick, 'made']]);
    await slow.say('commit');
    await slow.end();
    const second = await news();
    expect(told(second)).toEqual([['folder', String(rows[0].id), 'made']]);
    expect(second[0]?.number).toBeGreaterThan(first[0]?.number ?? 0);
  });

  it('does not announce what was rolled back', async () => {
    await news();
    const undone = await writer();
    await undone.say('begin');
    await undone.say('insert into folder (account_id, name) values ($1, $2)', [accountId, 'undone']);
    await undone.say('rollback');
    await undone.end();
    expect(await news()).toEqual([]);
  });

  it('announces every committed change once, in the same order to two servers, whatever the transactions do', async () => {
    await news();
    const other = createChangeFeed(database.databases, pino({ level: 'silent' }));
    await other.open();
    const heardByOther: Change[] = [];
    other.follow('memory', changes => void heardByOther.push(...changes));
    let serial = 0;
    const step = fc.record({
      writer: fc.nat(3),
      act: fc.constantFrom('write', 'write', 'commit', 'rollback', 'read', 'read other'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const writers = await Promise.all([0, 1, 2, 3].map(writer));
        const open = writers.map((): string[] => []);
        const committed: string[] = [];
        const end = async (n: number, how: 'commit' | 'rollback') => {
          const names = open[n]?.splice(0) ?? [];
          if (names.length === 0) return;
          await writers[n]?.say(how);
          if (how === 'commit') committed.push(...names);
        };
        for (const { writer: n, act } of steps) {
          if (act === 'read') await feed.settled();
          else if (act === 'read other') await other.settled();
          else if (act !== 'write') await end(n, act);
          else {
            const ofWriter = open[n] ?? [];
            if (ofWriter.length === 0) await writers[n]?.say('begin');
            const answer = await writers[n]?.say('insert into folder (account_id, name) values ($1, $2) returning id', [
              accountId,
              `random ${serial++}`,
            ]);
            ofWriter.push(String(answer?.rows[0].id));
          }
        }
        for (const n of [0, 1, 2, 3]) await end(n, 'commit');
        await Promise.all([feed.settled(), other.settled()]);
        for (const each of writers) await each.end();
        const numbers = heard.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
        expect(heard.map(({ id }) => id).toSorted()).toEqual(committed.toSorted());
        expect(heardByOther.splice(0)).toEqual(heard.splice(0));
      }),
      { numRuns: 20 },
    );
    await other.stop();
  });

  it('does not announce changes from before the server started, and announces all after', async () => {
    // More changes than are numbered in one step.
    await sql`insert into folder (account_id, name) select ${accountId}::integer, 'before ' || n from generate_series(1, 6000) n`.execute(
      database.databases.system,
    );
    const fresh = createChangeFeed(database.databases, pino({ level: 'silent' }));
    const heardByFresh: Change[] = [];
    fresh.follow('memory', changes => void heardByFresh.push(...changes));
    await fresh.open();
    const id = await folder('after');
    await fresh.settled();
    expect(told(heardByFresh)).toEqual([['folder', id, 'made']]);
    await fresh.stop();
  });
});

describe('missed changes', () => {
  it('gives one account’s changes after a number, or “everything” if some are gone', async () => {
    await news();
    const since = feed.number;
    const stranger = await createAccount(database.databases, { name: 'Stranger' });
    const { system } = database.databases;
    await system
      .insertInto('vehicle')
      .values({ account_id: stranger, imei: testImei(1), name: 'Not yours', device_key_hash: Buffer.alloc(32) })
      .execute();
    const ids = [await folder('one'), await folder('two'), await folder('three')];
    await news();
    const until = feed.number;
    const missed = await feed.missed(accountId, since, until);
    expect(missed && told(missed)).toEqual(ids.map(id => ['folder', id, 'made']));
    expect(await feed.missed(accountId, until, until)).toEqual([]);
    expect(await feed.missed(accountId, until + 1, until)).toBeNull();
    await sql`update change set at = now() - interval '3 days'`.execute(system);
    await forgetOldChanges(database.databases);
    expect(await feed.missed(accountId, since, until)).toBeNull();
    expect(await feed.missed(accountId, until, until)).toEqual([]);
    expect(feed.number).toBe(until);
  });
});

it('a failing follower does not hold up the others', async () => {
  await news();
  const off = feed.follow('memory', () => {
    throw new Error('broken');
  });
  const id = await folder('told to the others');
  expect(told(await news())).toEqual([['folder', id, 'made']]);
  off();
});

it('numbers many changes with constant work for each, even without table statistics', async () => {
  const { pool } = database.databases;
  await feed.settled();
  await pool.query('vacuum analyze change');
  await pool.query(
    `insert into change (account_id, kind, thing, how)
      select $1, 'vehicle', n::text, 'made' from generate_series(1, 2000) n`,
    [accountId],
  );
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
    'explain (analyze, buffers, format json) select number_changes()',
  );
  expect((rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Number.NaN) / 2000).toBeLessThan(50);
  expect((await pool.query('select from change where number is null')).rowCount).toBe(0);
  await news();
});
