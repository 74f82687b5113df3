import type { ReportPage, ReportRun } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { readColumns } from '../../tracks/columns.ts';
import { countPositions } from '../../tracks/count.ts';
import { sealOldDays } from '../../tracks/seal.ts';
import { packDay } from '../../tracks/sealed-day.ts';

const MINUTE = 60_000;
const DAYS = 9;
const patient = { timeout: 60_000, interval: 25 };

let server: TestHttpServer;
let owner: SignedIn;
let vehicleId: number;
let firstMs: number;
let period: { readonly from: string; readonly to: string };

/** Drives of 9 days, the older ones sealed, with a jump, a fix without GPS, one that came late, and one at 0°/0°. */
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
  owner = await signedIn(server);
  vehicleId = Number((await addNamedVehicle(server, owner.accountId, 'Truck 1')).id);
  await addNamedVehicle(server, owner.accountId, 'Silent');
  const other = Number((await addNamedVehicle(server, owner.accountId, 'Truck 2')).id);
  const calendar = server.figures.calendar(owner.accountId);
  const today = calendar.dayOf(Date.now());
  period = { from: calendar.dateOf(today - DAYS), to: calendar.dateOf(today) };
  firstMs = calendar.startOf(today - DAYS);
  const day = (nth: number) => {
    const fix = (minute: number, fields: Parameters<typeof receivedPosition>[1] = {}) =>
      receivedPosition(calendar.startOf(today - DAYS + nth) + minute * MINUTE, fields);
    return [
      // Around midnight in UTC.
      ...Array.from({ length: 300 }, (_, i) =>
        fix(990 + i, { lon: degrees(-87.68 + i * 0.009), speed: fromKilometresPerHour(45), ignition: true }),
      ),
      fix(1300, { lat: degrees(10), ignition: null, odometer: null }),
      fix(1301, { valid: false }),
      fix(1310, { lat: degrees(0), lon: degrees(0) }),
      fix(1320),
      fix(980, { speed: null, course: null }),
    ];
  };
  const days = Array.from({ length: DAYS }, (_, nth) => day(nth)).flat();
  await storePositions(server, owner.accountId, vehicleId, days);
  await storePositions(server, owner.accountId, other, day(DAYS - 1));
  await sealOldDays({
    pool: server.context.db.pool,
    log: pino({ level: 'silent' }),
    pack: async rows => packDay(rows),
    afterDays: 3,
    withinMs: 60_000,
    isStopped: () => false,
  });
}, 90_000);
afterAll(() => server.close());

const run = async (query: Readonly<Record<string, string>> = {}, key = 'route-points') => {
  const path = `/api/v1/report/${key}?${new URLSearchParams({ ...period, limit: '500', ...query })}`;
  const answer = await server.call('GET', path, { token: owner.token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as ReportPage;
};
const cells = ({ columns, rows }: ReportPage, key: string) =>
  rows.map(row => row.cells[columns.findIndex(each => each.key === key)]);
const stored = (from: Date, before: Date, id = vehicleId) =>
  server.context.db.asAccount(owner.accountId, trx =>
    readColumns(trx, { vehicleId: id, from, before }, ['lat', 'lon', 'valid', 'doubts', 'late']),
  );

describe('[R2.04] route points', () => {
  it('are every stored position, sealed or not, in order, whatever page is read', async () => {
    const { system } = server.context.db;
    const sealed = await system.selectFrom('sealed_day').select('day').where('vehicle_id', '=', vehicleId).execute();
    expect(sealed.length).toBeGreaterThan(3);
    const all = await stored(new Date(firstMs), new Date());
    expect(all.fixAt).toHaveLength(DAYS * 305);
    const first = await run({ groupBy: 'vehicle' });
    expect(first).toMatchObject({ total: (DAYS + 1) * 305, behind: 0, vehicles: 3 });
    expect(first.rows).toHaveLength(500);
    expect(first.groups.map(({ label, total }) => [label, total])).toEqual([
      ['Truck 1', DAYS * 305],
      ['Truck 2', 305],
    ]);
    expect(first.silent.vehicles.map(({ name }) => name)).toEqual(['Silent']);
    const read: ReportPage['rows'] = [];
    for (let offset = 0; offset < first.total; offset += 499) {
      read.push(...(await run({ groupBy: 'vehicle', offset: String(offset), limit: '499' })).rows);
    }
    const ofFirst = read.filter(({ deviceId }) => deviceId === String(vehicleId));
    expect(ofFirst.map(row => [row.cells[1], row.cells[2], row.cells[3]])).toEqual(
      all.fixAt.map((ms, i) => [new Date(ms).toISOString(), all.lat[i], all.lon[i]]),
    );
    expect(read).toHaveLength(first.total);
    expect(new Set(read.map(({ id }) => id)).size).toBe(first.total);
    expect((await run({ offset: String(first.total) })).rows).toEqual([]);
  });

  it('are those of the days, with those that the days left out marked', async () => {
    const { db } = server.context;
    await vi.waitFor(async () => expect((await run({}, 'daily-summary')).behind).toBe(0), patient);
    const { fixes, left } = await db.system
      .selectFrom('vehicle_day')
      .select(({ fn }) => [fn.sum('fixes').as('fixes'), fn.sum('left_out').as('left')])
      .where('vehicle_id', '=', vehicleId)
      .executeTakeFirstOrThrow();
    const marks: string[] = [];
    for (let offset = 0; offset < DAYS * 305; offset += 500) {
      const limit = String(Math.min(500, DAYS * 305 - offset));
      const page = await run({ vehicles: String(vehicleId), offset: String(offset), limit });
      marks.push(...cells(page, 'marks').map(mark => String(mark ?? '')));
    }
    expect([marks.length, Number(fixes) + Number(left)]).toEqual([DAYS * 305, DAYS * 305]);
    const isLeftOut = (mark: string) => /GPS|impossible|0°/.test(mark);
    expect(marks.filter(isLeftOut)).toHaveLength(Number(left));
    expect(new Set(marks)).toContain('no GPS fix');
    expect(marks.filter(mark => mark.includes('late')).length).toBeGreaterThanOrEqual(DAYS);
    expect(marks.filter(mark => mark.includes('at 0°/0°')).length).toBe(DAYS);
  });

  it('say nothing of what was not sent, and nothing of a place at 0°/0°', async () => {
    const page = await run({ limit: '305', language: 'fr' });
    expect(cells(page, 'speed')[0]).toBeNull();
    expect(cells(page, 'course')[0]).toBeNull();
    expect(cells(page, 'odometer')).toContain(null);
    expect(new Set(cells(page, 'ignition'))).toEqual(new Set(['Mis', 'Coupé', null]));
    const nowhere = cells(page, 'marks').findIndex(mark => String(mark).includes('à 0°/0°'));
    expect([cells(page, 'lat')[nowhere], cells(page, 'place')[nowhere]]).toEqual([0, null]);
    expect(cells(page, 'place')[5]).toMatchObject({ address: expect.stringContaining('Chicago') });
  });

  it('of the period before are counted to compare, and an empty report names who sent nothing', async () => {
    const calendar = server.figures.calendar(owner.accountId);
    const first = calendar.numberOf(period.from);
    const dates = (from: number, to: number) => ({ from: calendar.dateOf(from), to: calendar.dateOf(to) });
    const page = await run({ ...dates(first + 1, first + 1), compare: 'true' });
    expect([page.total, page.previous?.total]).toEqual([305, 305]);
    const empty = await run(dates(first - 5, first - 4));
    expect([empty.total, empty.rows, empty.silent.count]).toEqual([0, [], 3]);
  });

  it('as CSV have each row, with figures as figures', async () => {
    const body = { ...period, key: 'route-points', format: 'csv' };
    const started = await server.call('POST', '/api/v1/report_run', { token: owner.token, body });
    const find = async () =>
      ((await server.call('GET', '/api/v1/report_run', { token: owner.token })).body as ReportRun[]).find(
        ({ id }) => id === (started.body as ReportRun).id,
      );
    await vi.waitFor(async () => expect((await find())?.state).toBe('done'), patient);
    const found = await find();
    expect(found).toMatchObject({ file: { rows: (DAYS + 1) * 305 } });
    const answer = await fetch(`${server.url}/api/v1/report_run/${found?.id}/file`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const [heads = [], ...rows] = parse(await answer.text(), { bom: true }) as string[][];
    expect(rows).toHaveLength((DAYS + 1) * 305);
    expect([rows[1]?.[heads.indexOf('Latitude')], rows[1]?.[heads.indexOf('Longitude')]]).toEqual(['41.9', '-87.68']);
  });

  it('are counted as they are read, in any period', async () => {
    const span = DAYS * 24 * 60;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -60, max: span }),
        fc.integer({ min: 0, max: span }),
        async (start, length) => {
          const from = new Date(firstMs + start * MINUTE);
          const before = new Date(from.getTime() + length * MINUTE);
          const counts = await server.context.db.asAccount(owner.accountId, trx =>
            countPositions(trx, [vehicleId], { from, before }),
          );
          expect(counts.get(vehicleId) ?? 0).toBe((await stored(from, before)).fixAt.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});
