import { setTimeout as sleep } from 'node:timers/promises';
import type { PositionMessage } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { itHolds } from '../../testing/few-and-many.ts';
import {
  addVehicle,
  positionMessage,
  startPipeline,
  type TestPipeline,
  type TestVehicle,
} from '../../testing/ingest.ts';
import type { AccountTransaction, Databases } from '../db/database.ts';
import { openDatabases } from '../db/database.ts';
import { type Directory, openDirectory } from '../fleet/directory.ts';
import { createAccount } from '../modules/accounts/accounts.ts';
import type { FixRow } from '../tracks/fixes.ts';
import { Claims } from './claims.ts';
import { isLateBetween } from './late.ts';
import type { Fold, Projection } from './projection.ts';
import type { LateRange, Reading } from './reading.ts';
import { ProjectionRunner, type RunnerParts } from './runner.ts';

const MINUTE = 60_000;
const TIMEOUT_MS = 10_000;
/** Of each of ten vehicles that wait, under full load. */
const POSITIONS_AT_ONCE = 400;

let pipe: TestPipeline;
let directory: Directory;
let accountId: number;
/** As another server has it. */
let otherDb: Databases;

beforeAll(async () => {
  pipe = await startPipeline();
  directory = await openDirectory(pipe.context);
  accountId = await createAccount(pipe.context.db, { name: 'Projections' });
  otherDb = openDatabases({ connectionString: pipe.database.url });
  await sql`create table test_count (
    vehicle_id integer primary key, through_at timestamptz not null, fixes integer not null, late integer not null
  )`.execute(pipe.context.db.system);
});
afterAll(async () => {
  await otherDb.close();
  await pipe.close();
});
const opened: ProjectionRunner[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const runner of opened.splice(0)) await runner.stop();
});

/** Adds up the fixes that came in order, so that a fix that is folded twice or left out shows. */
class Count implements Fold {
  throughMs: number;
  added = 0;
  readonly isNew: boolean;
  readonly vehicleId: number;
  /** How many positions of late ranges there are; counted anew each time. */
  late: number | null = null;

  constructor(vehicleId: number, throughMs: number, isNew: boolean) {
    this.vehicleId = vehicleId;
    this.throughMs = throughMs;
    this.isNew = isNew;
  }
  async take(_reading: Reading, fixes: readonly FixRow[]) {
    this.added += fixes.length;
    this.throughMs = fixes.at(-1)?.fix_at.getTime() ?? this.throughMs;
  }
  isDue() {
    return false;
  }
  async foldAgain(reading: Reading, { firstMs, lastMs }: LateRange) {
    const rows = await reading.around(firstMs, lastMs + 1);
    this.late = rows.filter(({ fix_at }) => fix_at.getTime() >= firstMs && fix_at.getTime() <= lastMs).length;
  }
  mustBeWritten() {
    return this.added > 3;
  }
}

const counting = (): Projection<Count> => ({
  name: 'count',
  load: async (db, vehicles) => {
    const ids = vehicles.map(({ id }) => id);
    const { rows } = await sql<{ vehicle_id: number; through_at: Date }>`
      select * from test_count where vehicle_id = any (${ids}::int4[])`.execute(db);
    const known = new Map(rows.map(row => [row.vehicle_id, row.through_at.getTime()]));
    return new Map(
      vehicles.map(({ id, newestMs }) => [
        id,
        new Count(id, known.get(id) ?? (newestMs ?? 0) - MINUTE, !known.has(id)),
      ]),
    );
  },
  write: async (trx: AccountTransaction, folds) => {
    for (const fold of folds) {
      await sql`insert into test_count as known values
        (${fold.vehicleId}, ${new Date(fold.throughMs)}, ${fold.added}, ${fold.late ?? 0})
        on conflict (vehicle_id) do update set through_at = excluded.through_at, fixes = known.fixes + excluded.fixes,
          late = coalesce(${fold.late}::integer, known.late)`.execute(trx);
      fold.added = 0;
    }
  },
});

function open(
  db: Databases = pipe.context.db,
  { adds, ...more }: Partial<RunnerParts> & { readonly adds?: (fold: Count) => Count } = {},
) {
  const projection = counting();
  if (adds) {
    const { load } = projection;
    Object.assign(projection, {
      load: async (...args: Parameters<typeof load>) => {
        const folds = await load(...args);
        return new Map([...folds].map(([id, fold]) => [id, adds(fold)]));
      },
    });
  }
  const runner = new ProjectionRunner({
    db,
    log: pino({ level: 'silent' }),
    directory,
    live: pipe.live,
    projections: [projection],
    refresh: async () => [],
    ...more,
  });
  opened.push(runner);
  return { runner, keeps: (vehicle: TestVehicle) => runner.fold(projection, vehicle.id) !== null };
}

async function makeVehicle(): Promise<TestVehicle> {
  const vehicle = await addVehicle(pipe.context, accountId);
  await directory.settled();
  return vehicle;
}
const send = (vehicle: TestVehicle, ...positions: PositionMessage[]) =>
  pipe.pipeline.accept(vehicle, positions, 'teltonika', epochMs(Date.now()));
const written = async ({ id }: TestVehicle) =>
  (
    await sql<{ fixes: number; late: number }>`select fixes, late from test_count where vehicle_id = ${id}`.execute(
      pipe.context.db.system,
    )
  ).rows[0];
/** As if the server that keeps it had been killed a while ago. */
const forgetRunnerOf = ({ id }: TestVehicle) =>
  sql`update projection_runner set seen_at = now() - interval '1 minute'
    where id = (select runner from projection_claim where vehicle_id = ${id})`.execute(otherDb.system);

it('how long positions have waited at another server counts, as long as that lives', async () => {
  const vehicle = await makeVehicle();
  const waited = new Map([[accountId, 90_000]]);
  const [mine, theirs] = [new Claims(pipe.context.db.system), new Claims(otherDb.system, () => waited)];
  await mine.seen();
  await theirs.take([vehicle.id], true);
  expect(await mine.othersWaitedMs(accountId)).toBeGreaterThanOrEqual(90_000);
  expect(await theirs.othersWaitedMs(accountId)).toBe(0);
  expect(await mine.othersWaitedMs(accountId + 1000)).toBe(0);
  const unseen = (seconds: number) =>
    sql`update projection_runner set seen_at = now() - make_interval(secs => ${seconds}), waiting = '{}'
      where id = (select runner from projection_claim where vehicle_id = ${vehicle.id})`.execute(otherDb.system);
  await unseen(20);
  expect(await mine.othersWaitedMs(accountId)).toBeGreaterThanOrEqual(20_000);
  // Others have its vehicles by now, or will with their next position.
  await unseen(60);
  expect(await mine.othersWaitedMs(accountId)).toBe(0);
  await Promise.all([mine.release(), theirs.release()]);
});

it('a vehicle that is deleted while its figures are written waits for them, and both succeed', async () => {
  const vehicle = await makeVehicle();
  const { system } = pipe.context.db;
  const claims = new Claims(system);
  await claims.take([vehicle.id], true);
  let deleted: Promise<unknown> = Promise.resolve();
  await system.transaction().execute(async trx => {
    await claims.hold(trx, [vehicle.id]);
    deleted = system.deleteFrom('vehicle').where('id', '=', vehicle.id).execute();
    await new Promise(resolve => void setTimeout(resolve, 100));
    // A row that refers to the vehicle.
    await trx
      .insertInto('visit_day')
      .values({
        ...{ account_id: accountId, vehicle_id: vehicle.id, day: '2026-11-20', box: null },
        state: JSON.stringify({}),
      })
      .execute();
  });
  await deleted;
  expect(await system.selectFrom('vehicle').select('id').where('id', '=', vehicle.id).execute()).toEqual([]);
  await claims.release();
});

describe('two runners on one database', () => {
  it('leave a vehicle to the one that keeps it, until it stops or is gone', async () => {
    const vehicle = await makeVehicle();
    await send(vehicle, positionMessage(Date.now() - MINUTE));
    const [first, second] = [open(), open(otherDb)];
    await first.runner.look();
    await second.runner.look();
    expect([first.keeps(vehicle), second.keeps(vehicle)]).toEqual([true, false]);

    await first.runner.stop();
    await second.runner.look();
    expect(second.keeps(vehicle)).toBe(true);

    const third = open();
    await third.runner.look();
    expect(third.keeps(vehicle)).toBe(false);
    await forgetRunnerOf(vehicle);
    await third.runner.look();
    expect(third.keeps(vehicle)).toBe(true);
    // It comes back, and finds that its vehicle is kept by another.
    await second.runner.look();
    expect(second.keeps(vehicle)).toBe(false);
  });

  it('leave days with late positions to the one that keeps the vehicle', async () => {
    const vehicle = await makeVehicle();
    const now = Date.now();
    await send(vehicle, positionMessage(now - MINUTE));
    const [first, second] = [open(), open(otherDb)];
    await first.runner.look();
    await send(vehicle, positionMessage(now - 90 * MINUTE));
    await second.runner.look();
    const isMarked = async () =>
      (
        await pipe.context.db.system
          .selectFrom('vehicle_day_stale')
          .select('day')
          .where('vehicle_id', '=', vehicle.id)
          .execute()
      ).length > 0;
    expect(await isMarked()).toBe(true);
    await first.runner.look();
    expect(await isMarked()).toBe(false);
    expect((await written(vehicle))?.late).toBeGreaterThan(0);
  });

  itHolds('count each fix once, whoever of them is asked, stops or is killed', { few: 8, many: 60 }, async numRuns => {
    const event = fc.record({
      fixes: fc.integer({ min: 0, max: 6 }),
      by: fc.constantFrom('first', 'second'),
      after: fc.constantFrom('nothing', 'nothing', 'look', 'stop', 'kill', 'gone'),
    } as const);
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 12 }), async events => {
        const vehicle = await makeVehicle();
        const runners = { first: open(), second: open(otherDb) };
        let atMs = Date.now() - 20 * MINUTE;
        // The runner begins a minute before the newest fix, so that this one is counted, too.
        await send(vehicle, positionMessage(atMs));
        await runners.first.runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
        let sent = 1;
        for (const { fixes, by, after } of events) {
          for (let i = 0; i < fixes; i++) {
            atMs += 5000;
            await send(vehicle, positionMessage(atMs));
          }
          sent += fixes;
          const other = by === 'first' ? otherDb : pipe.context.db;
          if (after === 'look') await runners[by].runner.look();
          else await runners[by].runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
          if (after === 'stop') await runners[by].runner.stop();
          if (after === 'gone') await forgetRunnerOf(vehicle);
          if (after === 'stop' || after === 'kill') runners[by] = open(other);
        }
        await runners.second.runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
        expect(runners.second.runner.isBehind(vehicle.id, Date.now())).toBe(false);
        await runners.second.runner.stop();
        expect((await written(vehicle))?.fixes).toBe(sent);
      }),
      { numRuns },
    );
  });

  it('let another take a vehicle over while one is about to write, and write once', async () => {
    const vehicle = await makeVehicle();
    const now = Date.now();
    await send(vehicle, positionMessage(now - 20_000));
    const [first, second] = [open(), open(otherDb)];
    await first.runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
    await send(vehicle, positionMessage(now - 10_000), positionMessage(now - 5000));
    // The first has them in memory only when the second takes over.
    await first.runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
    await second.runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
    await Promise.all([first.runner.stop(), second.runner.stop()]);
    expect((await written(vehicle))?.fixes).toBe(3);
  });
});

describe('readers while a past is folded', () => {
  it('[R7.37] are answered in time, and find what is folded later', async () => {
    const vehicle = await makeVehicle();
    await send(vehicle, positionMessage(Date.now() - MINUTE));
    const busy = Promise.withResolvers<void>();
    const { runner } = open(pipe.context.db, {
      adds: fold => Object.assign(fold, { foldAgain: () => busy.promise }),
    });
    await runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS / 100);
    await send(vehicle, positionMessage(Date.now() - 90 * MINUTE));
    const looking = runner.look();
    await expect.poll(() => runner.progress().lateDays).toBeGreaterThan(0);

    const waitedMs = async (timeoutMs: number): Promise<number> => {
      const began = performance.now();
      await runner.catchUp(accountId, [vehicle.id], timeoutMs);
      return performance.now() - began;
    };
    // A moment is not worth an answer that lacks the newest positions, but much of the past is.
    expect(await waitedMs(100)).toBeGreaterThan(1500);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000 });
    expect(await waitedMs(100)).toBeLessThan(1500);
    vi.useRealTimers();
    expect(runner.isBehind(vehicle.id, Date.now())).toBe(true);

    busy.resolve();
    await looking;
    await runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
    expect(runner.isBehind(vehicle.id, Date.now())).toBe(false);
  });
});

describe('under full load', () => {
  it('[R7.37] follows every vehicle while trackers keep the thread busy, none before another, and all of them afterwards', {
    timeout: 60_000,
  }, async () => {
    const vehicles: TestVehicle[] = [];
    for (let i = 0; i < 10; i++) vehicles.push(await makeVehicle());
    const begins = Date.now() - 20 * 3_600_000;
    let atMs = begins;
    let sent = 0;
    const sendAll = async () => {
      atMs += 20_000;
      const from = atMs;
      const positions = Array.from({ length: 20 }, (_, nth) => positionMessage(from + nth * 1000));
      await Promise.all(vehicles.map(vehicle => send(vehicle, ...positions)));
      sent += positions.length * vehicles.length;
    };
    await sendAll();
    const patience = { untilMs: 1500, endsMs: 3000, allMs: 6000 };
    const { runner } = open(pipe.context.db, { patience });
    await runner.catchUp(accountId, idsOf(vehicles), TIMEOUT_MS);
    runner.start();
    const thread = performance.eventLoopUtilization();
    const [began, first] = [performance.now(), runner.progress().followed];
    const through = () => vehicles.map(({ id }) => runner.throughMs(id) ?? 0);
    const before = through();
    // On a busy machine it takes longer until all have been followed further, but they are.
    while (performance.now() - began < 2 * patience.untilMs || through().some((ms, nth) => ms === before[nth])) {
      const sending = sendAll();
      // What decoding and subscribers would take.
      for (const until = performance.now() + 30; performance.now() < until; );
      await sending;
    }
    expect(performance.eventLoopUtilization(thread).utilization).toBeGreaterThan(0.6);
    // None waits for another one: what is read of each at once is all that lies between them.
    expect(Math.max(...through()) - Math.min(...through())).toBeLessThanOrEqual(POSITIONS_AT_ONCE * 1000);
    await runner.catchUp(accountId, idsOf(vehicles), TIMEOUT_MS);
    expect(vehicles.map(({ id }) => runner.throughMs(id))).toEqual(vehicles.map(() => atMs + 19_000));
    expect(runner.progress().followed - first).toBeLessThanOrEqual(sent);
  });

  it('[R7.37] a vehicle at its usual rate is followed at each look, however far others are behind, of whom nothing is lost', {
    timeout: 60_000,
  }, async () => {
    const [usual, ...flooding] = [await makeVehicle(), await makeVehicle(), await makeVehicle(), await makeVehicle()];
    const vehicles = [usual, ...flooding] as TestVehicle[];
    const begins = Date.now() - 20 * 3_600_000;
    for (const vehicle of vehicles) await send(vehicle, positionMessage(begins));
    const { runner } = open();
    await runner.catchUp(accountId, idsOf(vehicles), TIMEOUT_MS);
    const before = await Promise.all(vehicles.map(vehicle => written(vehicle)));
    const each = 6000;
    for (const vehicle of flooding) {
      await send(vehicle, ...Array.from({ length: each }, (_, nth) => positionMessage(begins + (nth + 1) * 1000)));
    }
    for (let nth = 1; nth <= 3; nth++) {
      const atMs = begins + nth * 10_000;
      await send(usual as TestVehicle, positionMessage(atMs));
      await runner.look();
      expect(runner.throughMs((usual as TestVehicle).id)).toBe(atMs);
      expect(flooding.map(({ id }) => runner.isBehind(id, Date.now()))).toEqual(flooding.map(() => true));
    }
    await runner.catchUp(accountId, idsOf(vehicles), 3 * TIMEOUT_MS);
    await runner.stop();
    const counted = await Promise.all(vehicles.map(vehicle => written(vehicle)));
    expect(counted.map((row, nth) => (row?.fixes ?? 0) - (before[nth]?.fixes ?? 0))).toEqual([
      3 + (before[0] ? 0 : 1),
      ...flooding.map((_, nth) => each + (before[nth + 1] ? 0 : 1)),
    ]);
  });
});

describe('beside an account that floods', () => {
  it('[R7.37] what another one has sent is followed to the newest after two reads, while the flood waits for itself', {
    timeout: 60_000,
  }, async () => {
    const elsewhere = await createAccount(pipe.context.db, { name: 'Elsewhere' });
    const other = await addVehicle(pipe.context, elsewhere);
    const flooding = await Promise.all(Array.from({ length: 12 }, makeVehicle));
    await directory.settled();
    const begins = Date.now() - 20 * 3_600_000;
    for (const vehicle of [other, ...flooding]) await send(vehicle, positionMessage(begins));
    const { runner } = open();
    await runner.catchUp(accountId, idsOf(flooding), TIMEOUT_MS);
    await runner.catchUp(elsewhere, [other.id], TIMEOUT_MS);
    const each = 1500;
    for (const vehicle of [other, ...flooding]) {
      await send(vehicle, ...Array.from({ length: each }, (_, nth) => positionMessage(begins + (nth + 1) * 1000)));
    }
    const first = runner.progress().followed;
    expect(runner.progress(accountId).behindMs).toBe(0);
    // The first look learns who is behind.
    for (let look = 0; look < 2; look++) await runner.look();
    expect(runner.isBehind(other.id, Date.now())).toBe(false);
    expect(flooding.map(({ id }) => runner.isBehind(id, Date.now()))).toEqual(flooding.map(() => true));
    expect(runner.progress().followed - first).toBeLessThan(3 * each + 3 * 4000);
    // Nothing of the other one waits: only what came since the last look may.
    await runner.look();
    await vi.waitFor(() =>
      expect(runner.progress(accountId).behindMs).toBeGreaterThan(runner.progress(elsewhere).behindMs),
    );
    while (flooding.some(({ id }) => runner.isBehind(id, Date.now()))) await runner.look();
    expect(runner.progress().followed - first).toBe(13 * each);
  });

  it('does not wait for a report whose time is yet to come', async () => {
    const ahead = await makeVehicle();
    const now = Date.now();
    await send(ahead, positionMessage(now - 10_000), positionMessage(now + 30_000));
    const { runner } = open();
    // Longer than this test may take.
    await runner.catchUp(accountId, [ahead.id], 10 * MINUTE);
    expect(runner.throughMs(ahead.id)).toBe(now - 10_000);
  });
});

describe('while some of the past is counted', () => {
  it('[R7.37] follows new positions, whose folds do not wait for it', { timeout: 30_000 }, async () => {
    const vehicle = await makeVehicle();
    await send(vehicle, positionMessage(Date.now() - MINUTE));
    let wentOn = 0;
    const { runner } = open(pipe.context.db, {
      adds: fold =>
        Object.assign(fold, {
          hasPast: true,
          goOn: async () => {
            wentOn++;
            await sleep(400);
          },
        }),
    });
    runner.start();
    await expect.poll(() => wentOn).toBeGreaterThan(0);
    for (let nth = 0; nth < 3; nth++) {
      const atMs = Date.now() - 1000;
      await send(vehicle, positionMessage(atMs));
      await expect.poll(() => runner.throughMs(vehicle.id), { interval: 50 }).toBe(atMs);
    }
    expect(wentOn).toBeGreaterThan(1);
  });

  it('[R7.37] a fold that is ahead goes on with what is new at once, and one behind it takes each fix in order, once', async () => {
    const vehicle = await makeVehicle();
    const now = Date.now();
    const day = Array.from({ length: 3000 }, (_, nth) => positionMessage(now - (3000 - nth) * 20_000));
    await send(vehicle, ...day);
    const newestMs = now - 20_000;
    /** As rules and visits begin at the newest fix, and figures of the day so far at its beginning. */
    const folds: Record<'ahead' | 'behind', Count[]> = { ahead: [], behind: [] };
    const beginning = (which: keyof typeof folds, throughMs: number): Projection<Count> => ({
      name: which,
      load: async (_, vehicles) =>
        new Map(
          vehicles.map(({ id }) => {
            const fold = new Count(id, throughMs, false);
            const { take } = fold;
            let reachedMs = throughMs;
            fold.take = async (reading, fixes) => {
              for (const { fix_at } of fixes) {
                expect(fix_at.getTime()).toBeGreaterThan(reachedMs);
                reachedMs = fix_at.getTime();
              }
              if (which === 'behind' && id === vehicle.id) await sleep(150);
              await take.call(fold, reading, fixes);
            };
            fold.mustBeWritten = () => false;
            if (id === vehicle.id) folds[which].push(fold);
            return [id, fold];
          }),
        ),
      write: async () => {},
    });
    const projections = [beginning('behind', now - 3001 * 20_000), beginning('ahead', newestMs)];
    const { runner } = open(pipe.context.db, { projections });
    await runner.look();
    const at = () => [folds.ahead[0]?.throughMs, folds.ahead[0]?.added];
    expect(at()).toEqual([newestMs, 0]);
    for (let nth = 1; nth <= 3; nth++) {
      await send(vehicle, positionMessage(newestMs + nth * 1000));
      await runner.look();
      expect(at()).toEqual([newestMs + nth * 1000, nth]);
      // Pages know that not all of it is counted.
      expect(folds.behind[0]?.throughMs).toBeLessThan(newestMs);
      expect(runner.isBehind(vehicle.id, Date.now())).toBe(true);
    }
    await runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
    expect(folds.behind.map(({ added, throughMs }) => [throughMs, added])).toEqual([[newestMs + 3000, 3003]]);
    expect(at()).toEqual([newestMs + 3000, 3]);
    expect(runner.isBehind(vehicle.id, Date.now())).toBe(false);
  });
});

const idsOf = (vehicles: readonly TestVehicle[]): number[] => vehicles.map(({ id }) => id);

describe('how far it is', () => {
  it('says so for a moment, and where late positions are still to be counted', async () => {
    const vehicle = await makeVehicle();
    const now = Date.now();
    const at = (minutes: number) => Math.floor(now / MINUTE) * MINUTE - minutes * MINUTE;
    await send(vehicle, positionMessage(at(30)));
    const { runner } = open();
    await runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
    expect([runner.throughMs(vehicle.id), runner.isBehind(vehicle.id, now)]).toEqual([at(30), false]);

    await send(vehicle, positionMessage(at(10)));
    expect(runner.isBehind(vehicle.id, now)).toBe(true);
    // What is asked for was over before that.
    expect(runner.isBehindBefore(vehicle.id, at(30))).toBe(false);

    await send(vehicle, positionMessage(at(60 * 24 * 5)));
    const { system } = pipe.context.db;
    const dayFrom = (minutes: number) => ({ fromMs: at(minutes), toMs: at(minutes - 24 * 60) });
    expect(await isLateBetween(system, vehicle.id, dayFrom(60 * 24 * 5.5))).toBe(true);
    expect(await isLateBetween(system, vehicle.id, dayFrom(60 * 24 * 2))).toBe(false);
    await runner.catchUp(accountId, [vehicle.id], TIMEOUT_MS);
    expect(runner.isBehind(vehicle.id, now)).toBe(false);
    expect(await isLateBetween(system, vehicle.id, dayFrom(60 * 24 * 5.5))).toBe(false);
  });
});
