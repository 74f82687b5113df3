/**
 * `npm run bench -- late [DAYS] [SECONDS]`: phones that were without a network for one, two, four and eight days, on logs
 * of DAYS days; trackers report every SECONDS while driving. How long a phone waits until all its entries are recorded,
 * if the tracker's reports are there, and if the tracker delivers eight buffered days meanwhile; and how long the phone
 * of another driver waits for its own log, another entry for its answer, and a tracker for its acknowledgement.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PositionMessage } from '@milepost/decoders';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { randomFrom } from '../apps/simulator/src/drive/random.ts';
import { dialTeltonika } from './crash/persistent-tracker.ts';
import { latenciesOf } from './ingest/latencies.ts';
import { startServer } from './ingest/server-under-test.ts';
import { addFleet } from './month/fleet.ts';
import { actionOf } from './month/phones.ts';
import { reportsOf } from './month/reports.ts';
import { makeStory } from './month/story.ts';
import { table } from './table.ts';

const DAY_MS = 86_400_000;
/** Of the phones of four drivers. */
const AWAY_DAYS = [1, 2, 4, 8] as const;
/** As many entries as one request may have. */
const AT_ONCE = 200;
const PACKET = 40;

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: object;
}

export async function run([daysGiven = '30', secondsGiven = '120']: readonly string[]): Promise<void> {
  const [days, drivingS] = [Number(daysGiven), Number(secondsGiven)];
  // Nobody of them is a team.
  const story = makeStory(7, 4, days);
  const beginMs = Math.floor((Date.now() - days * DAY_MS) / 1000) * 1000;
  const endMs = beginMs + days * DAY_MS;
  const server = await startServer({ vehicles: 1, browsers: 1 });
  const db = openDatabases({ connectionString: server.databaseUrl });
  try {
    const fleet = await addFleet(db, story);
    const reports = fleet.vehicles.map((_, nth) => [
      ...reportsOf(nth, story.happenings, beginMs, story.seconds, randomFrom('late', nth), drivingS),
    ]);
    const entries = fleet.drivers.map((_, driver): Entry[] =>
      story.happenings.flatMap(one =>
        one.kind === 'tap' && one.driver === driver
          ? [
              {
                ...{ id: randomUUID(), at: new Date(beginMs + one.at * 1000).toISOString() },
                action: actionOf(one.tap, one.vehicle, fleet),
              },
            ]
          : [],
      ),
    );
    const post = async (driver: number, inputs: readonly Entry[]): Promise<void> => {
      for (let from = 0; from < inputs.length; from += AT_ONCE) {
        const response = await fetch(`${server.url}/api/v1/eld/duty`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${fleet.drivers[driver]?.token}` },
          body: JSON.stringify({ inputs: inputs.slice(from, from + AT_ONCE) }),
        });
        if (!response.ok) throw new Error(`Duty answered ${response.status}: ${await response.text()}`);
        await response.arrayBuffer();
      }
    };
    // A server learns of new vehicles within moments.
    const dial = async (imei: string): ReturnType<typeof dialTeltonika> => {
      for (;;) {
        const line = await dialTeltonika(server.ports.teltonika ?? 0, imei).catch(() => null);
        if (line) return line;
        await sleep(100);
      }
    };
    const deliver = async (vehicle: number, positions: readonly PositionMessage[]): Promise<void> => {
      const line = await dial(fleet.vehicles[vehicle]?.imei ?? '');
      for (let from = 0; from < positions.length; from += PACKET) await line.send(positions.slice(from, from + PACKET));
      line.hangUp();
    };
    const recorded = async (): Promise<void> => {
      for (;;) {
        const { rows } = await db.pool.query(
          `select from recorder_fold where exists (select from recorder_late
              where recorder_late.vehicle_id = recorder_fold.vehicle_id and from_at <= now())
            or exists (select from position where position.vehicle_id = recorder_fold.vehicle_id
              and fix_at > fix_through and fix_at <= now() and doubts = 0)`,
        );
        if (rows.length === 0) return;
        await sleep(50);
      }
    };
    const isBefore = (untilMs: number) => (one: Entry) => Date.parse(one.at) < untilMs;
    const awaySince = (driver: number): number => endMs - (AWAY_DAYS[driver] ?? 0) * DAY_MS;
    // Vehicle 3's tracker is away for as long as its driver's phone.
    const sentUntil = (vehicle: number): number => (vehicle === 3 ? awaySince(3) : endMs);
    for (let day = beginMs; day < endMs; day += DAY_MS) {
      for (const [vehicle, all] of reports.entries()) {
        const until = Math.min(day + DAY_MS, sentUntil(vehicle));
        await deliver(
          vehicle,
          all.filter(({ time }) => time >= day && time < until),
        );
      }
      for (const [driver, all] of entries.entries()) {
        const until = Math.min(day + DAY_MS, awaySince(driver));
        await post(
          driver,
          all.filter(one => !isBefore(day)(one) && isBefore(until)(one)),
        );
      }
    }
    await recorded();

    const rows: string[][] = [];
    const measure = async (name: string, driver: number, work: () => Promise<void>): Promise<void> => {
      const late = entries[driver]?.filter(one => !isBefore(awaySince(driver))(one)) ?? [];
      const others: number[] = [];
      const acks: number[] = [];
      let isOver = false;
      const ask = (async () => {
        while (!isOver) {
          const began = performance.now();
          const response = await fetch(`${server.url}/api/v1/eld/duty`, {
            headers: { authorization: `Bearer ${fleet.drivers[(driver + 1) % 4]?.token}` },
          });
          await response.arrayBuffer();
          others.push(performance.now() - began);
          await sleep(100);
        }
      })();
      const track = (async () => {
        const line = await dial(server.imeis[0] ?? '');
        const pattern = reports[0]?.[0] as PositionMessage;
        while (!isOver) {
          const began = performance.now();
          await line.send([{ ...pattern, time: Date.now() as PositionMessage['time'] }]);
          acks.push(performance.now() - began);
          await sleep(50);
        }
        line.hangUp();
      })();
      const before = server.processorTime();
      const began = performance.now();
      let answeredMs = 0;
      await Promise.all([
        post(driver, late).then(() => {
          answeredMs = performance.now() - began;
        }),
        work(),
      ]);
      await recorded();
      const tookMs = performance.now() - began;
      isOver = true;
      await Promise.all([ask, track]);
      const after = server.processorTime();
      const { rows: lengths } = await db.pool.query<{ entries: string }>(
        'select count(*) as entries from duty_entry where log = $1',
        [`driver:${fleet.drivers[driver]?.id}`],
      );
      const ms = (value: number): string => value.toFixed(0);
      rows.push([
        ...[name, String(late.length), lengths[0]?.entries ?? '', ms(answeredMs), ms(tookMs)],
        ...[(after.server - before.server).toFixed(1), (after.database - before.database).toFixed(1)],
        ...[ms(latenciesOf(others).p50), ms(Math.max(...others)), ms(latenciesOf(acks).p50), ms(Math.max(...acks))],
      ]);
    };
    for (const driver of [0, 1, 2] as const) {
      await measure(`${AWAY_DAYS[driver]} days`, driver, async () => {});
    }
    const buffered = reports[3]?.filter(({ time }) => time >= awaySince(3)) ?? [];
    await measure(`8 days, tracker too (${buffered.length} reports)`, 3, () => deliver(3, buffered));
    process.stdout.write(
      table(
        [
          ...['phone away', 'entries', 'log', 'answered ms', 'recorded ms', 'server s', 'db s'],
          ...['other phone p50', 'max', 'ack p50', 'max'],
        ],
        rows,
      ),
    );
    process.stdout.write(`${JSON.stringify({ days, drivingS, rows })}\n`);
  } finally {
    await db.close();
    await server.stop();
  }
}
