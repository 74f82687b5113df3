import type { PositionMessage } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { itHolds } from '../../../testing/few-and-many.ts';
import {
  addVehicle,
  positionMessage,
  startPipeline,
  type TestPipeline,
  type TestVehicle,
} from '../../../testing/ingest.ts';
import { AS_BUILT } from '../../fleet/built-in-alerts.ts';
import { loadStates } from './states.ts';
import { TrackerAlerts } from './tracker-alerts.ts';

/** Alerts from the pipeline, with the real database. */

let test: TestPipeline;
/** For how long an alert keeps others of its kind quiet. */
let quietMs = 0;
beforeAll(async () => {
  test = await startPipeline(async ({ db }) => {
    const builtIns = { ...AS_BUILT, cooldownMs: () => quietMs };
    const parts = { driverOf: () => null, changed: () => {}, builtIns };
    return new TrackerAlerts(db.pool, parts, await loadStates(db.pool, 'all', null));
  });
});
afterAll(() => test.close());

const MINUTE = 60_000;
/** Starts on the hour, so that late reports fall into the hours that their minutes suggest. */
const START = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 6 * 3_600_000;

const RECEIVED = epochMs(Date.now());
/** Reports before this minute are too old to announce when they arrive. */
const A_DAY_AGO = (RECEIVED - START) / MINUTE - 24 * 60;

const report = (minute: number, event: string | null, fields: Partial<PositionMessage> = {}): PositionMessage =>
  positionMessage(START + minute * MINUTE, { event: event as PositionMessage['event'], ...fields });

async function send(vehicle: TestVehicle, ...reports: readonly PositionMessage[]): Promise<void> {
  for (const each of reports) {
    await test.pipeline.accept(vehicle, [each], 'teltonika', RECEIVED);
  }
}

async function alertsOf({ id }: TestVehicle) {
  const rows = await test.context.db.system
    .selectFrom('alert')
    .select(['kind', 'opened_at', 'updated_at', 'closed_at', 'count', 'late', 'acknowledged_at'])
    .where('vehicle_id', '=', id)
    .orderBy('opened_at')
    .orderBy('kind')
    .execute();
  const minute = (date: Date | null) => date && (date.getTime() - START) / MINUTE;
  return rows.map(row => [
    row.kind,
    minute(row.opened_at),
    minute(row.updated_at),
    minute(row.closed_at),
    row.count,
    ...(row.late ? ['late'] : row.acknowledged_at ? ['history'] : []),
  ]);
}

it('is in the database when the report is acknowledged, and closes with the next', async () => {
  const vehicle = await addVehicle(test.context);
  await send(vehicle, report(0, null), report(1, 'sos'));
  expect(await alertsOf(vehicle)).toEqual([['sos', 1, 1, null, 1]]);
  await send(vehicle, report(2, null));
  expect(await alertsOf(vehicle)).toEqual([['sos', 1, 1, 2, 1]]);
});

it('[R6.05] is not counted again when the report is repeated', async () => {
  const vehicle = await addVehicle(test.context);
  await send(vehicle, report(0, 'sos'), report(0, 'sos'), report(1, null), report(0, 'sos'), report(1, null));
  expect(await alertsOf(vehicle)).toEqual([['sos', 0, 0, 1, 1]]);
});

it('is not lost when it comes in the same second as a report, and not counted again', async () => {
  const vehicle = await addVehicle(test.context);
  await send(vehicle, report(0, null), report(0, 'sos'), report(0, 'sos'), report(1, null), report(0, 'sos'));
  expect(await alertsOf(vehicle)).toEqual([['sos', 0, 0, 1, 1]]);
  const inOne = await addVehicle(test.context);
  await test.pipeline.accept(inOne, [report(0, 'ignitionOff'), report(0, 'sos')], 'teltonika', epochMs(Date.now()));
  expect(await alertsOf(inOne)).toEqual([['sos', 0, 0, null, 1]]);
});

it('uses the time of arrival if the tracker’s clock was never set', async () => {
  const vehicle = await addVehicle(test.context);
  await send(vehicle, report(0, null), positionMessage(Date.UTC(2000, 0, 1), { event: 'sos', valid: false }));
  const [alert] = await test.context.db.system
    .selectFrom('alert')
    .select(['opened_at', 'late', 'lat'])
    .where('vehicle_id', '=', vehicle.id)
    .execute();
  expect(alert).toMatchObject({ late: false, lat: null, opened_at: new Date(RECEIVED) });
});

it('ends one and begins the next in one message', async () => {
  // IDs are random, and their order must not matter.
  for (let i = 0; i < 8; i++) {
    const vehicle = await addVehicle(test.context);
    await send(vehicle, report(0, 'sos'));
    const reports = [report(1, null), report(2, 'sos'), report(3, null), report(4, 'sos')];
    await test.pipeline.accept(vehicle, reports, 'teltonika', epochMs(Date.now()));
    expect(await alertsOf(vehicle)).toEqual([
      ['sos', 0, 0, 1, 1],
      ['sos', 2, 2, 3, 1],
      ['sos', 4, 4, null, 1],
    ]);
  }
});

it('opens no other alert of a kind while the last one keeps it quiet', async () => {
  quietMs = 30 * MINUTE;
  onTestFinished(() => {
    quietMs = 0;
  });
  const vehicle = await addVehicle(test.context);
  await send(vehicle, report(0, 'sos'), report(1, null), report(20, 'sos'), report(21, null), report(30, 'sos'));
  expect(await alertsOf(vehicle)).toEqual([
    ['sos', 0, 0, 1, 1],
    ['sos', 30, 30, null, 1],
  ]);
});

it('has the open alerts after a restart', async () => {
  const vehicle = await addVehicle(test.context);
  await send(vehicle, report(0, 'sos'));
  const lasting = await loadStates(test.context.db.pool, 'all', null);
  const restarted = new TrackerAlerts(
    test.context.db.pool,
    { driverOf: () => null, changed: () => {}, builtIns: AS_BUILT },
    lasting,
  );
  const position = { ...report(1, null), fixAt: epochMs(START + MINUTE), protocol: 'teltonika', event: null };
  const row = { vehicle, position: position as never, isNew: true };
  expect([...restarted.concerned([row])]).toEqual([vehicle.id]);
  expect([...restarted.concerned([{ ...row, isNew: false }])]).toEqual([]);
});

it('makes no query for batches that don’t affect alerts', async () => {
  const alerts = new TrackerAlerts(
    test.context.db.pool,
    { driverOf: () => null, changed: () => {}, builtIns: AS_BUILT },
    [],
  );
  const vehicle = await addVehicle(test.context);
  const row = (event: string | null) => ({ vehicle, position: { event } as never, isNew: true });
  expect(alerts.concerned([row(null), row('ignitionOn'), row('powerRestored')]).size).toBe(0);
  expect([...alerts.concerned([row('sos')])]).toEqual([vehicle.id]);
});

it('is open if it still lasts, even if its first reports were too old when they came', async () => {
  for (const protocol of ['jt808', 'h02'] as const) {
    const vehicle = await addVehicle(test.context);
    for (const hours of [30, 27, 25, 23, 12, 0]) {
      const standing = report(A_DAY_AGO + (24 - hours) * 60, 'powerCut');
      await test.pipeline.accept(vehicle, [standing], protocol, RECEIVED);
    }
    const alerts = await test.context.db.system
      .selectFrom('alert')
      .select(['count', 'closed_at', 'acknowledged_at'])
      .where('vehicle_id', '=', vehicle.id)
      .orderBy('opened_at')
      .execute();
    expect(alerts).toMatchObject([
      { count: 3, closed_at: expect.any(Date), acknowledged_at: expect.any(Date) },
      { count: 3, closed_at: null, acknowledged_at: null },
    ]);
  }
});

const EVENTS = [null, null, 'sos', 'powerCut', 'powerRestored', 'overspeed', 'harshBraking', 'ignitionOn'] as const;

itHolds(
  'is the same however late reports arrive and however often they are repeated',
  { few: 10, many: 100 },
  async numRuns => {
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 170 }), { minLength: 2, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(
        minutes,
        // All of it today, or the first half too old to announce.
        fc.constantFrom(0, A_DAY_AGO - 85),
        fc.infiniteStream(fc.constantFrom(...EVENTS)),
        fc.infiniteStream(fc.nat(99)),
        async (some, from, events, dice) => {
          const roll = (): number => dice.next().value;
          const reports = some.toSorted((a, b) => a - b).map(minute => report(from + minute, events.next().value));
          // Some reports arrive in order; the others arrive late in any order, after newer ones.
          const isLate = reports.map((_, at) => at < reports.length - 1 && roll() < 30);
          const news = reports.filter((_, at) => !isLate[at]);
          const late = reports.filter((_, at) => isLate[at]);

          const [straight, crooked] = [await addVehicle(test.context), await addVehicle(test.context)];
          await send(straight, ...news, ...late);
          const waiting = late
            .map(each => [roll(), each] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, each]) => each);
          for (const each of news) {
            await send(crooked, each);
            if (roll() < 40) await send(crooked, each);
            for (const old of waiting.filter(({ time }) => time < each.time)) {
              if (roll() < 50) continue;
              waiting.splice(waiting.indexOf(old), 1);
              await send(crooked, old);
              if (roll() < 40) await send(crooked, old);
            }
          }
          await send(crooked, ...waiting, ...(roll() < 50 ? reports : []));
          expect(await alertsOf(crooked)).toEqual(await alertsOf(straight));
        },
      ),
      { numRuns },
    );
  },
);
