import { listTaskFits, type RouteAnswer } from '@milepost/contract';
import { degrees } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { keptLog } from '../../../../testing/cross-account/kept-log.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { event, OWNER } from '../../../../testing/logbook.ts';
import { receivedPosition } from '../../../../testing/stored-positions.ts';
import { advance } from '../../../fleet/vehicle-state.ts';
import type { EntryDraft } from '../../logbook/draft.ts';
import { writeEntries } from '../../logbook/write.ts';

const MINUTE = 60_000;
const CHICAGO = { lat: 41.9, lon: -87.68 };
/** 100 miles by road at the estimate's factor: two hours. */
const MILES_100 = { lat: 41.9 + 80 / 69.0936, lon: -87.68 };

let server: TestHttpServer;
let me: UserWithData;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  me = await userWithData(server);
  await server.context.db.asAccount(me.accountId, async trx => {
    await trx.deleteFrom('task').execute();
  });
});

const now = (): number => Math.floor(Date.now() / 1000) * 1000;
const iso = (ms: number): string => new Date(ms).toISOString();
type Fit = RouteAnswer<typeof listTaskFits>['drivers'][number];

async function fitFor(body: object): Promise<Fit> {
  const answer = await server.call('POST', '/api/v1/task/fit', { token: me.token, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const { drivers, assumes } = listTaskFits.response.parse(answer.body);
  expect(assumes).toEqual({ roadFactor: 1.25, speedMps: 22.352, stopS: 1800 });
  const fit = drivers.find(({ driver }) => driver.id === me.driverId);
  if (!fit) throw new Error('The driver is missing.');
  return fit;
}
const stops = [{ name: 'Dock 9', ...MILES_100 }];
const standsAt = (ageMs: number, place = CHICAGO): void => {
  const position = receivedPosition(now() - ageMs, { lat: degrees(place.lat), lon: degrees(place.lon) });
  const state = advance(null, { receivedAt: position.receivedAt, positions: [position] }, () => {});
  server.live.set(me.accountId, Number(me.vehicleId), state);
};
async function written(state: 'OFF' | 'D' | 'ON', minutesAgo: number): Promise<void> {
  const at = now() - minutesAgo * MINUTE;
  const draft: EntryDraft = {
    ...{ action: 'record', log: `driver:${me.driverId}`, device: `vehicle:${me.vehicleId}`, by: 'eld' },
    event: event(state, at, '', state === 'D' ? 'automatic' : 'driver'),
  };
  const result = await writeEntries(server.context.db, me.accountId, [draft], () => OWNER, at);
  if (!result.ok) throw new Error(result.refusal);
}
const minutesFromNow = (at: string | null): number => Math.round((Date.parse(at ?? '') - Date.now()) / MINUTE);

describe('who can make a task', () => {
  it('says why it isn’t known: no place, no vehicle, an old position, no log', async () => {
    expect(await fitFor({ stops: [] })).toMatchObject({ fits: null, reason: { code: 'no-place' } });
    standsAt(0);
    expect(await fitFor({ stops })).toMatchObject({ fits: null, reason: { code: 'no-log' }, driveLeftS: null });
    await keptLog(server, me);
    await written('OFF', 3 * 24 * 60);
    standsAt(25 * 60 * MINUTE);
    expect(await fitFor({ stops })).toMatchObject({ fits: null, reason: { code: 'old-position' } });
    standsAt(0);
    expect(await fitFor({ stops })).toMatchObject({ fits: true, reason: null, leaveBy: null, limit: null });
  });

  it('says when a rested driver arrives and until when they must leave', async () => {
    await keptLog(server, me);
    await written('OFF', 3 * 24 * 60);
    standsAt(0);
    const fit = await fitFor({ stops, dueTo: iso(now() + 300 * MINUTE) });
    expect(fit).toMatchObject({ fits: true, limit: 'window', freeAt: null, driveLeftS: 11 * 3600 });
    expect((fit.distanceM ?? 0) / 1609.344).toBeCloseTo(100, 0);
    expect(minutesFromNow(fit.arriveAt)).toBeCloseTo(120, -1);
    expect(minutesFromNow(fit.leaveBy)).toBeCloseTo(180, -1);
    const late = await fitFor({ stops, dueTo: iso(now() + 90 * MINUTE) });
    expect(late).toMatchObject({ fits: false, reason: { code: 'distance' }, leaveBy: null });
    expect(Math.round((late.reason?.shortS ?? 0) / 60)).toBeCloseTo(30, -1);
  });

  it('says when a break is due, and when the driving time ends', async () => {
    await keptLog(server, me);
    await written('OFF', 3 * 24 * 60);
    await written('D', 500);
    standsAt(0);
    // 8 hours of driving are over: 30 minutes first, which this window does not leave.
    const broken = await fitFor({ stops, dueTo: iso(now() + 130 * MINUTE) });
    expect(broken).toMatchObject({ fits: false, reason: { code: 'break', limit: 'break' } });
    const rested = await fitFor({ stops, dueTo: iso(now() + 200 * MINUTE) });
    expect(rested).toMatchObject({ fits: true, rest: { lengthS: 1800 } });
    // 2 h 40 m of driving are left, 6 h 40 m away.
    const far = [{ name: 'Far', lat: 41.9 + 267 / 69.0936, lon: -87.68 }];
    const spent = await fitFor({ stops: far, dueTo: iso(now() + 460 * MINUTE) });
    expect(spent).toMatchObject({ fits: false, reason: { code: 'hours', limit: 'drive' } });
    expect(minutesFromNow(spent.reason?.at ?? null)).toBeCloseTo(190, -1);
    expect((spent.reason?.shortS ?? 0) / 60).toBeCloseTo(240, -1);
  });

  it('says how long a rest that has begun still has to last, in whole seconds', async () => {
    await keptLog(server, me);
    await written('OFF', 3 * 24 * 60);
    await written('D', 14 * 60);
    await written('OFF', 180);
    standsAt(0);
    const { rest } = await fitFor({ stops });
    expect((rest?.lengthS ?? 0) / 60).toBeCloseTo(420, 0);
  });

  it('says what is left of the hours, and the day’s duty statuses, of drivers who can’t be planned for, too', async () => {
    await keptLog(server, me);
    await written('OFF', 3 * 24 * 60);
    await written('ON', 200);
    await written('D', 180);
    const duty = { from: iso(now() - 190 * MINUTE), to: iso(now() + 600 * MINUTE) };
    const fit = await fitFor({ stops: [], duty });
    expect(fit).toMatchObject({ fits: null, reason: { code: 'no-place' } });
    expect(Math.round((fit.driveLeftS ?? 0) / 60)).toBeCloseTo(480, -1);
    expect(Math.round((fit.shiftLeftS ?? 0) / 60)).toBeCloseTo(640, -1);
    expect(fit.duty.map(({ status }) => status)).toEqual(['ON', 'D']);
    expect(fit.duty.map(({ from, to }) => minutesFromNow(to) - minutesFromNow(from))).toEqual([10, 180]);
    expect(fit.duty[0]?.from).toBe(duty.from);
    expect((await fitFor({ stops })).duty).toEqual([]);
    const backward = await server.call('POST', '/api/v1/task/fit', {
      token: me.token,
      body: { stops: [], duty: { from: duty.to, to: duty.from } },
    });
    expect(backward.status).toBe(400);
  });

  it('says which of the driver’s later tasks it would make late, and only those', async () => {
    await keptLog(server, me);
    await written('OFF', 3 * 24 * 60);
    standsAt(0);
    const home = [{ name: 'Yard', ...CHICAGO }];
    const add = async (title: string, dueFrom: number, dueTo: number, where: object[]) => {
      const body = { title, driverId: me.driverId, vehicleId: me.vehicleId, stops: where };
      const times = { dueFrom: iso(now() + dueFrom * MINUTE), dueTo: iso(now() + dueTo * MINUTE) };
      const answer = await server.call('POST', '/api/v1/task', { token: me.token, body: { ...body, ...times } });
      return (answer.body as { id: string }).id;
    };
    // Two hours there, half an hour of work, two hours back: 270 minutes.
    const early = await add('At the yard', 150, 200, home);
    await add('At the yard again', 300, 600, home);
    await add('Late anyway', 151, 152, [{ name: 'Far', lat: 41.9 + 400 / 69.0936, lon: -87.68 }]);
    const wanted = { stops, dueFrom: iso(now() + MINUTE), dueTo: iso(now() + 140 * MINUTE) };
    const { fits, makesLate } = await fitFor(wanted);
    expect([fits, makesLate.map(({ title }) => title)]).toEqual([true, ['At the yard']]);
    expect(makesLate[0]?.taskId).toBe(early);
    expect(Math.round((makesLate[0]?.lateS ?? 0) / 60)).toBeCloseTo(70, -1);
    // After all of them, it delays none.
    expect(await fitFor({ stops })).toMatchObject({ makesLate: [] });
  });

  it('counts what the driver has to do before', async () => {
    await keptLog(server, me);
    await written('OFF', 3 * 24 * 60);
    standsAt(0);
    const body = {
      title: 'First',
      driverId: me.driverId,
      vehicleId: me.vehicleId,
      stops,
      dueTo: iso(now() + 200 * MINUTE),
    };
    const { body: first } = await server.call('POST', '/api/v1/task', { token: me.token, body });
    const home = [{ name: 'Yard', ...CHICAGO }];
    const wanted = { stops: home, dueTo: iso(now() + 210 * MINUTE) };
    const fit = await fitFor(wanted);
    expect(fit).toMatchObject({ fits: false, reason: { code: 'busy' } });
    expect(minutesFromNow(fit.freeAt)).toBeCloseTo(150, -1);
    expect(minutesFromNow(fit.arriveAt)).toBeCloseTo(270, -1);
    // The task itself is not one of those before it.
    const itself = { ...wanted, taskId: (first as { id: string }).id, stops };
    expect(await fitFor(itself)).toMatchObject({ fits: true, freeAt: null });
  });
});
