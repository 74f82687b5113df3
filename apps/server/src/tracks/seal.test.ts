import { degrees, epochMs, metres, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testContext } from '../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { addVehicle, type TestVehicle } from '../../testing/ingest.ts';
import { receivedPosition } from '../../testing/stored-positions.ts';
import type { Context } from '../context.ts';
import { openDatabases } from '../db/database.ts';
import { BatchWriter } from '../ingest/batch-writer.ts';
import { readColumns } from './columns.ts';
import { exportedPositions } from './exported.ts';
import { firstOfEachDay, fixesAround, fixesBefore, momentsAround, readOn } from './fixes.ts';
import { inTransaction } from './in-transaction.ts';
import { keepPartitions } from './partitions.ts';
import { believedFixes, newestPositions, positionsFrom } from './read.ts';
import { deletePositionsBefore, reopenDays, type Sealing, sealOldDays } from './seal.ts';
import { dayOf, packDay } from './sealed-day.ts';
import { readSpan } from './span.ts';
import { POSITION_COLUMNS, type StoredPosition } from './stored-position.ts';
import { eventsAt, setEvent } from './write.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Noon, so that the same histories come about at every hour. */
const NOW = (Math.floor(Date.now() / DAY) + 0.5) * DAY;
/** Days are filled from here on; the last ones are too young to be sealed. */
const START = Math.floor(NOW / DAY) * DAY - 6 * DAY;
const LENGTH = NOW - START;
const log = pino({ level: 'silent' });

let database: TestDatabase;
let context: Context;
beforeAll(async () => {
  database = await testDatabase();
  context = testContext(database.databases);
  const partitions = await keepPartitions(context.db.pool, log);
  partitions.stop();
});
afterAll(() => database.close());

const sealingOf = (pool: Pool, afterDays = 2): Sealing => ({
  pool,
  log,
  pack: async rows => packDay(rows),
  afterDays,
  withinMs: 60_000,
  isStopped: () => false,
});
const seal = (afterDays = 2, nowMs = NOW) => sealOldDays(sealingOf(context.db.pool, afterDays), nowMs);

const stored = (timeMs: number, fields: Partial<StoredPosition> = {}): StoredPosition => ({
  ...receivedPosition(timeMs),
  late: false,
  doubts: 0,
  ...fields,
});

/** As ingest writes a batch. */
async function write(vehicle: TestVehicle, positions: readonly StoredPosition[], newestMs: number): Promise<number> {
  let newest = newestMs;
  const rows = positions.map(position => {
    const isNew = position.fixAt > newest;
    newest = Math.max(newest, position.fixAt);
    return { vehicle, position: { ...position, late: !isNew }, isNew };
  });
  await new BatchWriter(context.db.pool).write(rows, []);
  const state = { heard_at: new Date(), live: JSON.stringify({ fixAt: newest }) };
  await context.db.system
    .insertInto('vehicle_state')
    .values({ ...state, vehicle_id: vehicle.id, account_id: vehicle.accountId })
    .onConflict(conflict => conflict.column('vehicle_id').doUpdateSet(state))
    .execute();
  return newest;
}

const sealedDays = async ({ id }: TestVehicle): Promise<string[]> =>
  (
    await context.db.system.selectFrom('sealed_day').select('day').where('vehicle_id', '=', id).orderBy('day').execute()
  ).map(({ day }) => day);
const rowsOf = async ({ id }: TestVehicle): Promise<number> =>
  (await context.db.system.selectFrom('position').select('fix_at').where('vehicle_id', '=', id).execute()).length;

const IN_COLUMNS = POSITION_COLUMNS.filter(name => name !== 'fix_at' && name !== 'received_at') as Exclude<
  (typeof POSITION_COLUMNS)[number],
  'fix_at' | 'received_at'
>[];

/** All that can be read of a vehicle, in stretches that begin and end anywhere. */
async function read({ id, accountId }: TestVehicle, fromMs: number, toMs: number, limit: number): Promise<unknown> {
  const { db } = context;
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  return db.asAccount(accountId, async trx => {
    const exported: { readonly at: string; readonly row: unknown }[] = [];
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof exportedPositions>> = await exportedPositions(trx, id, after, limit);
      exported.push(...page.map(({ at, row }) => ({ at, row: row.replace(`"vehicle_id": ${id}`, '') })));
      after = page.at(-1)?.at ?? null;
      if (page.length < limit) break;
    }
    const reader = { vehicleId: id, throughMs: fromMs, newestMs: toMs };
    const columns = await readColumns(trx, { vehicleId: id, from, to }, IN_COLUMNS);
    const rows = await readSpan(trx, { vehicleId: id, from, to }, { columns: IN_COLUMNS });
    expect(columns.fixAt).toEqual(rows.map(row => row.fix_at.getTime()));
    for (const name of IN_COLUMNS) expect([name, columns[name]]).toEqual([name, rows.map(row => row[name])]);
    return {
      columns,
      exported,
      from: await positionsFrom(trx, id, { from, isFromIncluded: true, to }, limit),
      after: await positionsFrom(trx, id, { from, isFromIncluded: false, to }, limit),
      newest: await newestPositions(trx, id, limit),
      believed: await believedFixes(trx, id, { after: from, to }),
      believedFew: await believedFixes(trx, id, { after: from, to }, limit),
      before: await fixesBefore(trx, id, to),
      around: await fixesAround(trx, id, from, to),
      moments: await momentsAround(trx, id, from, to),
      days: await firstOfEachDay(db.system, id, to),
      on: [...(await readOn(db.system, [reader], NOW, limit)).values()],
      measured: [...(await readOn(db.system, [{ ...reader, isMeasured: true }], NOW, limit)).values()],
    };
  });
}

const at = fc.integer({ min: 0, max: Math.floor(LENGTH / MINUTE) }).map(minutes => START + minutes * MINUTE);
/** One that can't be packed exactly keeps its day as rows. */
const mostly = (exact: readonly number[], finer: readonly number[]) =>
  fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...exact) }, { weight: 1, arbitrary: fc.constantFrom(...finer) });
const position = fc
  .record({
    timeMs: at,
    lat: mostly([41.9, 42.123456, 0], [-0, 41.9000001, 89.123456789]),
    lon: mostly([-87.68, 179.99], [-0]),
    speed: fc.constantFrom(null, 0, 12.5, 33.333332),
    odometer: fc.constantFrom(null, 1_234_567.8),
    valid: fc.boolean(),
    doubts: fc.constantFrom(0, 0, 0, 1, 2, 5),
    ignition: fc.constantFrom(null, true, false),
    event: fc.constantFrom(null, 'sos', 'harshBraking'),
    rfid: fc.constantFrom(null, '9A3F'),
    attributes: fc.constantFrom<StoredPosition['attributes']>(null, {}, { privateMode: true }, { io: 'b', 'ü ”': 0.1 }),
  })
  .map(({ timeMs, lat, lon, speed, odometer, ...fields }) =>
    stored(timeMs, {
      ...fields,
      lat: degrees(lat),
      lon: degrees(lon),
      speed: speed === null ? null : metresPerSecond(speed),
      odometer: odometer === null ? null : metres(odometer),
      receivedAt: epochMs(timeMs + 1234),
    }),
  );
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ write: fc.array(position, { minLength: 1, maxLength: 40 }), inOrder: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ seal: fc.constantFrom(2, 2, 3, 4) }) },
  { weight: 1, arbitrary: fc.record({ deleteBefore: at }) },
  { weight: 1, arbitrary: fc.record({ event: at }) },
);

describe('a vehicle whose days are sealed', () => {
  const sameReading = async (numRuns: number): Promise<void> => {
    let sealed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(position, { minLength: 20, maxLength: 40 }),
        fc.array(step, { minLength: 1, maxLength: 7 }),
        at,
        at,
        fc.integer({ min: 1, max: 50 }),
        async (first, steps, one, other, limit) => {
          const plain = await addVehicle(context);
          const packed = await addVehicle(context, plain.accountId);
          let newest = Number.NEGATIVE_INFINITY;
          // Each history has days to pack, and the last seal packs what is left of them.
          for (const each of [{ write: first, inOrder: true }, ...steps, { seal: 2 }]) {
            if ('write' in each) {
              const batch = each.inOrder ? each.write.toSorted((a, b) => a.fixAt - b.fixAt) : each.write;
              await write(plain, batch, newest);
              // What `plain` has is never sealed: its written state knows of nothing.
              await context.db.system.deleteFrom('vehicle_state').where('vehicle_id', '=', plain.id).execute();
              newest = await write(packed, batch, newest);
            } else if ('seal' in each) {
              sealed += (await seal(each.seal)).days;
            } else if ('deleteBefore' in each) {
              const before = new Date(each.deleteBefore);
              const { pool } = context.db;
              expect(await deletePositionsBefore(pool, packed.id, before)).toBe(
                await deletePositionsBefore(pool, plain.id, before),
              );
            } else {
              const events = await Promise.all(
                [plain, packed].map(({ id: vehicleId }) =>
                  inTransaction(context.db.pool, async client => {
                    const moment = { vehicleId, fixAtMs: each.event };
                    await reopenDays(client, [{ vehicleId, day: dayOf(each.event) }]);
                    await setEvent(client, moment, 'towing');
                    return (await eventsAt(client, [moment])).map(({ event }) => event);
                  }),
                ),
              );
              expect(events[1]).toEqual(events[0]);
            }
            const [from, to] = [Math.min(one, other), Math.max(one, other)];
            expect(await read(packed, from, to, limit)).toEqual(await read(plain, from, to, limit));
          }
          expect(await sealedDays(plain)).toEqual([]);
          // The next run's sealing need not look at these.
          const { pool } = context.db;
          await pool.query('delete from vehicle where account_id = $1', [plain.accountId]);
          await pool.query('delete from position where account_id = $1', [plain.accountId]);
        },
      ),
      { numRuns },
    );
    expect(sealed).toBeGreaterThan(numRuns);
  };

  it(
    'reads like one whose days are not, whatever came late, twice or in doubt, and whatever was deleted',
    {
      timeout: 60_000,
    },
    () => sameReading(12),
  );

  it('gives the next fixes to the limit, past packed ones of impossible times', async () => {
    const vehicle = await addVehicle(context);
    const days = [0, 1, 2, 3].map(day => START + day * DAY);
    await write(
      vehicle,
      days.flatMap((day, nth) => [
        stored(day, { doubts: nth < 2 ? 2 : 0 }),
        stored(day + MINUTE, { doubts: nth === 0 ? 0 : 2 }),
      ]),
      0,
    );
    await seal();
    expect(await sealedDays(vehicle)).toHaveLength(4);
    const reader = { vehicleId: vehicle.id, throughMs: START - 1, newestMs: START - 1 };
    const next = await readOn(context.db.system, [reader], NOW, 2);
    expect(next.get(vehicle.id)?.map(fix => fix.fix_at.getTime())).toEqual([START + MINUTE, days[2]]);
  });

  it('so do hundreds of them', { tags: ['long'], timeout: 900_000 }, () => sameReading(300));
});

describe('sealing', () => {
  it('takes whole days that are over, two days later at the earliest; a late position opens its day', async () => {
    const vehicle = await addVehicle(context);
    const days = [0, 1, 2, 3, 4, 5, 6].map(day => START + day * DAY);
    const newest = await write(
      vehicle,
      days.map(day => stored(day)),
      0,
    );
    await seal();
    const names = days.map(dayOf);
    expect(await sealedDays(vehicle)).toEqual(names.slice(0, 4));
    expect(await rowsOf(vehicle)).toBe(3);

    await write(vehicle, [stored((days[1] ?? 0) + MINUTE)], newest);
    expect(await sealedDays(vehicle)).toEqual([names[0], names[2], names[3]]);
    await seal();
    expect(await rowsOf(vehicle)).toBe(3);
    expect(await sealedDays(vehicle)).toEqual(names.slice(0, 4));
    // Nothing that was counted is counted anew.
    const stale = await context.db.system
      .selectFrom('vehicle_day_stale')
      .select(['day', 'marks'])
      .where('vehicle_id', '=', vehicle.id)
      .execute();
    expect(stale).toEqual([{ day: names[1], marks: '1' }]);
  });

  it('leaves what its vehicle has not followed yet, and what it can’t keep to the last bit', async () => {
    const vehicle = await addVehicle(context);
    await write(vehicle, [stored(START), stored(START + DAY)], 0);
    await context.db.pool.query(`update vehicle_state set live = $2 where vehicle_id = $1`, [
      vehicle.id,
      JSON.stringify({ fixAt: START + MINUTE }),
    ]);
    await context.db.pool.query(
      `insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, valid, late, protocol)
       values ($1, $2, $3::timestamptz + interval '7 microseconds', now(), 1, 1, true, false, 'teltonika')`,
      [vehicle.accountId, vehicle.id, new Date(START - DAY)],
    );
    expect((await seal()).kept).toBeGreaterThan(0);
    expect(await sealedDays(vehicle)).toEqual([dayOf(START)]);
    expect(await rowsOf(vehicle)).toBe(2);
  });

  it('goes with the vehicle, and another account sees none of it', async () => {
    const vehicle = await addVehicle(context);
    const other = await addVehicle(context);
    await write(vehicle, [stored(START), stored(START + DAY)], 0);
    await seal();
    const { db } = context;
    const seen = (accountId: number) =>
      db.asAccount(accountId, trx =>
        trx.selectFrom('sealed_day').select('day').where('vehicle_id', '=', vehicle.id).execute(),
      );
    expect(await seen(vehicle.accountId)).toHaveLength(2);
    expect(await seen(other.accountId)).toEqual([]);
    await db.asAccount(vehicle.accountId, trx => trx.deleteFrom('vehicle').where('id', '=', vehicle.id).execute());
    expect(await sealedDays(vehicle)).toEqual([]);
  });

  it('comes to every vehicle, though days that stay as rows take all of its time', async () => {
    const own = await testDatabase();
    const { pool, system } = own.databases;
    try {
      const [finer, plain] = [
        await addVehicle(testContext(own.databases)),
        await addVehicle(testContext(own.databases)),
      ];
      for (const { id, accountId } of [finer, plain]) {
        await pool.query(
          `insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, valid, late, protocol)
           values ($1, $2, $3::timestamptz + $4::interval, $3, 1, 1, true, false, 'teltonika')`,
          [accountId, id, new Date(START), id === finer.id ? '7 microseconds' : '0'],
        );
        const state = { heard_at: new Date(), live: JSON.stringify({ fixAt: NOW }) };
        await system
          .insertInto('vehicle_state')
          .values({ ...state, vehicle_id: id, account_id: accountId })
          .execute();
      }
      let days = 0;
      for (let run = 0; run < 60 && days === 0; run++) {
        let asked = 0;
        days += (await sealOldDays({ ...sealingOf(pool), isStopped: () => asked++ > 0 })).days;
      }
      expect(days).toBe(1);
    } finally {
      await own.close();
    }
  });

  it('takes days in UTC, whatever the time zone of the database', async () => {
    const own = await testDatabase();
    try {
      const { system } = own.databases;
      await sql`select format('alter database %I set timezone = %L', current_database(), 'America/New_York') as change`
        .execute(system)
        .then(({ rows }) => sql.raw((rows[0] as { change: string }).change).execute(system));
      // Of connections that are opened from now on.
      const far = openDatabases(own.connection);
      try {
        const vehicle = await addVehicle(testContext(far));
        const hours = Array.from({ length: 72 }, (_, hour) => stored(START + hour * 3_600_000));
        const batch = hours.map(position => ({ vehicle, position, isNew: true }));
        await new BatchWriter(far.pool).write(batch, []);
        const state = { heard_at: new Date(), live: JSON.stringify({ fixAt: NOW }) };
        await far.system
          .insertInto('vehicle_state')
          .values({ ...state, vehicle_id: vehicle.id, account_id: vehicle.accountId })
          .execute();
        expect((await sealOldDays(sealingOf(far.pool))).days).toBe(3);
        const days = await far.system
          .selectFrom('sealed_day')
          .select(['day', 'positions', 'from_at', 'to_at'])
          .orderBy('day')
          .execute();
        expect(days).toEqual(
          [0, 1, 2].map(day => ({
            day: dayOf(START + day * DAY),
            positions: 24,
            from_at: new Date(START + day * DAY),
            to_at: new Date(START + day * DAY + 23 * 3_600_000),
          })),
        );
        for (const { fixAt } of hours) {
          const here = { from: new Date(fixAt), isFromIncluded: true, to: new Date(fixAt) };
          const found = await far.asAccount(vehicle.accountId, trx => positionsFrom(trx, vehicle.id, here, 10));
          expect(found.map(position => position.fixAt)).toEqual([fixAt]);
        }
      } finally {
        await far.close();
      }
    } finally {
      await own.close();
    }
  });

  it('drops months that it leaves empty, and they are made again for what comes late', async () => {
    const own = await testDatabase();
    const { pool } = own.databases;
    try {
      const partitions = await keepPartitions(pool, log);
      const ownContext = testContext(own.databases);
      const vehicle = await addVehicle(ownContext);
      const month = Date.UTC(new Date(NOW).getUTCFullYear(), new Date(NOW).getUTCMonth() - 4, 15);
      const batch = [{ vehicle, position: stored(month), isNew: true }];
      const months = async () =>
        (
          await pool.query(
            `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'position'::regclass`,
          )
        ).rows.length;
      const before = await months();
      await partitions.cover(batch);
      expect(await months()).toBe(before + 1);
      await new BatchWriter(pool).write(batch, []);
      await own.databases.system
        .insertInto('vehicle_state')
        .values({
          vehicle_id: vehicle.id,
          account_id: vehicle.accountId,
          heard_at: new Date(),
          live: JSON.stringify({ fixAt: month }),
        })
        .execute();
      expect((await sealOldDays(sealingOf(pool))).days).toBe(1);
      expect(await months()).toBe(before);
      partitions.stop();
      const again = await keepPartitions(pool, log);
      await again.cover(batch);
      expect(await months()).toBe(before + 1);
      again.stop();
    } finally {
      await own.close();
    }
  });
});
