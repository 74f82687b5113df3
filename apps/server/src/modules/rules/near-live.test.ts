import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { itHolds } from '../../../testing/few-and-many.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import {
  comparedOf,
  DAY,
  drives,
  east,
  HOUR,
  MINUTE,
  ruleFleet,
  stands,
  TIMEOUT_MS,
} from '../../../testing/rule-fleet.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import type { ReceivedPosition } from '../../tracks/stored-position.ts';

const SECOND = 1000;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => server.close());

/** Two vehicles, whose reports come in one by one by a clock that goes with them. */
async function pair(startMs: number) {
  const it = await ruleFleet(server);
  const { accountId } = it.owner;
  const { id: otherId } = await addVehicle(server.context, accountId);
  await server.directory.settled();
  const storeOther = (positions: readonly ReceivedPosition[]) => storePositions(server, accountId, otherId, positions);
  await it.store(stands(startMs - 2 * HOUR, startMs - 2 * HOUR + 1, 0));
  await storeOther(stands(startMs - 2 * HOUR, startMs - 2 * HOUR + 1, 5900));
  const manager = await it.open();
  const look = async (nowMs: number): Promise<void> => {
    vi.setSystemTime(nowMs);
    for (let nth = 0; nth < 2; nth++) await manager.catchUp(accountId, [it.vehicleId, otherId], TIMEOUT_MS);
  };
  const others = { otherIds: [String(otherId)] };
  const told = () =>
    server.context.db.system
      .selectFrom('alert')
      .select(['acknowledged_at', 'closed_at', 'late'])
      .where('vehicle_id', '=', it.vehicleId)
      .execute();
  return { ...it, storeOther, look, told, others, stop: () => manager.stop() };
}

/** Along the road, with a stop of some minutes where it turns round. */
function shuttle(startMs: number, speed: number, every: number, far: number): ReceivedPosition[] {
  const reports: ReceivedPosition[] = [];
  for (let second = 0; second <= 40 * 60; second += every) {
    const away = Math.min(second * speed, far) - Math.max(0, Math.min(far, (second - far / speed - 300) * speed));
    const stops = second * speed > far && (second - far / speed - 300) * speed < 0;
    reports.push(
      receivedPosition(startMs + second * SECOND, {
        ...{ lon: east(away), speed: (stops ? 0 : speed) as never, ignition: !stops },
      }),
    );
  }
  return reports;
}

describe('[R7.37] rules about the distance to another vehicle, looked at with every few reports', () => {
  itHolds(
    'alert live what a test finds, to the millisecond, though one of them reports rarely, and encounters are short',
    { few: 2, many: 20 },
    async numRuns => {
      const seconds = fc.constantFrom(10, 20, 60, 150, 240, 280, 400, 540);
      await fc.assert(
        fc.asyncProperty(
          fc.record({ every: fc.tuple(fc.constantFrom(10, 15, 20), seconds), speeds: fc.tuple(speed, speed) }),
          fc.infiniteStream(fc.integer({ min: 5, max: 50 })),
          async ({ every, speeds }, dice) => {
            const start = Date.now() - 3 * HOUR;
            vi.useFakeTimers({ toFake: ['Date'], now: start - HOUR });
            const it = await pair(start);
            const terms = [
              { trigger: { kind: 'near', meters: 300, minutes: 0, ...it.others } },
              { trigger: { kind: 'near', meters: 300, minutes: 3, ...it.others } },
              { trigger: { kind: 'apart', meters: 300, minutes: 0, ...it.others } },
            ];
            const rules = [];
            for (const each of terms) rules.push(await it.rule(each, start));
            await it.look(start - MINUTE);
            const own = shuttle(start, speeds[0], every[0], 4000).map(report => ({ report, isOwn: true }));
            const other = shuttle(start + 30 * SECOND, speeds[1], every[1], 3000).map(report => ({
              ...{ report, isOwn: false },
            }));
            // Reports are on their way for 15 seconds at most.
            const coming = [...own, ...other].toSorted((a, b) => a.report.fixAt - b.report.fixAt);
            const last = coming.at(-1)?.report.fixAt ?? start;
            for (let now = start; now < last + 8 * MINUTE; now += dice.next().value * SECOND) {
              const until = coming.findIndex(({ report }) => report.fixAt > now - 15 * SECOND);
              const some = coming.splice(0, until < 0 ? coming.length : until);
              const of = (isOwn: boolean) => some.filter(each => each.isOwn === isOwn).map(({ report }) => report);
              if (some.length > 0) {
                await it.store(of(true));
                await it.storeOther(of(false));
              }
              await it.look(now);
            }
            const { tested, told } = await comparedOf(it, rules, terms, start);
            expect(told).toEqual(tested);
            expect(tested.length).toBeGreaterThan(0);
            await it.stop();
            vi.useRealTimers();
          },
        ),
        { numRuns },
      );
    },
  );

  it('still last after days without a fix, whatever others report late meanwhile', async () => {
    const start = Date.now() - 9 * DAY;
    vi.useFakeTimers({ toFake: ['Date'], now: start - MINUTE });
    const it = await pair(start);
    await it.rule({ trigger: { kind: 'apart', meters: 400, minutes: 0, ...it.others } }, start);
    await it.storeOther(stands(start, start + HOUR, 0));
    await it.store([...stands(start, start + 30 * MINUTE, 0), ...drives(start + 30 * MINUTE, 0, 6000)]);
    await it.look(start + HOUR);
    expect(await it.told()).toMatchObject([{ closed_at: null }]);
    // From the third day on under a roof; the other one sends what it has measured every six hours.
    for (let from = start + HOUR; from < start + 8 * DAY; from += 6 * HOUR) {
      const valid = from < start + 3 * DAY;
      await it.store(stands(from, from + 6 * HOUR, 6000).map(report => ({ ...report, valid })));
      await it.storeOther(stands(from, from + 6 * HOUR, 0));
      await it.look(from + 6 * HOUR);
    }
    expect(await it.told()).toMatchObject([{ closed_at: null }]);
    await it.stop();
  });

  it('alert people of what reports say that come a few seconds after newer ones', async () => {
    const start = Date.now() - HOUR;
    vi.useFakeTimers({ toFake: ['Date'], now: start - MINUTE });
    const it = await pair(start);
    await it.rule({ trigger: { kind: 'near', meters: 250, minutes: 0, ...it.others } }, start);
    const reports = [...drives(start, 3000, 5900), ...drives(start + 3 * MINUTE, 5900, 3000)];
    const of = (from: number, to: number) =>
      reports.filter(({ fixAt }) => fixAt >= start + from * SECOND && fixAt < start + to * SECOND);
    const own = (second: number) => it.store([receivedPosition(start + second * SECOND, { lon: east(5900) })]);
    await own(0);
    await it.storeOther(of(0, 60));
    await it.look(start + 62 * SECOND);
    // Its newest report is sent first, from far away again; those from there to here follow.
    await own(300);
    await it.storeOther(of(320, 330));
    await own(341);
    await it.look(start + 345 * SECOND);
    expect(await it.told()).toEqual([]);
    await it.storeOther(of(60, 320));
    await it.look(start + 350 * SECOND);
    await it.look(start + 370 * SECOND);
    expect(await it.told()).toMatchObject([{ late: false, acknowledged_at: null }]);
    await it.stop();
  });
});

const speed = fc.constantFrom(6, 11, 17, 24);
