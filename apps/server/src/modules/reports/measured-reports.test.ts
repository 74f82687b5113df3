import type { ReportPage } from '@milepost/contract';
import { celsius, degrees, fromKilometresPerHour, metres, percent } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

const MINUTE = 60_000;

let server: TestHttpServer;
let owner: SignedIn;
let vehicleId: number;
let period: { readonly from: string; readonly to: string };

/**
 * Two days ago from 12:00 on the account's clock: 40 minutes east at 90 km/h from Illinois into Indiana, then parked,
 * filled up, and robbed of fuel. Its cargo is at 4 °C, for 30 minutes at 12 °C.
 */
beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  vehicleId = Number((await addNamedVehicle(server, owner.accountId, 'Reefer')).id);
  await addNamedVehicle(server, owner.accountId, 'Plain');
  const calendar = server.figures.calendar(owner.accountId);
  const day = calendar.dayOf(Date.now()) - 2;
  period = { from: calendar.dateOf(day - 1), to: calendar.dateOf(day + 1) };
  const noon = Math.floor((calendar.startOf(day) + 12 * 60 * MINUTE) / (60 * MINUTE)) * 60 * MINUTE;
  const fuelAt = (minute: number): number =>
    minute < 60
      ? 30
      : minute < 64
        ? 30 + (minute - 59) * 15
        : minute < 100
          ? 90
          : minute < 104
            ? 90 - (minute - 99) * 10
            : 50;
  await storePositions(
    server,
    owner.accountId,
    vehicleId,
    Array.from({ length: 180 }, (_, minute) => {
      const driven = Math.min(minute, 40);
      return receivedPosition(noon + minute * MINUTE, {
        lat: degrees(41.6),
        lon: degrees(-87.75 + driven * 0.018),
        speed: fromKilometresPerHour(minute < 40 ? 90 : 0),
        ignition: minute < 55,
        odometer: metres(1_000_000 + driven * 1500),
        fuel: percent(fuelAt(minute)),
        temperature: celsius(minute >= 70 && minute < 100 ? 12 : 4),
      });
    }),
  );
  // On a busy machine the days are counted a moment later; the reports say how many vehicles are not yet.
  await vi.waitFor(async () => expect((await run('daily-summary')).behind).toBe(0), { timeout: 60_000, interval: 50 });
}, 90_000);
afterAll(() => server.close());

const run = async (key: string, query: Readonly<Record<string, string>> = {}) => {
  const path = `/api/v1/report/${key}?${new URLSearchParams({ ...period, limit: '500', ...query })}`;
  const answer = await server.call('GET', path, { token: owner.token });
  expect([key, answer.status, answer.text]).toEqual([key, 200, expect.any(String)]);
  return answer.body as ReportPage;
};
const cell = ({ columns, rows }: ReportPage, row: number, key: string) =>
  rows[row]?.cells[columns.findIndex(each => each.key === key)];
const total = ({ columns, totals }: ReportPage, key: string) => totals[columns.findIndex(each => each.key === key)];

describe('[R2.04] the report of', () => {
  it.each(['vehicle', 'day', 'week'])(
    'the chronology is the whole time, and adds up to the days, by %s',
    async groupBy => {
      const [page, days] = [await run('chronology', { groupBy }), await run('daily-summary')];
      for (const key of ['distance', 'driving', 'idling'])
        expect([key, total(page, key)]).toEqual([key, total(days, key)]);
      expect(page.rows.map((_, i) => cell(page, i, 'kind'))).toContain('Trip');
    },
  );

  it('states divides the distance of the days, to the millimeter', async () => {
    const [page, days] = [await run('state-miles'), await run('daily-summary')];
    expect(total(page, 'distance')).toBe(total(days, 'distance'));
    const states = page.rows.map((_, i) => cell(page, i, 'state'));
    expect(states.toSorted()).toEqual(['Illinois', 'Indiana']);
    const odometer = Number(total(page, 'odometer'));
    expect(odometer).toBe(60_000);
    for (const [i] of page.rows.entries()) {
      const share = Number(cell(page, i, 'distance')) / Number(total(page, 'distance'));
      expect(Number(cell(page, i, 'odometer')) / odometer).toBeCloseTo(share, 1);
    }
    for (const groupBy of ['day', 'week', 'month', 'vehicle']) {
      expect([groupBy, total(await run('state-miles', { groupBy }), 'distance')]).toEqual([
        groupBy,
        total(days, 'distance'),
      ]);
    }
  });

  it('fuel has the fill and the drop, and says of whom nothing is known', async () => {
    const page = await run('fuel');
    const rows = page.rows.map((_, i) => ['vehicle', 'kind', 'before', 'after'].map(key => cell(page, i, key)));
    expect(rows).toContainEqual(['Reefer', 'Fill', 30, 90]);
    expect(rows).toContainEqual(['Reefer', 'Drop with the engine off', 90, 50]);
    expect(rows).toContainEqual(['Plain', 'No fuel level reported', null, null]);
    expect([total(page, 'fills'), total(page, 'drops')]).toEqual([1, 1]);
  });

  it('idle cost is the days’ idle time by rate and price, and says why of the others', async () => {
    const [before, days] = [await run('idle-cost'), await run('daily-summary')];
    const how = (page: ReportPage) => page.rows.map((_, i) => [cell(page, i, 'vehicle'), cell(page, i, 'how')]);
    expect(how(before)).toEqual([
      ['Reefer', expect.stringMatching(/^No rate for this kind/)],
      ['Plain', 'No data'],
    ]);
    const idleS = Number(total(days, 'idling'));
    expect([total(before, 'idling'), total(before, 'litres'), idleS > 200]).toEqual([idleS, null, true]);
    const set = (values: object) =>
      server.context.db.system.updateTable('vehicle').set(values).where('id', '=', vehicleId).execute();
    await set({ type: 'tractor', fuel_type: 'diesel' });
    const page = await run('idle-cost', { idleHeavyMl: '4000', fuelPrice: '1500' });
    const litres = (idleS / 3600) * 4;
    expect([total(page, 'litres'), total(page, 'cost')].map(Number)).toEqual([
      expect.closeTo(litres, 3),
      expect.closeTo(litres * 1.5, 3),
    ]);
    expect(how(page)[0]).toEqual(['Reefer', expect.stringMatching(/^Estimate/)]);
    // Without a price there is fuel, but no cost.
    const unpriced = await run('idle-cost', { groupBy: 'day' });
    expect([Number(total(unpriced, 'litres')), total(unpriced, 'cost')]).toEqual([
      expect.closeTo((idleS / 3600) * 3, 3),
      null,
    ]);
    await set({ fuel_type: 'electric' });
    expect(how(await run('idle-cost'))[0]?.[1]).toMatch(/^It burns no fuel/);
  });

  it('the cold chain has each hour, and the time outside of the range', async () => {
    const page = await run('cold-chain');
    expect(page.rows).toHaveLength(4);
    expect([total(page, 'outside'), total(page, 'above'), total(page, 'below')]).toEqual([1800, 1800, 0]);
    expect([total(page, 'known'), total(page, 'readings'), total(page, 'most')]).toEqual([179 * 60, 180, 12]);
    const cold = await run('cold-chain', { coldFrom: '5', coldTo: '20' });
    expect([total(cold, 'below'), total(cold, 'above')]).toEqual([(179 - 30) * 60, 0]);
    expect(cell(page, 3, 'note') ?? cell(page, 0, 'note')).toBe('No temperature reported');
  });

  it('alert noise counts the alerts of the report of alerts, by vehicle and kind', async () => {
    const openedAt = Date.now() - 24 * 60 * MINUTE;
    const alert = (kind: string, lastedMs: number, count: number) => ({
      id: crypto.randomUUID(),
      account_id: owner.accountId,
      vehicle_id: vehicleId,
      severity: 'warning',
      kind,
      count,
      opened_at: new Date(openedAt),
      closed_at: new Date(openedAt + lastedMs),
      updated_at: new Date(openedAt),
    });
    await server.context.db.system
      .insertInto('alert')
      .values([
        ...[alert('overspeed', 5000, 1), alert('overspeed', 10 * MINUTE, 3), alert('tow', 1000, 1)],
        { ...alert('doorOpen', 1000, 1), late: true, acknowledged_at: new Date() },
      ])
      .execute();
    const [page, alerts] = [await run('alert-noise'), await run('alerts-response')];
    expect(page.rows).toHaveLength(3);
    expect([total(page, 'alerts'), total(page, 'times')]).toEqual([alerts.total, total(alerts, 'times')]);
    expect([total(page, 'short'), total(page, 'unacknowledged'), total(page, 'unacknowledgedShare')]).toEqual([
      3, 4, 1,
    ]);
  });

  it('by vehicle compares each with the mean of its folder, those without rows as zero', async () => {
    const { system } = server.context.db;
    const folder = await system
      .insertInto('folder')
      .values({ account_id: owner.accountId, name: 'North' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const mean = async (key: string, field: string) => {
      const page = await run(key, { groupBy: 'vehicle', compare: 'true' });
      const index = page.columns.findIndex(each => each.key === field);
      return page.groups.map(({ label, folderMean, totals }) => [label, totals[index], folderMean?.[index] ?? null]);
    };
    const distance = Number(total(await run('daily-summary'), 'distance'));
    expect((await mean('trips', 'distance')).map(([, , of]) => of)).toEqual([null]);
    await system
      .updateTable('vehicle')
      .set({ folder_id: folder.id })
      .where('account_id', '=', owner.accountId)
      .execute();
    await server.context.feed.settled();
    await server.directory.settled();
    // Plain has no trip.
    expect(await mean('trips', 'distance')).toEqual([['Reefer', distance, expect.closeTo(distance / 2, 3)]]);
    const speeds = await mean('mileage', 'topSpeed');
    expect(speeds.map(([label]) => label)).toEqual(['Plain', 'Reefer']);
    expect(speeds[1]?.[2]).toBe(speeds[1]?.[1]);
  });

  it('the audit log has every sign-in that the report of sign-ins has', async () => {
    const [audit, signIns] = [await run('audit'), await run('sign-ins')];
    expect(audit.total).toBeGreaterThanOrEqual(signIns.total);
  });
});
