import type { Report, ReportPage } from '@milepost/contract';
import { degrees, fromKilometresPerHour, metres } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { itHolds } from '../../../testing/few-and-many.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

type Query = Readonly<Record<string, string>>;

const get = (path: string, query: Query, { token }: SignedIn) =>
  server.call('GET', `/api/v1/${path}?${new URLSearchParams(query)}`, { token });

/** Once everything is counted. */
const run = (key: string, query: Query, me: SignedIn): Promise<ReportPage> =>
  vi.waitFor(
    async () => {
      const answer = await get(`report/${key}`, query, me);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      const page = answer.body as ReportPage;
      expect(page.behind).toBe(0);
      return page;
    },
    { timeout: 30_000 },
  );

const totalOf = ({ columns, totals }: ReportPage, key: string) => totals[columns.findIndex(each => each.key === key)];
const column = ({ columns, rows }: ReportPage, key: string) => {
  const index = columns.findIndex(each => each.key === key);
  return rows.map(({ cells }) => cells[index]);
};

async function makeVehicle(owner: SignedIn, name?: string): Promise<number> {
  const { id } = await addVehicle(server.context, owner.accountId);
  if (name !== undefined) {
    await server.context.db.system.updateTable('vehicle').set({ name }).where('id', '=', id).execute();
    await server.context.feed.settled();
  }
  await server.directory.settled();
  return id;
}

/** Drives with one fix a minute, a kilometer a minute, idles for some minutes, and parks. */
const drive = (fromMs: number, minutes: number, { afterKm = 0, idles = 0, rfid = null as string | null } = {}) =>
  Array.from({ length: minutes + idles + 1 }, (_, i) =>
    receivedPosition(fromMs + i * MINUTE, {
      lon: degrees(-87.68 + (afterKm + Math.min(i, minutes - 1)) / 82.85),
      speed: fromKilometresPerHour(i < minutes ? 60 : 0),
      ignition: i < minutes + idles,
      odometer: metres(1_000_000 + (afterKm + Math.min(i, minutes)) * 1000),
      rfid,
    }),
  );

const setZone = async (accountId: number, timeZone: string): Promise<void> => {
  await server.context.db.system
    .insertInto('account_setting')
    .values({ account_id: accountId, name: 'timeZone', value: JSON.stringify(timeZone) })
    .execute();
};

const calendarOf = ({ accountId }: SignedIn) => server.figures.calendar(accountId);
const today = (me: SignedIn) => calendarOf(me).dayOf(Date.now());
const date = (me: SignedIn, daysAgo: number) => calendarOf(me).dateOf(today(me) - daysAgo);
const at = (me: SignedIn, daysAgo: number, hours: number) => calendarOf(me).startOf(today(me) - daysAgo) + hours * HOUR;

describe('[R2.04] the catalogue of reports', () => {
  it('has every report that the caller may run, in their language', async () => {
    const owner = await signedIn(server);
    const reports = (await get('report', { language: 'es' }, owner)).body as Report[];
    expect(reports.map(({ key }) => key)).toEqual(expect.arrayContaining(['trips', 'stops', 'daily-summary']));
    expect(reports[0]).toMatchObject({
      title: 'Viajes',
      columns: expect.arrayContaining([
        expect.objectContaining({ title: 'Distancia', type: 'distance', hasTotal: true }),
      ]),
    });
    const driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const theirs = (await get('report', {}, driver)).body as Report[];
    expect(theirs[0]).toMatchObject({ key: 'trips', groupings: expect.not.arrayContaining(['folder']) });
  });

  it('refuses what is not in it', async () => {
    const owner = await signedIn(server);
    const answer = await get('report/nonsense', { from: '2026-01-01', to: '2026-01-02' }, owner);
    expect([answer.status, answer.body]).toMatchObject([404, { code: 'not-found' }]);
    const long = await get('report/trips', { from: '2026-01-01', to: '2026-12-31' }, owner);
    expect([long.status, long.body]).toMatchObject([400, { code: 'range-too-long' }]);
  });
});

describe('[R2.04] a report', () => {
  it('lists trips with their driver, places and totals, pages of the same order, and what each row is made from', async () => {
    const me = await signedIn(server);
    const id = await makeVehicle(me, 'Truck 7');
    await server.context.db.system
      .insertInto('driver')
      .values({ account_id: me.accountId, name: 'Ada Park', card: 'A1B2' })
      .execute();
    await server.context.feed.settled();
    await storePositions(server, me.accountId, id, [
      ...drive(at(me, 2, 8), 60, { rfid: 'A1B2' }),
      ...drive(at(me, 2, 12), 30, { afterKm: 59, idles: 10 }),
      ...drive(at(me, 1, 9), 20, { afterKm: 88 }),
    ]);
    const period = { from: date(me, 2), to: date(me, 0) };
    const page = await run('trips', period, me);
    expect(page).toMatchObject({ total: 3, vehicles: 1, passing: 0, zone: calendarOf(me).zone });
    expect(page.rows[0]).toMatchObject({
      deviceId: String(id),
      isUnderWay: false,
      evidence: { from: new Date(at(me, 2, 8)).toISOString() },
    });
    expect(column(page, 'vehicle')).toEqual(['Truck 7', 'Truck 7', 'Truck 7']);
    expect(column(page, 'driver')).toEqual(['Ada Park', null, null]);
    expect(column(page, 'from')[0]).toMatchObject({ address: expect.stringContaining('Chicago') });
    expect(totalOf(page, 'driving')).toBe(110 * 60);
    expect(totalOf(page, 'odometer')).toBeGreaterThan(105_000);
    const second = await run('trips', { ...period, offset: '1', limit: '1' }, me);
    expect(second.rows).toEqual([page.rows[1]]);
    expect(second.totals).toEqual(page.totals);

    const byDriver = await run('trips', { ...period, groupBy: 'driver' }, me);
    expect(byDriver.groups.map(({ label, total }) => [label, total])).toEqual([
      ['Ada Park', 1],
      ['', 2],
    ]);
    const longer = await run('trips', { ...period, minimumM: '40000' }, me);
    expect(longer.total).toBe(1);
  });

  it('compares with the period before, of the same length', async () => {
    const me = await signedIn(server);
    const id = await makeVehicle(me);
    await storePositions(server, me.accountId, id, [
      ...drive(at(me, 4, 8), 60),
      ...drive(at(me, 2, 8), 30, { afterKm: 59 }),
    ]);
    const page = await run('daily-summary', { from: date(me, 3), to: date(me, 2), compare: 'true' }, me);
    expect(page.previousPeriod).toEqual({ from: date(me, 5), to: date(me, 4) });
    const driving = page.columns.findIndex(({ key }) => key === 'driving');
    expect([page.totals[driving], page.previous?.totals[driving]]).toEqual([30 * 60, 60 * 60]);
  });

  it('is never silently empty: it says who sent nothing, and who has stopped reporting [I7]', async () => {
    const me = await signedIn(server);
    const [quiet, gone, driven] = [
      await makeVehicle(me, 'Quiet'),
      await makeVehicle(me, 'Gone'),
      await makeVehicle(me, 'Driven'),
    ];
    await storePositions(server, me.accountId, gone, drive(at(me, 9, 8), 30));
    await storePositions(server, me.accountId, driven, drive(Date.now() - 20 * MINUTE, 19));
    const page = await run('trips', { from: date(me, 1), to: date(me, 0) }, me);
    expect(page.silent).toMatchObject({
      count: 2,
      vehicles: [
        { name: 'Gone', lastAt: expect.any(String) },
        { deviceId: String(quiet), name: 'Quiet', lastAt: null },
      ],
    });
    expect(page.late.vehicles.map(({ name }) => name)).toEqual(['Gone']);
    expect(page.rows.at(-1)?.deviceId).toBe(String(driven));
  });

  it('says of no vehicle that it sent nothing when none of its reports count', async () => {
    const me = await signedIn(server);
    const reports = drive(Date.now() - 20 * MINUTE, 19).map(report => ({ ...report, valid: false }));
    await storePositions(server, me.accountId, await makeVehicle(me), reports);
    const page = await run('trips', { from: date(me, 1), to: date(me, 0) }, me);
    expect([page.total, page.silent.count]).toEqual([0, 0]);
  });

  it('names who drove by card, or else the usual driver, and says which', async () => {
    const me = await signedIn(server);
    const id = await makeVehicle(me);
    const { system } = server.context.db;
    const drivers = ['Ann', 'Bo'].map(name => ({ account_id: me.accountId, name, card: `${name}7`.toUpperCase() }));
    const [ann] = await system.insertInto('driver').values(drivers).returning('id').execute();
    await system.updateTable('vehicle').set({ usual_driver_id: ann!.id }).where('id', '=', id).execute();
    await server.context.feed.settled();
    await Promise.all([server.directory.settled(), server.organisation.roster.settled()]);
    await storePositions(server, me.accountId, id, [
      ...drive(at(me, 1, 8), 30),
      ...drive(at(me, 1, 10), 20, { afterKm: 30, rfid: 'BO7' }),
    ]);
    const query = { from: date(me, 1), to: date(me, 1) };
    expect(column(await run('trips', query, me), 'driver')).toEqual(['Ann (usual)', 'Bo']);
    const { groups } = await run('trips', { ...query, groupBy: 'driver' }, me);
    expect(groups.map(({ label, total }) => [label, total])).toEqual([
      ['Ann', 1],
      ['Bo', 1],
    ]);
  });

  it('contains only what the caller may see: folders, and of a driver what they drove themselves', async () => {
    const owner = await signedIn(server);
    const id = await makeVehicle(owner);
    const { system } = server.context.db;
    const driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const ann = { account_id: owner.accountId, name: 'Ann', card: 'ANN1', user_id: driver.userId };
    const { id: driverId } = await system.insertInto('driver').values(ann).returning('id').executeTakeFirstOrThrow();
    await system.insertInto('driver').values({ account_id: owner.accountId, name: 'Bo', card: 'BOB2' }).execute();
    await system.updateTable('vehicle').set({ usual_driver_id: driverId }).where('id', '=', id).execute();
    await server.context.feed.settled();
    await Promise.all([server.directory.settled(), server.organisation.roster.settled()]);
    await storePositions(server, owner.accountId, id, [
      ...drive(at(owner, 1, 8), 60, { rfid: 'BOB2' }),
      ...drive(at(owner, 1, 12), 30, { rfid: 'ANN1', afterKm: 59 }),
    ]);
    const period = { from: date(owner, 1), to: date(owner, 1) };
    expect((await run('trips', period, owner)).total).toBe(2);
    for (const key of ['trips', 'daily-summary']) {
      const theirs = await run(key, period, driver);
      expect(theirs.total).toBe(1);
      expect(totalOf(theirs, 'driving')).toBe(30 * 60);
      expect(JSON.stringify(theirs)).not.toContain('Bo');
    }
  });
});

describe('[R2.04] [I6] sums of reports', () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Pacific/Chatham', 'UTC'];
  for (const zone of zones) {
    const title = `equal the days and trips they are made of, over midnight, in every grouping, in ${zone}`;
    itHolds(title, { few: 2, many: 12 }, async numRuns => {
      const outings = fc.array(
        fc.record({
          start: fc.integer({ min: 0, max: 6 * 24 * 60 }),
          minutes: fc.integer({ min: 4, max: 400 }),
          idles: fc.integer({ min: 0, max: 20 }),
        }),
        { minLength: 1, maxLength: 8 },
      );
      await fc.assert(
        fc.asyncProperty(outings, fc.boolean(), async (stories, isReversed) => {
          const me = await signedIn(server);
          await setZone(me.accountId, zone);
          await server.figures.manager.look();
          const id = await makeVehicle(me);
          const begin = at(me, 8, 0);
          let free = 0;
          const positions = stories
            .toSorted((a, b) => a.start - b.start)
            .flatMap(({ start, minutes, idles }) => {
              const from = Math.max(start, free);
              free = from + minutes + idles + 5;
              return drive(begin + from * MINUTE, minutes, { idles });
            })
            .filter(({ fixAt }) => fixAt < Date.now());
          await storePositions(server, me.accountId, id, isReversed ? positions.toReversed() : positions);
          const period = { from: date(me, 8), to: date(me, 0), limit: '500' };
          const days = await run('daily-summary', period, me);
          const trips = await run('trips', period, me);
          const stops = await run('stops', period, me);
          for (const key of ['driving']) expect([key, totalOf(trips, key)]).toEqual([key, totalOf(days, key)]);
          expect(Number(totalOf(trips, 'idling') ?? 0) + Number(totalOf(stops, 'idling') ?? 0)).toBeCloseTo(
            Number(totalOf(days, 'idling')),
            3,
          );
          for (const report of ['trips', 'stops', 'daily-summary']) {
            const whole = { trips, stops, 'daily-summary': days }[report] as ReportPage;
            for (const groupBy of ['vehicle', 'day', 'week', 'month']) {
              const grouped = await run(report, { ...period, groupBy }, me);
              for (const [index, { key, hasTotal, type }] of whole.columns.entries()) {
                if (!hasTotal || !['distance', 'duration'].includes(type) || key === 'odometer') continue;
                const sum = grouped.groups.reduce(
                  (total, { totals }) => total + Math.round(Number(totals[index] ?? 0) * 1000),
                  0,
                );
                expect([report, groupBy, key, sum / 1000]).toEqual([report, groupBy, key, whole.totals[index] ?? 0]);
              }
            }
          }
          // Each day's trips are that day's driving.
          const byDay = await run('trips', { ...period, groupBy: 'day' }, me);
          const driving = byDay.columns.findIndex(({ key }) => key === 'driving');
          const drivenOn = new Map(byDay.groups.map(({ key, totals }) => [key, totals[driving]]));
          const [dayAt, sumAt] = ['day', 'driving'].map(name => days.columns.findIndex(({ key }) => key === name));
          for (const { cells } of days.rows) {
            expect(drivenOn.get(String(cells[dayAt as number])) ?? 0).toBe(cells[sumAt as number]);
          }
        }),
        { numRuns },
      );
    });
  }

  it('has idling after midnight in the trip that it ends, by day as well', async () => {
    const me = await signedIn(server);
    const id = await makeVehicle(me);
    await storePositions(server, me.accountId, id, drive(at(me, 3, 0) - HOUR, 55, { idles: 12 }));
    const period = { from: date(me, 5), to: date(me, 0) };
    const whole = await run('trips', period, me);
    const byDay = await run('trips', { ...period, groupBy: 'day' }, me);
    expect(Number(totalOf(whole, 'idling'))).toBe(12 * 60);
    const idling = byDay.columns.findIndex(({ key }) => key === 'idling');
    expect(byDay.groups.map(({ key }) => key)).toEqual([date(me, 4), date(me, 3)]);
    expect(byDay.groups.reduce((sum, { totals }) => sum + Number(totals[idling] ?? 0), 0)).toBe(
      totalOf(whole, 'idling'),
    );
  });

  it('of a day with 23 or 25 hours are those of that day', async () => {
    const me = await signedIn(server);
    await setZone(me.accountId, 'America/New_York');
    await server.figures.manager.look();
    const id = await makeVehicle(me);
    const calendar = calendarOf(me);
    // The most recent change of the clocks.
    let day = today(me) - 1;
    while (calendar.startOf(day + 1) - calendar.startOf(day) === 24 * HOUR) day--;
    const hours = (calendar.startOf(day + 1) - calendar.startOf(day)) / HOUR;
    await storePositions(server, me.accountId, id, [
      ...drive(calendar.startOf(day) - 30 * MINUTE, 60),
      ...drive(calendar.startOf(day + 1) - 30 * MINUTE, 60, { afterKm: 59 }),
    ]);
    const only = { from: calendar.dateOf(day), to: calendar.dateOf(day) };
    const page = await run('daily-summary', only, me);
    const seconds = ['driving', 'idling', 'stopped', 'gap'].reduce((sum, key) => sum + Number(totalOf(page, key)), 0);
    expect([hours === 24, seconds]).toEqual([false, hours * 3600]);
    expect(totalOf(await run('trips', only, me), 'driving')).toBe(60 * 60);
  });
});
