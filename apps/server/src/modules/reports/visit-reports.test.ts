import type { Overview, ReportPage } from '@milepost/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itHolds } from '../../../testing/few-and-many.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf } from '../../../testing/organisation.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS = 10;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

interface Fleet {
  readonly owner: SignedIn;
  readonly vehicleIds: readonly number[];
  /** A dock of a group with detention, one with its own, and a yard without. */
  readonly fences: { readonly dock: number; readonly own: number; readonly yard: number };
  readonly startMs: number;
  readonly period: { readonly from: string; readonly to: string };
}

async function fleet(): Promise<Fleet> {
  const owner = await signedIn(server);
  const call = callerOf(server, owner);
  const vehicleIds = [];
  for (const name of ['Truck 7', 'Truck 8']) {
    vehicleIds.push(Number((await addNamedVehicle(server, owner.accountId, name)).id));
  }
  const made = async (path: string, body: object): Promise<number> => {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return Number((answer.body as { id: string }).id);
  };
  const detention = { freeMinutes: 30, perHour: 60 };
  const group = await made('/geofence_group', { name: 'Customers', color: 'orange', detention });
  const shape = { kind: 'circle', center: [-87.68, 41.9], radiusM: 300 };
  const of = { shape, groupId: String(group) };
  const fences = {
    dock: await made('/geofence', { ...of, name: 'Dock' }),
    own: await made('/geofence', { ...of, name: 'Own', detention: { freeMinutes: 120, perHour: 90 } }),
    yard: await made('/geofence', { shape, name: 'Yard' }),
  };
  await server.context.feed.settled();
  const calendar = server.figures.calendar(owner.accountId);
  const today = calendar.dayOf(Date.now());
  const period = { from: calendar.dateOf(today - DAYS), to: calendar.dateOf(today - 1) };
  return { owner, vehicleIds, fences, startMs: calendar.startOf(today - DAYS), period };
}

interface Stay {
  readonly vehicleId: number;
  readonly fenceId: number;
  readonly inMs: number;
  readonly outMs: number | null;
}

async function store({ owner }: Fleet, stays: readonly Stay[]): Promise<void> {
  await server.context.db.system.deleteFrom('visit').where('account_id', '=', owner.accountId).execute();
  const rows = stays.map(({ fenceId, inMs, outMs, vehicleId }) => {
    const out = outMs === null ? null : new Date(outMs);
    return {
      ...{ account_id: owner.accountId, vehicle_id: vehicleId, geofence_id: fenceId, is_pass: false },
      ...{ in_at: new Date(inMs), in_after: new Date(inMs), in_before: new Date(inMs), in_known_at: new Date(inMs) },
      ...{ in_confidence: 1, in_lat: 41.9, in_lon: -87.68, out_at: out, out_after: out, out_before: out },
      ...{ out_known_at: out, out_confidence: out && 1, out_lat: out && 41.9, out_lon: out && -87.68 },
    };
  });
  if (rows.length > 0) await server.context.db.system.insertInto('visit').values(rows).execute();
}

async function run(key: string, { owner, period }: Fleet, query: object = {}): Promise<ReportPage> {
  const path = `/api/v1/report/${key}?${new URLSearchParams({ ...period, limit: '500', ...query })}`;
  const answer = await server.call('GET', path, { token: owner.token });
  expect([key, answer.status, answer.text]).toEqual([key, 200, expect.any(String)]);
  return answer.body as ReportPage;
}

const cells = ({ columns, rows }: ReportPage, key: string) => {
  const index = columns.findIndex(each => each.key === key);
  return rows.map(row => row.cells[index]);
};
const total = ({ columns, totals }: ReportPage, key: string) =>
  Number(totals[columns.findIndex(each => each.key === key)] ?? 0);

describe('[R2.04] reports of visits', () => {
  it('charge what is beyond the free time of the geofence, else of its group', async () => {
    const it = await fleet();
    const [truck = 0, other = 0] = it.vehicleIds;
    const noon = it.startMs + 12 * HOUR;
    await store(it, [
      { vehicleId: truck, fenceId: it.fences.dock, inMs: noon, outMs: noon + 90 * MINUTE },
      { vehicleId: truck, fenceId: it.fences.dock, inMs: noon + 3 * HOUR, outMs: noon + 3 * HOUR + 30 * MINUTE },
      { vehicleId: truck, fenceId: it.fences.yard, inMs: noon + 5 * HOUR, outMs: noon + 25 * HOUR },
      { vehicleId: other, fenceId: it.fences.own, inMs: noon, outMs: noon + 150 * MINUTE },
    ]);
    const page = await run('detention', it);
    expect(page.currency).toBe('USD');
    expect(cells(page, 'geofence')).toEqual(['Dock', 'Own']);
    expect(cells(page, 'detention')).toEqual([3600, 1800]);
    expect(cells(page, 'cost')).toEqual([60, 45]);
    expect(total(page, 'cost')).toBe(105);
    const overview = await server.call('GET', `/api/v1/overview?${new URLSearchParams(it.period)}`, {
      token: it.owner.token,
    });
    expect((overview.body as Overview).detention).toEqual({
      ...{ seconds: 5400, cost: 105, visits: 2, previous: null, currency: 'USD' },
      places: [
        { geofenceId: String(it.fences.dock), name: 'Dock', seconds: 3600, cost: 60, visits: 1 },
        { geofenceId: String(it.fences.own), name: 'Own', seconds: 1800, cost: 45, visits: 1 },
      ],
    });
    const sites = await run('time-on-site', it, { groupBy: 'geofence' });
    expect(sites.groups.map(({ label, total: rows }) => [label, rows])).toEqual([
      ['Dock', 1],
      ['Own', 1],
      ['Yard', 1],
    ]);
    expect(cells(sites, 'visits')).toEqual([2, 1, 1]);
    expect(cells(sites, 'mean')).toEqual([3600, 9000, 20 * 3600]);
  });

  it('count a visit that goes on until now', async () => {
    const it = await fleet();
    const inMs = Date.now() - 3 * HOUR;
    await store(it, [{ vehicleId: it.vehicleIds[0] ?? 0, fenceId: it.fences.dock, inMs, outMs: null }]);
    const calendar = server.figures.calendar(it.owner.accountId);
    const today = calendar.dayOf(Date.now());
    const period = { from: calendar.dateOf(today - 1), to: calendar.dateOf(today) };
    const page = await run('detention', { ...it, period });
    expect(page.rows.map(({ isUnderWay }) => isUnderWay)).toEqual([true]);
    expect(total(page, 'detention')).toBeGreaterThanOrEqual(2.5 * 3600);
    expect(total(page, 'detention')).toBeLessThan(2.5 * 3600 + 60);
    expect(cells(page, 'end')).toEqual([null]);
  });

  itHolds(
    'add up to the visits, however they are grouped and whatever crosses midnight',
    { few: 5, many: 40 },
    async numRuns => {
      const it = await fleet();
      const stay = fc.record({
        vehicle: fc.nat(1),
        fence: fc.constantFrom('dock', 'own', 'yard'),
        startMinute: fc.integer({ min: -600, max: DAYS * 1440 + 100 }),
        minutes: fc.integer({ min: 1, max: 4000 }),
      });
      const endMs = it.startMs + DAYS * 24 * HOUR;
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(stay, { maxLength: 12, selector: one => one.startMinute }), async stays => {
          const visits = stays.map(({ fence, minutes, startMinute, vehicle }): Stay & { outMs: number } => {
            const inMs = it.startMs + startMinute * MINUTE;
            const outMs = Math.min(inMs + minutes * MINUTE, Date.now());
            return { vehicleId: it.vehicleIds[vehicle] ?? 0, fenceId: it.fences[fence as 'dock'], inMs, outMs };
          });
          await store(it, visits);
          const calendarEnd = server.figures.calendar(it.owner.accountId);
          const toMs = calendarEnd.startOf(calendarEnd.numberOf(it.period.to) + 1);
          const within = (fromMs: number, untilMs: number): number =>
            Math.max(0, Math.min(untilMs, toMs) - Math.max(fromMs, it.startMs)) / 1000;
          const onSite = visits.reduce((sum, { inMs, outMs }) => sum + within(inMs, outMs), 0);
          const detained = visits.reduce((sum, { fenceId, inMs, outMs }) => {
            const free = fenceId === it.fences.dock ? 30 : fenceId === it.fences.own ? 120 : Number.POSITIVE_INFINITY;
            return sum + (Number.isFinite(free) ? within(Math.min(inMs + free * MINUTE, outMs), outMs) : 0);
          }, 0);
          expect(toMs).toBeLessThanOrEqual(endMs + HOUR);
          for (const groupBy of ['geofence', 'vehicle', 'day', 'week', 'month']) {
            const pages = await Promise.all(
              ['visits', 'time-on-site', 'detention'].map(key => run(key, it, { groupBy })),
            );
            const [visited, sites, detention] = pages;
            if (!visited || !sites || !detention) throw new TypeError('A report is missing');
            expect([groupBy, total(visited, 'onSite')]).toEqual([groupBy, onSite]);
            expect([groupBy, total(sites, 'onSite')]).toEqual([groupBy, onSite]);
            expect(total(sites, 'visits')).toBe(visited.total);
            expect([groupBy, total(detention, 'detention')]).toEqual([groupBy, detained]);
            for (const page of pages) {
              expect(page.groups.reduce((sum, group) => sum + group.total, 0)).toBe(page.total);
            }
          }
        }),
        { numRuns },
      );
    },
  );
});
