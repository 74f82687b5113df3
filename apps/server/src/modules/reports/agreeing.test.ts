import type { FleetPeriod, ReportPage } from '@milepost/contract';
import { degrees, fromKilometresPerHour, metres } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { itHolds } from '../../../testing/few-and-many.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { dropOldPositions } from '../tenancy/retention.ts';

/** Whatever happens to an account, its reports and pages say the same of the same days. */

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const DAYS = 24;
/** With changes of the clocks in some of them on any day of the year, and none. */
const ZONES = ['America/New_York', 'Europe/Berlin', 'America/Santiago', 'Pacific/Chatham', 'UTC'] as const;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

interface Outing {
  readonly vehicle: number;
  readonly start: number;
  readonly minutes: number;
  readonly idles: number;
  /** The driver's card changes in its middle. */
  readonly cards: readonly (string | null)[];
}

const outing: fc.Arbitrary<Outing> = fc.record({
  vehicle: fc.integer({ min: 0, max: 2 }),
  start: fc.oneof(
    fc.integer({ min: 0, max: DAYS * DAY_MINUTES }),
    // Around midnight somewhere.
    fc
      .tuple(fc.integer({ min: 0, max: DAYS }), fc.integer({ min: -90, max: 90 }))
      .map(([day, at]) => day * DAY_MINUTES + at),
  ),
  minutes: fc.integer({ min: 2, max: 200 }),
  idles: fc.integer({ min: 0, max: 25 }),
  cards: fc.array(fc.constantFrom('CARD1', 'CARD2', null), { minLength: 1, maxLength: 3 }),
});

const EVENTS = [
  'move vehicle',
  'change zone',
  'delete vehicle',
  'delete driver',
  'keep less',
  'archive driver',
] as const;
const story = fc.record({
  zone: fc.constantFrom(...ZONES),
  later: fc.constantFrom(...ZONES),
  outings: fc.array(outing, { minLength: 2, maxLength: 9 }),
  events: fc.uniqueArray(fc.constantFrom(...EVENTS), { maxLength: 3 }),
  isReversed: fc.boolean(),
  from: fc.integer({ min: 1, max: DAYS }),
  days: fc.integer({ min: 1, max: DAYS }),
});

/** A kilometer and a fix a minute, then some idling, then it is parked. */
const drive = (fromMs: number, { cards, idles, minutes }: Outing, afterKm: number) =>
  Array.from({ length: minutes + idles + 1 }, (_, i) =>
    receivedPosition(fromMs + i * MINUTE, {
      lon: degrees(-87.68 + (afterKm + Math.min(i, minutes - 1)) / 82.85),
      speed: fromKilometresPerHour(i < minutes ? 60 : 0),
      ignition: i < minutes + idles,
      odometer: metres(1_000_000 + (afterKm + Math.min(i, minutes)) * 1000),
      rfid: cards[Math.floor((i / (minutes + idles + 1)) * cards.length)] ?? null,
    }),
  );

async function setSetting(accountId: number, name: string, value: unknown): Promise<void> {
  const row = { value: JSON.stringify(value) };
  await server.context.db.system
    .insertInto('account_setting')
    .values({ account_id: accountId, name, ...row })
    .onConflict(conflict => conflict.columns(['account_id', 'name']).doUpdateSet(row))
    .execute();
}

/** Once everything is counted. */
const read = <T extends { readonly behind: number }>(me: SignedIn, path: string, query: Record<string, string>) =>
  vi.waitFor(
    async () => {
      const answer = await server.call('GET', `/api/v1/${path}?${new URLSearchParams(query)}`, { token: me.token });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      const found = answer.body as T;
      expect(found.behind).toBe(0);
      return found;
    },
    { timeout: 30_000 },
  );

/** The totals of each group by the group's key, by column. */
function totalsBy({ columns, groups }: ReportPage): Map<string, Record<string, number>> {
  return new Map(
    groups.map(({ key, totals }) => [
      key,
      Object.fromEntries(columns.map((column, i) => [column.key, Number(totals[i] ?? 0)])),
    ]),
  );
}

const totalsOf = ({ columns, totals }: ReportPage): Record<string, number> =>
  Object.fromEntries(columns.map((column, i) => [column.key, Number(totals[i] ?? 0)]));

const near = (value: number | undefined): number => Math.round(Number(value ?? 0) * 1000) / 1000;

describe('[R2.04] [R2.11] [I6] reports and pages', () => {
  const title =
    'say the same of each vehicle, whatever was moved, deleted, changed or forgotten, across midnight and changes of clocks';
  itHolds(title, { few: 4, many: 60 }, async numRuns => {
    await fc.assert(
      fc.asyncProperty(story, async ({ days, events, from, isReversed, later, outings, zone }) => {
        const me = await signedIn(server);
        const { accountId } = me;
        const call = callerOf(server, me);
        await setSetting(accountId, 'timeZone', zone);
        await server.figures.manager.look();
        const folders: string[] = [];
        for (const name of ['North', 'South']) {
          folders.push(((await call('POST', '/folder', { name })).body as { id: string }).id);
        }
        const drivers: string[] = [];
        for (const card of ['CARD1', 'CARD2']) {
          drivers.push(((await call('POST', '/driver', { name: card, card })).body as { id: string }).id);
        }
        const ids: string[] = [];
        for (const n of [0, 1, 2]) {
          const { id } = await addNamedVehicle(server, accountId, `Truck ${n}`);
          ids.push(id);
        }
        const move = async (id: string, folder: string | undefined): Promise<void> => {
          const folderId = folder === undefined ? null : Number(folder);
          await server.context.db.system
            .updateTable('vehicle')
            .set({ folder_id: folderId })
            .where('id', '=', Number(id))
            .execute();
          await server.context.feed.settled();
          await server.directory.settled();
        };
        for (const [n, id] of ids.entries()) await move(id, folders[n]);
        const calendar = server.figures.calendar(accountId);
        const begin = calendar.startOf(calendar.dayOf(Date.now()) - DAYS);
        for (const [n, id] of ids.entries()) {
          let [free, km] = [-120, 0];
          const positions = outings
            .filter(({ vehicle }) => vehicle === n)
            .toSorted((a, b) => a.start - b.start)
            .flatMap(each => {
              const start = Math.max(each.start, free);
              free = start + each.minutes + each.idles + 5;
              km += each.minutes;
              return drive(begin + start * MINUTE, each, km - each.minutes);
            })
            .filter(({ fixAt }) => fixAt < Date.now() - 2 * MINUTE);
          await storePositions(server, accountId, Number(id), isReversed ? positions.toReversed() : positions);
        }
        const kept = new Set(ids);
        for (const event of events) {
          if (event === 'move vehicle') await move(ids[0] as string, folders[1]);
          if (event === 'change zone') await setSetting(accountId, 'timeZone', later);
          if (event === 'delete vehicle') {
            expect((await call('DELETE', `/device/${ids[2]}`)).status).toBeLessThan(300);
            kept.delete(ids[2] as string);
          }
          if (event === 'delete driver')
            expect((await call('DELETE', `/driver/${drivers[0]}`)).status).toBeLessThan(300);
          if (event === 'archive driver') {
            await server.context.db.system
              .updateTable('driver')
              .set({ archived: true, card: null })
              .where('id', '=', Number(drivers[1]))
              .execute();
            await server.context.feed.settled();
          }
          if (event === 'keep less') {
            await setSetting(accountId, 'keepPositionsDays', 14);
            await dropOldPositions(server.context, server.live);
          }
        }
        await server.figures.manager.look();
        const now = server.figures.calendar(accountId);
        const today = now.dayOf(Date.now());
        const first = today - from;
        const last = Math.min(today, first + days - 1);
        const period = { from: now.dateOf(first), to: now.dateOf(last) };
        const report = (key: string, more: Record<string, string> = {}) =>
          read<ReportPage>(me, `report/${key}`, { ...period, limit: '500', ...more });
        const byVehicle = async (key: string) => totalsBy(await report(key, { groupBy: 'vehicle' }));

        const [daily, trips, stops, mileage, utilization, idle, chronology] = await Promise.all(
          ['daily-summary', 'trips', 'stops', 'mileage', 'utilization', 'idle-time', 'chronology'].map(byVehicle),
        );
        const fleet = await read<FleetPeriod>(me, 'fleet/period', period);
        for (const id of kept) {
          const of = (report: typeof daily) => (report ?? new Map()).get(id) as Record<string, number> | undefined;
          const day = of(daily);
          const overview = fleet.vehicles.find(({ deviceId }) => deviceId === id);
          const said = (distance: unknown, driving: unknown, idling?: unknown) =>
            [distance, driving, ...(idling === undefined ? [] : [idling])].map(value => near(value as number));
          const truth = said(day?.distance, day?.driving, day?.idling ?? 0);
          expect({ id, overview: said(overview?.distanceM, overview?.movingS, overview?.idlingS ?? 0) }).toEqual({
            id,
            overview: truth,
          });
          expect({ id, mileage: said(of(mileage)?.distance, of(mileage)?.driving, of(mileage)?.idling ?? 0) }).toEqual({
            id,
            mileage: truth,
          });
          expect(near(of(mileage)?.engine)).toBe(near((day?.driving ?? 0) + (day?.idling ?? 0)));
          expect({ id, utilization: said(of(utilization)?.distance, of(utilization)?.driving) }).toEqual({
            id,
            utilization: truth.slice(0, 2),
          });
          expect({ id, trips: near(of(trips)?.driving) }).toEqual({ id, trips: truth[1] });
          expect(near((of(trips)?.idling ?? 0) + (of(stops)?.idling ?? 0))).toBe(truth[2]);
          expect({
            id,
            chronology: said(of(chronology)?.distance, of(chronology)?.driving, of(chronology)?.idling ?? 0),
          }).toEqual({ id, chronology: truth });
          // The stop of today goes on from one request to the next.
          const differs = Math.abs(near(of(chronology)?.stopped) - near(day?.stopped));
          expect({ id, differs }).toEqual({ id, differs: last === today ? Math.min(differs, 60) : 0 });
          expect(overview?.inUse).toBe(of(utilization)?.inUse ?? 0);
          expect(overview?.stops).toBe(day?.stops ?? 0);
          expect(of(utilization)?.stops ?? 0).toBe(day?.stops ?? 0);
          expect(of(idle)?.idling ?? 0).toBeLessThanOrEqual((truth[2] ?? 0) + 0.001);
        }
        // No other vehicle is anywhere, and each grouping adds up to the whole.
        for (const found of [daily, trips, stops, mileage, utilization, idle, chronology]) {
          expect([...(found?.keys() ?? [])].filter(id => !kept.has(id))).toEqual([]);
        }
        for (const key of ['daily-summary', 'trips', 'stops', 'mileage', 'chronology']) {
          const whole = totalsOf(await report(key));
          for (const groupBy of ['folder', 'day', 'month', ...(key === 'trips' ? ['driver'] : [])]) {
            const groups = totalsBy(await report(key, { groupBy }));
            for (const column of ['distance', 'driving', 'idling'].filter(name => name in whole)) {
              const sum = [...groups.values()].reduce((total, of) => total + near(of[column]), 0);
              expect({ key, groupBy, column, sum: near(sum) }).toEqual({
                key,
                groupBy,
                column,
                sum: near(whole[column]),
              });
            }
          }
        }
      }),
      { numRuns },
    );
  });
});
