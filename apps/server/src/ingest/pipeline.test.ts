import { setTimeout as sleep } from 'node:timers/promises';
import type { PositionMessage } from '@milepost/decoders';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  addVehicle,
  metric,
  positionMessage,
  startPipeline,
  type TestPipeline,
  type TestVehicle,
} from '../../testing/ingest.ts';
import { toLiveState } from '../fleet/vehicle-state.ts';
import { NotStored } from './lane.ts';

const T = Date.parse('2026-11-20T12:00:00Z');
const SECOND = 1000;

let test: TestPipeline;
beforeAll(async () => {
  test = await startPipeline();
});
afterAll(() => test.close());

/** A drive to the north, a fix every ten seconds. */
const fix = (n: number, fields: Partial<PositionMessage> = {}): PositionMessage =>
  positionMessage(T + n * 10 * SECOND, {
    lat: degrees(41.9 + n * 0.00126),
    speed: metresPerSecond(14),
    ...fields,
  });
const accept = (vehicle: TestVehicle, ...positions: PositionMessage[]) =>
  test.pipeline.accept(vehicle, positions, 'teltonika', epochMs(T + 3_600_000));
const rowsOf = ({ id }: TestVehicle) =>
  test.database.databases.system
    .selectFrom('position')
    .selectAll()
    .where('vehicle_id', '=', id)
    .orderBy('fix_at')
    .execute();
const fixNumbers = async (vehicle: TestVehicle) =>
  (await rowsOf(vehicle)).map(row => (row.fix_at.getTime() - T) / 10 / SECOND);
const publishedOf = ({ id }: TestVehicle) => test.published.filter(change => change.vehicle.id === id);

it('[I1] has every position and the live state in the database by the time it resolves', async () => {
  const vehicle = await addVehicle(test.context);
  await accept(vehicle, fix(0, { event: 'sos', rfid: '0A1B' }), fix(1));
  const [first] = await rowsOf(vehicle);
  expect(first).toMatchObject({
    account_id: vehicle.accountId,
    fix_at: new Date(T),
    received_at: new Date(T + 3_600_000),
    lat: 41.9,
    lon: -87.68,
    speed: 14,
    course: 90,
    altitude: 180,
    odometer: 1_234_567,
    fuel: 64.5,
    temperature: -18.5,
    satellites: 11,
    gsm: 21,
    valid: true,
    ignition: true,
    late: false,
    doubts: 0,
    protocol: 'teltonika',
    event: 'sos',
    rfid: '0A1B',
    attributes: { externalVoltage: 12.6 },
  });
  expect(await fixNumbers(vehicle)).toEqual([0, 1]);
  expect((await test.reloaded()).of(vehicle.id)).toEqual(test.live.of(vehicle.id));
});

it('publishes each vehicle once a commit, after it, with the state before and the state it now has', async () => {
  const vehicle = await addVehicle(test.context);
  await accept(vehicle, fix(0), fix(1), fix(2));
  await expect.poll(() => publishedOf(vehicle)).toHaveLength(1);
  const [change] = publishedOf(vehicle);
  expect(change?.before).toBeNull();
  expect(change?.after.newest?.fixAt).toBe(T + 20 * SECOND);
});

it('[I6] stores a late position, and changes neither the live position nor the motion', async () => {
  const vehicle = await addVehicle(test.context);
  await accept(vehicle, fix(10), fix(11));
  const before = test.live.of(vehicle.id);
  await accept(vehicle, fix(3, { speed: metresPerSecond(0), ignition: false }));
  expect(await fixNumbers(vehicle)).toEqual([3, 10, 11]);
  expect((await rowsOf(vehicle)).map(row => row.late)).toEqual([true, false, false]);
  expect(test.live.of(vehicle.id)).toEqual(before);
});

it('stores a position that comes again once, and the first one stays', async () => {
  const vehicle = await addVehicle(test.context);
  const duplicates = await metric(test.context, 'milepost_positions_duplicate_total');
  await accept(vehicle, fix(0, { event: 'ignitionOn' }));
  await Promise.all([accept(vehicle, fix(0)), accept(vehicle, fix(0), fix(0)), accept(vehicle, fix(1))]);
  expect((await rowsOf(vehicle)).map(row => row.event)).toEqual(['ignitionOn', null]);
  expect(await metric(test.context, 'milepost_positions_duplicate_total')).toBe(duplicates + 3);
});

it('stores what it takes for new and is there already, once, with all that came with it', async () => {
  const vehicle = await addVehicle(test.context);
  // As if a batch was committed and its confirmation lost.
  await test.context.db.system
    .insertInto('position')
    .values(
      [3, 9].map(n => ({
        account_id: vehicle.accountId,
        vehicle_id: vehicle.id,
        fix_at: new Date(fix(n).time),
        received_at: new Date(fix(n).time),
        lat: 1,
        lon: 1,
        valid: true,
        late: false,
        doubts: 0,
        protocol: 'teltonika',
      })),
    )
    .execute();
  await accept(vehicle, ...Array.from({ length: 40 }, (_, n) => fix(n)));
  expect(await fixNumbers(vehicle)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  expect((await rowsOf(vehicle)).filter(row => row.lat === 1)).toHaveLength(2);
});

it('stores implausible positions with their doubts', async () => {
  const vehicle = await addVehicle(test.context);
  await accept(vehicle, fix(0), fix(1, { lat: degrees(0), lon: degrees(0) }), fix(2, { lat: degrees(60) }));
  expect((await rowsOf(vehicle)).map(row => row.doubts)).toEqual([0, 0b0100, 0b0001]);
  expect(toLiveState(test.live.of(vehicle.id))).toMatchObject({ lat: 41.9, fixAt: '2026-11-20T12:00:20.000Z' });
});

/**
 * What holds of any permutation and repetition of a stream, cut into messages anyhow: the same rows with the same
 * measured values, and the same newest position. `late` tells the order of arrival, so it differs, and so does a motion
 * that late fixes would have told; the next fix in order finds the same vehicle at the same place.
 */
it('[I6] stores the same rows and ends at the same newest position, however the stream was shuffled and repeated', async () => {
  const positions = Array.from({ length: 12 }, (_, n) => fix(n));
  const arrival = fc
    .shuffledSubarray([...positions.keys(), ...positions.keys()], { minLength: 24 })
    .chain(order =>
      fc.tuple(fc.constant(order), fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 24, maxLength: 24 })),
    );
  const measured = ({ vehicle_id: _, account_id: __, late: ___, ...row }: Awaited<ReturnType<typeof rowsOf>>[number]) =>
    row;

  const ordered = await addVehicle(test.context);
  await accept(ordered, ...positions);
  const expected = (await rowsOf(ordered)).map(measured);

  await fc.assert(
    fc.asyncProperty(arrival, async ([order, sizes]) => {
      const vehicle = await addVehicle(test.context);
      const messages = sizes.map(size => order.splice(0, size)).filter(numbers => numbers.length > 0);
      await Promise.all(messages.map(numbers => accept(vehicle, ...numbers.map(n => positions[n]!))));
      expect((await rowsOf(vehicle)).map(measured)).toEqual(expected);
      const { motion, newest } = test.live.of(vehicle.id)!;
      expect({ ...newest, late: false }).toEqual(test.live.of(ordered.id)!.newest);
      expect(motion).toMatchObject({ place: test.live.of(ordered.id)!.motion.place, gpsValid: true });
      expect((await test.reloaded()).of(vehicle.id)).toEqual(test.live.of(vehicle.id));
    }),
    { numRuns: 25 },
  );
});

it('[I1] finds the same live states after a kill, though it does not write them with every position', async () => {
  const vehicles = await Promise.all(Array.from({ length: 3 }, () => addVehicle(test.context)));
  const [drives, jumps, stands] = vehicles as [TestVehicle, TestVehicle, TestVehicle];
  for (let n = 0; n < 40; n++) {
    await Promise.all([
      accept(drives, fix(n * 3), fix(n * 3 + 2), fix(n * 3 + 1)),
      accept(
        jumps,
        fix(
          n,
          n % 7 === 3 ? { lat: degrees(60) } : n % 5 === 4 ? { valid: false, lat: degrees(0), lon: degrees(0) } : {},
        ),
      ),
      accept(stands, fix(n, { lat: degrees(41.9), speed: metresPerSecond(0), ignition: n < 10 }), fix(n - 20)),
    ]);
  }
  const reloaded = await test.reloaded();
  for (const { id } of vehicles) expect(reloaded.of(id)).toEqual(test.live.of(id));
  const writes = await sql<{
    n: number;
  }>`select n_tup_upd::int4 as n from pg_stat_user_tables where relname = 'vehicle_state'`.execute(
    test.context.db.system,
  );
  expect(writes.rows[0]!.n).toBeLessThan(100);
});

it('notes a sign of life without a position', async () => {
  const vehicle = await addVehicle(test.context);
  test.pipeline.heard(vehicle, epochMs(T));
  test.pipeline.heard(vehicle, epochMs(T + SECOND));
  await expect.poll(async () => (await test.reloaded()).of(vehicle.id)).toMatchObject({ heardAt: T, newest: null });
  test.pipeline.heard(vehicle, epochMs(T + 60 * SECOND));
  await expect.poll(() => test.live.of(vehicle.id)?.heardAt).toBe(T + 60 * SECOND);
});

describe('what can not be stored', () => {
  it('refuses one message and stores all the others of its batch', async () => {
    await sql`alter table position add constraint poison check (event <> 'poison')`.execute(test.context.db.system);
    const vehicles = await Promise.all(Array.from({ length: 9 }, () => addVehicle(test.context)));
    const results = await Promise.allSettled(
      vehicles.map((vehicle, n) => accept(vehicle, fix(0), fix(1, { event: n === 4 ? 'poison' : null }), fix(-1))),
    );
    expect(results.map(result => result.status === 'fulfilled')).toEqual(vehicles.map((_, n) => n !== 4));
    expect(results[4]).toMatchObject({ reason: expect.any(NotStored) });
    expect(await Promise.all(vehicles.map(fixNumbers))).toEqual(vehicles.map((_, n) => (n === 4 ? [] : [-1, 0, 1])));
    expect(test.live.of(vehicles[4]!.id)).toBeNull();
    await sql`alter table position drop constraint poison`.execute(test.context.db.system);
  });

  it('leaves nothing of a vehicle that is removed while its positions come in', async () => {
    const [gone, stays] = await Promise.all([addVehicle(test.context), addVehicle(test.context)]);
    await accept(gone, fix(0));
    const arriving = Promise.allSettled(Array.from({ length: 50 }, (_, n) => accept(gone, fix(n + 1))));
    await test.context.db.asAccount(gone.accountId, async trx => {
      await trx.deleteFrom('vehicle').where('id', '=', gone.id).execute();
      await trx.deleteFrom('position').where('vehicle_id', '=', gone.id).execute();
    });
    // Not told yet: this one may be stored.
    await Promise.allSettled([accept(gone, fix(60))]);
    await Promise.all([test.pipeline.remove(gone), arriving]);
    const results = await Promise.allSettled([accept(gone, fix(61)), accept(stays, fix(0))]);
    expect(results).toMatchObject([{ reason: expect.any(NotStored) }, { status: 'fulfilled' }]);
    expect(await rowsOf(gone)).toEqual([]);
    expect(test.live.of(gone.id)).toBeNull();
    expect(await fixNumbers(stays)).toEqual([0]);
  });

  it('refuses a message whose position has no time', async () => {
    const vehicle = await addVehicle(test.context);
    await expect(accept(vehicle, fix(0), fix(1, { time: epochMs(Number.NaN) }))).rejects.toThrow(NotStored);
    expect(await rowsOf(vehicle)).toEqual([]);
  });
});

describe('while the database does not take positions', () => {
  const isPending = (promise: Promise<unknown>) =>
    Promise.race([promise.then(() => false), new Promise(resolve => setTimeout(resolve, 200, true))]);

  it('[I1] queues, says why, asks callers to stop reading when the queue is full, and resumes on its own', async () => {
    const [one, ...others] = await Promise.all(Array.from({ length: 5 }, () => addVehicle(test.context)));
    const admin = test.context.db.system;
    await sql`alter table position rename to position_away`.execute(admin);
    const waiting = accept(one!, fix(0));
    expect(await isPending(waiting)).toBe(true);
    expect(test.pipeline.trouble()).toMatch(/does not take positions .*position.* trackers keep/);

    const flood = others.map(vehicle => accept(vehicle, ...Array.from({ length: 5000 }, (_, n) => fix(n))));
    expect(test.pipeline.hasRoom()).toBe(false);
    const room = test.pipeline.whenRoom();
    expect(await isPending(room)).toBe(true);

    await sql`alter table position_away rename to position`.execute(admin);
    await Promise.all([waiting, room, ...flood]);
    expect(test.pipeline.trouble()).toBeNull();
    expect(test.pipeline.hasRoom()).toBe(true);
    expect(await fixNumbers(one!)).toEqual([0]);
    expect(await metric(test.context, 'milepost_ingest_queue_positions')).toBe(0);
  });

  it('says so when the database does not answer at all', async () => {
    const vehicle = await addVehicle(test.context);
    const blocker = new Client(test.database.url);
    await blocker.connect();
    await blocker.query('begin; lock table position in access exclusive mode');
    const waiting = accept(vehicle, fix(0));
    await vi.waitFor(() => expect(test.pipeline.trouble()).toMatch(/has not answered for 1\d seconds/), {
      timeout: 35_000,
    });
    await blocker.query('rollback');
    await blocker.end();
    await waiting;
    expect(test.pipeline.trouble()).toBeNull();
  });

  it('survives that its connections are cut again and again', async () => {
    const vehicle = await addVehicle(test.context);
    const knife = new Client(test.database.url);
    await knife.connect();
    let cuts = 0;
    // Where a commit takes longer than the knife's pause, every attempt would be cut, forever.
    let cutsSinceStored = 0;
    const cutting = { stop: false };
    const cut = (async () => {
      while (!cutting.stop) {
        if (cutsSinceStored < 3) {
          const { rowCount } = await knife.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and query ~ '(into|copy) position' and pid <> pg_backend_pid()`);
          cuts += rowCount ?? 0;
          cutsSinceStored += rowCount ?? 0;
        }
        await sleep(5);
      }
    })();
    // On a busy machine the knife may come late: there is no end before it has cut.
    let sent = 0;
    for (; sent < 400 || cuts < 3; sent += 40) {
      const numbers = Array.from({ length: 40 }, (_, n) => sent + n);
      await Promise.all(numbers.map(number => accept(vehicle, fix(number))));
      cutsSinceStored = 0;
    }
    cutting.stop = true;
    await cut;
    await knife.end();
    // A signal that was sent takes a moment to arrive.
    await sleep(100);
    expect(await fixNumbers(vehicle)).toEqual(Array.from({ length: sent }, (_, n) => n));
  });
});

it('commits what waits before it stops, and takes nothing afterwards', async () => {
  const own = await startPipeline();
  const vehicle = await addVehicle(own.context);
  const last = own.pipeline.accept(vehicle, [fix(0)], 'gt06', epochMs(T));
  await own.pipeline.stop(5000);
  await last;
  expect((await own.reloaded()).of(vehicle.id)?.newest?.protocol).toBe('gt06');
  await expect(own.pipeline.accept(vehicle, [fix(1)], 'gt06', epochMs(T))).rejects.toThrow(NotStored);
  await own.close();
});
