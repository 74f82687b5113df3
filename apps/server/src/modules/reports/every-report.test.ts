import { type Report, type ReportPage, ROLES, type Role } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { calendarOf } from '../history/days/calendar.ts';
import { REPORTS } from './catalogue.ts';
import { atMinute, msOutside } from './working-hours.ts';

// A hundred reports a role.
vi.setConfig({ testTimeout: 120_000 });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestHttpServer;
let owner: SignedIn;
let vehicleId: number;
let period: { from: string; to: string };

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  vehicleId = Number((await addNamedVehicle(server, owner.accountId, 'Truck 7')).id);
  await addNamedVehicle(server, owner.accountId, 'Truck 8');
  const calendar = server.figures.calendar(owner.accountId);
  const today = calendar.dayOf(Date.now());
  period = { from: calendar.dateOf(today - 6), to: calendar.dateOf(today) };
  const outing = (fromMs: number) =>
    Array.from({ length: 61 }, (_, i) =>
      receivedPosition(fromMs + i * MINUTE, {
        lon: degrees(-87.68 + Math.min(i, 40) / 82.85),
        speed: fromKilometresPerHour(i < 40 ? 60 : 0),
        ignition: i < 55,
        attributes: { externalVoltage: 13.84, batteryLevel: 80 },
      }),
    );
  const begins = [6, 5, 4, 3, 2, 1].map(ago => calendar.startOf(today - ago) + (24 * ago - 130) * MINUTE * 6);
  await storePositions(server, owner.accountId, vehicleId, begins.toSorted((a, b) => a - b).flatMap(outing));
});
afterAll(() => server.close());

const run = async (key: string, query: Readonly<Record<string, string>>, { token } = owner) => {
  const path = `/api/v1/report/${key}?${new URLSearchParams({ ...period, limit: '500', ...query })}`;
  const answer = await server.call('GET', path, { token });
  expect([key, answer.status, answer.text]).toEqual([key, 200, expect.any(String)]);
  return answer.body as ReportPage;
};
const totalOf = ({ columns, totals }: ReportPage, key: string) =>
  Number(totals[columns.findIndex(each => each.key === key)] ?? 0);

const keys = REPORTS.map(({ key }) => key);

describe('[R2.04] every report', () => {
  it('has a key, columns and words of its own, in three languages', () => {
    expect(new Set(keys).size).toBe(keys.length);
    for (const { chart, columns, groupings, opensBy, text, title } of REPORTS) {
      if (chart) expect(columns.find(({ key }) => key === chart)?.total).toBeDefined();
      if (opensBy) expect(groupings).toContain(opensBy);
      expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
      for (const word of [title, text, ...columns.map(column => column.title)]) {
        for (const each of Object.values(word)) expect(each).toMatch(/\S/);
      }
    }
  });

  async function isListedIfItRuns(role: Role, isWithGroupings: boolean): Promise<void> {
    const me = await signedIn(server, { accountId: owner.accountId, role });
    const listed = (await server.call('GET', '/api/v1/report?language=en-US', { token: me.token })).body as Report[];
    for (const key of keys) {
      const report = listed.find(each => each.key === key);
      const path = `/api/v1/report/${key}?${new URLSearchParams(period)}`;
      expect([key, (await server.call('GET', path, { token: me.token })).status]).toEqual([key, report ? 200 : 403]);
      for (const groupBy of isWithGroupings ? (report?.groupings ?? []) : []) {
        const page = await run(key, { groupBy, language: 'fr', compare: 'true' }, me);
        const grouped = page.groups.reduce((sum, { total }) => sum + total, 0);
        expect([key, groupBy, grouped]).toEqual([key, groupBy, page.total]);
      }
    }
  }

  // Who sees all of it, and who sees only what they drove.
  const isEvenGrouped = (role: Role) => role === 'owner' || role === 'driver';

  it.each(ROLES)('is listed for a %s exactly if they can run it', role => isListedIfItRuns(role, isEvenGrouped(role)));

  it.each(ROLES.filter(role => !isEvenGrouped(role)))(
    'runs for a %s in each of its groupings',
    { tags: ['long'] },
    role => isListedIfItRuns(role, true),
  );

  it.each(['vehicle', 'folder', 'day', 'week', 'month'])('adds up to the same figures by %s', async groupBy => {
    const days = await run('daily-summary', { groupBy });
    const [mileage, utilization] = [await run('mileage', { groupBy }), await run('utilization', { groupBy })];
    expect(totalOf(days, 'distance')).toBeGreaterThan(100_000);
    for (const key of ['distance', 'driving']) {
      expect([key, totalOf(mileage, key)]).toEqual([key, totalOf(days, key)]);
      expect([key, totalOf(utilization, key)]).toEqual([key, totalOf(days, key)]);
    }
    expect(totalOf(mileage, 'engine')).toBeCloseTo(totalOf(days, 'driving') + totalOf(days, 'idling'), 3);
    const idle = await run('idle-time', { groupBy, minimumS: '0' });
    expect(totalOf(idle, 'idling')).toBeCloseTo(totalOf(days, 'idling'), 3);
  });

  it('of vehicles lists those without data, too', async () => {
    for (const key of ['mileage', 'utilization', 'device-health']) {
      const page = await run(key, {});
      expect([key, page.rows.map(({ cells }) => cells[0])]).toEqual([key, ['Truck 7', 'Truck 8']]);
      expect(page.silent.vehicles.map(({ name }) => name)).toEqual(['Truck 8']);
    }
    const health = await run('device-health', {});
    const at = (key: string) => health.rows[0]?.cells[health.columns.findIndex(each => each.key === key)];
    expect([at('battery'), at('supply'), at('gsm')]).toEqual([80, 13.8, 21]);
  });

  it('of alerts says who acknowledged each, after how long', async () => {
    const { system } = server.context.db;
    const openedAt = Date.now() - 2 * HOUR;
    const of = {
      account_id: owner.accountId,
      vehicle_id: vehicleId,
      severity: 'warning',
      updated_at: new Date(openedAt),
    };
    const acknowledged = { acknowledged_at: new Date(openedAt + HOUR), acknowledged_by: owner.userId };
    await system
      .insertInto('alert')
      .values([
        {
          ...of,
          id: crypto.randomUUID(),
          kind: 'overspeed',
          opened_at: new Date(openedAt),
          closed_at: new Date(openedAt + MINUTE),
          figures: JSON.stringify({ speed: 40 }) as never,
          ...acknowledged,
        },
        { ...of, id: crypto.randomUUID(), kind: 'tow', opened_at: new Date(openedAt), closed_at: new Date(openedAt) },
        // Reported late: nobody had to acknowledge it, and nobody did.
        {
          ...of,
          ...{ id: crypto.randomUUID(), kind: 'doorOpen', late: true, acknowledged_at: new Date() },
          ...{ opened_at: new Date(openedAt), closed_at: new Date(openedAt) },
        },
      ])
      .execute();
    const page = await run('alerts-response', { groupBy: 'vehicle' });
    expect([page.total, totalOf(page, 'acknowledged'), totalOf(page, 'meanWait')]).toEqual([3, 1, 3600]);
    const speeding = await run('speeding', { language: 'es' });
    expect([speeding.total, totalOf(speeding, 'topSpeed'), totalOf(speeding, 'length')]).toEqual([1, 40, 60]);
    expect(speeding.title).toBe('Alertas de exceso de velocidad');
  });

  it('of documents and subscriptions has what ends by the last day, and what is over', async () => {
    const { system } = server.context.db;
    const document = {
      account_id: owner.accountId,
      vehicle_id: vehicleId,
      kind: 'insurance',
      file_name: 'a.pdf',
      file: 'a',
      type: 'application/pdf',
      bytes: 1,
    };
    await system
      .insertInto('document')
      .values([
        { ...document, title: 'Over', expires_on: '2020-01-31', file: 'over' },
        { ...document, title: 'Soon', expires_on: period.to, file: 'soon' },
        { ...document, title: 'Later', expires_on: '2099-01-01', file: 'later' },
      ])
      .execute();
    const page = await run('due', {});
    const titles = page.rows.map(({ cells }) => cells[page.columns.findIndex(({ key }) => key === 'title')]);
    expect(titles).toEqual(['Over', 'Soon']);
  });
});

describe('[R2.04] working hours', () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'];
  it.each(zones)('are those of the clock on each day of the year in %s', zone => {
    const calendar = calendarOf(zone);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    for (let day = 20_400; day < 20_800; day++) {
      for (const [minute, shown] of [
        [360, '06:00'],
        [1080, '18:00'],
        [1439, '23:59'],
      ] as const) {
        expect([day, clock.format(atMinute(calendar, day, minute))]).toEqual([day, shown]);
      }
    }
  });

  it('what is inside and outside of them is the whole, wherever it is cut', () => {
    const calendar = calendarOf('America/Chicago');
    const begin = calendar.startOf(20_500);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 * 24 * 60 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 5000 }),
        (start, one, other) => {
          const [from, cut, to] = [start, start + one, start + one + other].map(
            minutes => begin + minutes * MINUTE,
          ) as [number, number, number];
          const outside = (a: number, b: number) => msOutside(calendar, { from: 360, to: 1080 }, a, b);
          expect(outside(from, cut) + outside(cut, to)).toBe(outside(from, to));
          expect(outside(from, to)).toBeLessThanOrEqual(to - from);
        },
      ),
    );
    // A Saturday, whole.
    expect(msOutside(calendar, { from: 0, to: 1440 }, calendar.startOf(20_503), calendar.startOf(20_504))).toBe(0);
  });
});
