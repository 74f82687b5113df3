import { randomUUID } from 'node:crypto';
import { shownSegments } from '@milepost/eld';
import { evaluate, readDutyLog, ruleSets } from '@milepost/hos';
import { degrees, epochMs, fromMilesPerHour, metres, metresPerSecond } from '@milepost/units';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { pressedDuring } from '../apps/server/src/modules/demo/duty.ts';
import { readLog } from '../apps/server/src/modules/logbook/export.ts';
import { createRecorder } from '../apps/server/src/modules/logbook/recorder/recorder.ts';
import { townFinder } from '../apps/server/src/modules/logbook/towns.ts';
import type { FixRow } from '../apps/server/src/tracks/fixes.ts';
import { addVehicle, NO_PRIVATE_TIME, startPipeline, type TestPipeline } from '../apps/server/testing/ingest.ts';
import { receivedPosition, storePositions } from '../apps/server/testing/stored-positions.ts';
import { randomFrom } from '../apps/simulator/src/drive/random.ts';
import { readTours } from '../apps/simulator/src/drive/tour-file.ts';
import { characters } from '../apps/simulator/src/fleet/character.ts';
import { dayNumberAt, planDay } from '../apps/simulator/src/fleet/day.ts';
import { createReporter } from '../apps/simulator/src/fleet/reports.ts';
import { bruteForce } from '../packages/hos/src/testing/brute-force.ts';
import { BRUTE_LIMITS } from '../packages/hos/src/testing/brute-limits.ts';
import { toMinutes } from '../packages/hos/src/testing/minutes.ts';

/** The simulator's drivers on the real server's recorder: every log is what the simulator planned, and judged right. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PACE = { driving: 60, idling: 60, parked: 600 };
/** A report a minute, and driving goes on for six minutes after a stop without an answer (4.4.1.2). */
const SEEN_MS = 2 * MINUTE;
const GOES_ON_MS = 6 * MINUTE + SEEN_MS;
/** Shorter drives than reports can show. */
const SHORT_MS = 5 * MINUTE;
const IN_MOTION = fromMilesPerHour(5);
const START = Date.parse('2026-11-09T06:00:00Z');
const UNITS = ['4101', '4102', '3301', 'R-701', '4104', '3303', '4105', '4106'];

let pipe: TestPipeline;
beforeAll(async () => {
  pipe = await startPipeline();
});
afterAll(() => pipe.close());

const newRecorder = () =>
  createRecorder(pipe.context, { live: pipe.live, privateTime: NO_PRIVATE_TIME }, async () => townFinder([]));

async function recordedLog(name: string, nth: number, days: number) {
  const { db } = pipe.context;
  const accountId = await createAccount(db, { name: `Simulated ${nth}` });
  const vehicle = await addVehicle(pipe.context, accountId);
  const { id: driverId } = await db.system
    .insertInto('driver')
    .values({ account_id: accountId, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [character] = characters([{ imei: vehicle.imei, name, card: null }], readTours());
  if (!character) throw new Error('One vehicle was asked for.');
  const end = START + days * DAY;
  const reports = [...createReporter(character)(START / 1000, end / 1000, PACE)].filter(
    ({ lat, lon }) => lat !== null && lon !== null,
  );
  const fixes = reports.map(
    ({ ignition, speed, time }) =>
      ({ fix_at: new Date(time), speed, ignition, valid: true, doubts: 0 }) as unknown as FixRow,
  );
  const habits = {
    ...{ vehicleId: vehicle.id, sleeps: nth % 2 === 0, forgetsAfterMs: null },
    load: { kind: 'load', trailers: '5301', shippingDocument: 'BOL 1' } as const,
  };
  const inputs = pressedDuring(fixes, habits, end);
  const beginMs = inputs[0]?.atMs ?? START;
  let recorder = newRecorder();
  await db.asAccount(accountId, trx => recorder.begin(trx, accountId, vehicle.id, beginMs));
  // Pieces of up to a day in an order that buffers and connections could make, with a kill now and then.
  const random = randomFrom('recorded', name, nth);
  const pieces: number[] = [];
  for (let at = START; at < end; at += (4 + Math.floor(random() * 20)) * HOUR) pieces.push(at);
  const order = pieces
    .map((at, i) => ({ from: at, to: pieces[i + 1] ?? end, rank: i + random() * 2.5 }))
    .sort((a, b) => a.rank - b.rank);
  let nowMs = START;
  for (const { from, to } of order) {
    nowMs = Math.max(nowMs, to);
    const here = reports.filter(({ time }) => time > from && time <= to);
    await storePositions(
      pipe,
      accountId,
      vehicle.id,
      here.map(({ ignition, lat, lon, odometer, speed, time }) =>
        receivedPosition(time, {
          speed: metresPerSecond(speed ?? 0),
          ignition,
          odometer: odometer ?? metres(0),
          lat: degrees(lat),
          lon: degrees(lon),
        }),
      ),
    );
    for (const { action, atMs, terms } of inputs.filter(({ atMs }) => atMs > from && atMs <= to)) {
      await db.system
        .insertInto('duty_input')
        .values({
          ...{ account_id: accountId, id: randomUUID(), driver_id: driverId, vehicle_id: vehicle.id, user_id: null },
          ...{ at: new Date(atMs), received_at: new Date(nowMs), refusal: null, action: JSON.stringify(action) },
          terms: terms && JSON.stringify(terms),
        })
        .execute();
    }
    if (random() < 0.3) {
      const killed = db.asAccount(accountId, async trx => {
        await recorder.record(trx, accountId, vehicle.id, nowMs);
        throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      recorder = newRecorder();
    }
    await db.asAccount(accountId, trx => recorder.record(trx, accountId, vehicle.id, nowMs));
  }
  await db.asAccount(accountId, trx => recorder.record(trx, accountId, vehicle.id, end));
  const log = await db.asAccount(accountId, trx => readLog(trx, `driver:${driverId}`));
  const drives: { readonly from: number; readonly to: number; readonly seen: number }[] = [];
  for (let number = dayNumberAt(character, START / 1000); number <= dayNumberAt(character, end / 1000); number++) {
    for (const { from, kind, to } of planDay(character, number).activities) {
      if (kind !== 'driving') continue;
      // In traffic it may roll below 5 mph for a while: not yet in motion (4.3.1.2).
      const seen = reports.find(
        ({ speed, time }) => time >= from * 1000 && time <= to * 1000 && (speed ?? 0) >= IN_MOTION,
      );
      drives.push({ from: from * 1000, to: to * 1000, seen: seen?.time ?? to * 1000 });
    }
  }
  return { segments: shownSegments(log.records(), end), drives, beginMs, end };
}

async function check(name: string, nth: number, days: number): Promise<number> {
  const { beginMs, drives, end, segments } = await recordedLog(name, nth, days);
  const driving = segments.filter(({ status }) => status === 'D');
  const known = drives.filter(({ from, to }) => from > beginMs + SEEN_MS && to < end - GOES_ON_MS);
  for (const { from, seen, to } of known.filter(one => one.to - one.seen > SHORT_MS)) {
    // Each planned drive is in the log from its beginning to its end.
    const found = driving.find(one => one.start <= seen && one.end >= to - SEEN_MS);
    expect([name, new Date(from).toISOString(), found !== undefined]).toEqual([
      name,
      new Date(from).toISOString(),
      true,
    ]);
  }
  for (const one of driving) {
    // And nothing else is: each minute of driving is of a planned drive, or of the minutes after it.
    let at: number = one.start;
    for (const { from, to } of drives) if (from - SEEN_MS <= at && to + GOES_ON_MS > at) at = to + GOES_ON_MS;
    expect([name, new Date(one.start).toISOString(), at >= one.end]).toEqual([
      name,
      new Date(one.start).toISOString(),
      true,
    ]);
  }
  const inMinutes = segments
    .map(({ end: to, start, status }) => ({
      status,
      start: Math.round(start / MINUTE) * MINUTE,
      end: Math.round(to / MINUTE) * MINUTE,
    }))
    .filter(({ end: to, start }) => to > start);
  const read = readDutyLog({ timezone: 'America/Chicago', homeTerminalStartOfDay: '00:00', segments: inMinutes });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const now = epochMs(inMinutes.at(-1)?.end ?? end);
  const first = inMinutes[0]?.start ?? 0;
  for (const id of ['US_PROPERTY_70_8', 'US_PROPERTY_60_7', 'CA_SOUTH_CYCLE1_70_7'] as const) {
    const { violations } = evaluate(read.value, ruleSets[id], now);
    const engine = violations.map(({ over, rule, start }) => ({
      rule,
      start: (start - first) / MINUTE,
      over: over / MINUTE,
    }));
    expect([name, id, engine]).toEqual([name, id, bruteForce(toMinutes(read.value, now), BRUTE_LIMITS[id]).violations]);
  }
  return driving.length;
}

it('[R2.14] records days of simulated drivers as they were planned, with kills and late pieces', {
  timeout: 120_000,
}, async () => {
  let drives = 0;
  for (const [nth, name] of UNITS.slice(0, 3).entries()) drives += await check(name, nth, 5);
  expect(drives).toBeGreaterThan(50);
});

/** `SIMULATED_DRIVERS=200 SIMULATED_DAYS=30` for the whole proof: about ten seconds for a driver's month. */
const DRIVERS = Number(process.env.SIMULATED_DRIVERS ?? 24);
const DAYS = Number(process.env.SIMULATED_DAYS ?? 30);

it(`[R2.14] records ${DAYS} days of ${DRIVERS} simulated drivers likewise`, {
  tags: 'long',
  timeout: 4 * 3_600_000,
}, async () => {
  for (let nth = 0; nth < DRIVERS; nth++) await check(UNITS[nth % UNITS.length] ?? '4101', 100 + nth, DAYS);
});
