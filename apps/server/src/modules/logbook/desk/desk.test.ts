import { createHash, randomUUID } from 'node:crypto';
import {
  assignUnidentified,
  certifyRepair,
  handOverFile,
  listInspections,
  listLogDays,
  listLogExports,
  listMalfunctions,
  listRoster,
  listUnidentified,
  type MyDuty,
  proposeEdit,
  type Route,
  type RouteAnswer,
  readAvailability,
  readBoard,
  readLogDay,
} from '@milepost/contract';
import { describeOutputFault, readOutputFile } from '@milepost/eld';
import { degrees } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { inspectionReport, isOwnLog, keptLog, unidentifiedDrive } from '../../../../testing/cross-account/kept-log.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { event, OWNER } from '../../../../testing/logbook.ts';
import { limit } from '../../../../testing/organisation.ts';
import { receivedPosition } from '../../../../testing/stored-positions.ts';
import { advance } from '../../../fleet/vehicle-state.ts';
import { claimDrafts } from '../claim.ts';
import { readLogs } from '../days/read-log.ts';
import type { EntryDraft } from '../draft.ts';
import { createHandedFiles } from '../files/handed-files.ts';
import { readTermsOf } from '../settings/driver-terms.ts';
import { writeEntries } from '../write.ts';

let server: TestHttpServer;
let me: UserWithData;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  me = await userWithData(server);
});

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/eld/${path}`, { token: me.token, ...(body !== undefined && { body }) });

/** The answer of a call that succeeds. */
async function ask<R extends Route>(route: R, path: string, body?: unknown): Promise<RouteAnswer<R>> {
  return route.response.parse((await call(route.method, path, body)).body) as RouteAnswer<R>;
}

/** Writes entries to the driver’s log, as their phone would. */
async function written(drafts: readonly EntryDraft[], now: number): Promise<string> {
  const result = await writeEntries(server.context.db, me.accountId, drafts, () => OWNER, now);
  if (!result.ok) throw new Error(result.refusal);
  return result.entries.at(-1)?.id ?? '';
}
const driver = (state: 'OFF' | 'SB' | 'D' | 'ON', at: number): EntryDraft => ({
  action: 'record',
  log: `driver:${me.driverId}`,
  device: `vehicle:${me.vehicleId}` as `vehicle:${string}`,
  by: 'eld',
  event: event(state, at, '', state === 'D' ? 'automatic' : 'driver'),
});
const minutesAgo = (minutes: number): number => Math.floor(Date.now() / 1000 - minutes * 60) * 1000;

describe('[R2.14] the board', () => {
  it('shows the drivers who keep a log, with clocks that follow what is recorded', async () => {
    expect((await call('GET', 'board')).body).toMatchObject({ rows: [] });
    await keptLog(server, me);
    const before = await call('GET', 'board');
    expect(before.body).toMatchObject({ rows: [{ driverId: me.driverId, status: 'ON', binds: 'window' }] });
    const at = minutesAgo(5 * 24 * 60);
    await written([driver('OFF', at)], at);
    const drive = minutesAgo(120);
    await written([driver('D', drive)], drive);
    const {
      rows: [row],
    } = await ask(readBoard, `board?drivers=${me.driverId}`);
    if (!row) throw new Error('There is no row.');
    expect(row).toMatchObject({ status: 'D', since: new Date(drive).toISOString(), place: '1mi E IL Chicago' });
    expect(row.clocks.drive.limitS).toBe(11 * 3600);
    expect(row.clocks.drive.leftS / 60).toBeCloseTo(9 * 60, 0);
    expect((row.clocks.break?.leftS ?? 0) / 60).toBeCloseTo(6 * 60, 0);
    // The vehicle was seen in motion: proof, which changes nothing that is shown.
    const motion: EntryDraft = { action: 'motion', log: `driver:${me.driverId}`, by: 'eld', until: minutesAgo(1) };
    await written([motion], minutesAgo(1));
    expect((await ask(readBoard, 'board')).rows).toMatchObject([{ status: 'D', since: row.since }]);
    expect((await call('GET', 'board?drivers=2000000000')).body).toMatchObject({ rows: [] });
  });

  it('says where the vehicle is by its newest report, not where the log last said, but not in personal use', async () => {
    await keptLog(server, me);
    const drive = minutesAgo(50);
    await written([driver('D', drive)], drive);
    const one = async () => (await ask(readBoard, `board?drivers=${me.driverId}`)).rows[0];
    expect(await one()).toMatchObject({ place: '1mi E IL Chicago', here: { address: 'N Hoyne Ave, Chicago, IL' } });
    const fixAt = minutesAgo(1);
    const position = receivedPosition(fixAt, { lat: degrees(41.5067), lon: degrees(-90.5151) });
    const state = advance(null, { receivedAt: position.receivedAt, positions: [position] }, () => {});
    server.live.set(me.accountId, Number(me.vehicleId), state);
    const row = await one();
    expect(row).toMatchObject({ place: '1mi E IL Chicago', reportAt: new Date(fixAt).toISOString() });
    expect(row?.here?.address).toBe('Moline, IL');
    const [off, now] = [driver('OFF', minutesAgo(2)), minutesAgo(1)];
    const personalUse = { ...event('OFF', now), type: 3, code: 1 };
    await written([off, { ...off, event: personalUse } as EntryDraft], now);
    expect(await one()).toMatchObject({ status: 'PC', here: null });
  });
});

describe('[R2.14] the first look at many logs', () => {
  it('is read in a worker thread, and says the same as one by one', async () => {
    await keptLog(server, me);
    const alone = (await ask(readBoard, 'board')).rows[0];
    const colleagues: UserWithData[] = [];
    for (let i = 0; i < 4; i++) colleagues.push(await userWithData(server, { accountId: me.accountId }));
    for (const one of colleagues) await keptLog(server, one);
    const { rows } = await ask(readBoard, 'board');
    expect(rows.map(({ driverId }) => driverId).sort()).toEqual(
      [me, ...colleagues].map(({ driverId }) => driverId).sort(),
    );
    for (const { status, since, place, uncertifiedDays, clocks } of rows.filter(one => one.driverId !== me.driverId)) {
      const { cycle, drive } = clocks;
      expect({ status, since, uncertifiedDays, cycle, drive }).toEqual({
        ...{ status: alone?.status, since: alone?.since, uncertifiedDays: alone?.uncertifiedDays },
        ...{ cycle: alone?.clocks.cycle, drive: alone?.clocks.drive },
      });
      expect(place).toMatch(/^marker/);
    }
  });
});

describe('[R2.15] hours ahead', () => {
  it('say what the driver could drive if they rested from now on, by hours and by days', async () => {
    await keptLog(server, me);
    const off = minutesAgo(5 * 24 * 60);
    await written([driver('OFF', off)], off);
    const drive = minutesAgo(120);
    await written([driver('D', drive)], drive);
    const { days, hours } = await ask(readAvailability, `driver/${me.driverId}/availability`);
    const at = (hour: number) => Math.round((hours[hour]?.drivingS ?? 0) / 360) / 10;
    // Until the break; then by the 14 hours, which run on; then rested, until the next break.
    expect([at(0), at(1), at(9), at(10), at(24)]).toEqual([6, 8, 3, 8, 8]);
    expect(hours).toHaveLength(25);
    expect(days).toHaveLength(8);
    // A day's rest later the cycle is as it was, and after 34 hours it begins anew.
    expect(days[2]).toMatchObject({ drivingS: 8 * 3600, cycleLeftS: 70 * 3600 });
    expect(Math.round(days.reduce((sum, { backS }) => sum + backS, 0) / 3600)).toBe(2);
    const phone = await userWithData(server, { role: 'driver', drives: true, accountId: me.accountId });
    const own = await server.call('GET', `/api/v1/eld/driver/${me.driverId}/availability`, { token: phone.token });
    expect(own.status).toBe(403);
  });
});

describe('[R2.14] asking a driver for what waits', () => {
  it('is on their phone until it is done, and is refused where nothing waits', async () => {
    const phone = await userWithData(server, { role: 'driver', drives: true, accountId: me.accountId });
    const record = await keptLog(server, phone);
    const remind = (about: string) => call('POST', `driver/${phone.driverId}/reminder`, { about });
    expect(await remind('proposals')).toMatchObject({ status: 409, body: { code: 'log-refused' } });
    expect((await remind('certification')).body).toMatchObject({ about: 'certification', waiting: expect.any(Number) });
    const edit = { driverId: phone.driverId, replaces: record, status: 'OFF', at: '2026-02-03T14:00:00Z' };
    await call('POST', 'edit', { ...edit, reason: 'Was off duty then' });
    expect((await remind('proposals')).body).toMatchObject({ about: 'proposals', waiting: 1 });
    const own = async () => {
      const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: phone.token });
      const { reminders, toCertify } = body as MyDuty;
      return { abouts: reminders?.map(({ about, by }) => [about, by]), toCertify };
    };
    const { abouts, toCertify } = await own();
    expect(abouts?.toSorted()).toEqual([
      ['certification', me.marker],
      ['proposals', me.marker],
    ]);
    await server.call('POST', '/api/v1/eld/certify', { token: phone.token, body: { dates: toCertify } });
    expect((await own()).abouts).toEqual([['proposals', me.marker]]);
  });
});

describe('[R2.14] asking drivers to certify', () => {
  it('asks each at most once a day, and says on the board and in the audit log when', async () => {
    const phone = await userWithData(server, { role: 'driver', drives: true, accountId: me.accountId });
    await keptLog(server, phone);
    await keptLog(server, me);
    const request = (...driverIds: string[]) => call('POST', 'certification_request', { driverIds });
    const board = async () => (await ask(readBoard, 'board')).rows.find(row => row.driverId === phone.driverId);
    expect((await board())?.certificationAskedAt).toBeNull();
    const first = await request(phone.driverId, phone.driverId);
    expect(first.body).toEqual({
      at: expect.any(String),
      asked: [{ driverId: phone.driverId, waiting: expect.any(Number) }],
      skipped: [],
    });
    expect((await board())?.certificationAskedAt).toBe((first.body as { at: string }).at);
    expect((await request(phone.driverId)).body).toMatchObject({
      asked: [],
      skipped: [{ driverId: phone.driverId, why: 'asked-today' }],
    });
    const single = await call('POST', `driver/${phone.driverId}/reminder`, { about: 'certification' });
    expect([single.status, single.body]).toMatchObject([409, { code: 'asked-today' }]);
    const own = await server.call('GET', '/api/v1/eld/my_duty', { token: phone.token });
    expect((own.body as MyDuty).reminders).toMatchObject([{ about: 'certification', by: me.marker }]);
    const { system } = server.context.db;
    const asked = system
      .selectFrom('audit_entry')
      .select('action')
      .where('account_id', '=', me.accountId)
      .where('action', '=', 'log.reminded');
    expect(await asked.execute()).toHaveLength(1);

    // The next day is another one, and what is certified meanwhile is not asked for.
    const before = { asked_at: new Date(Date.now() - 25 * 3_600_000) };
    await system.updateTable('driver_reminder').set(before).where('driver_id', '=', Number(phone.driverId)).execute();
    expect((await request(phone.driverId)).body).toMatchObject({ asked: [{ driverId: phone.driverId }] });
    const { toCertify } = own.body as MyDuty;
    await server.call('POST', '/api/v1/eld/certify', { token: phone.token, body: { dates: toCertify } });
    expect((await request(phone.driverId)).body).toMatchObject({
      asked: [],
      skipped: [{ driverId: phone.driverId, why: 'nothing-to-certify' }],
    });
    expect((await request(phone.driverId, '999999999')).status).toBe(404);
    expect((await request()).status).toBe(400);
  });
});

describe('[R2.14] the days to certify', () => {
  it('are the same on the board, the roster and the phone, which shows each of them', async () => {
    const phone = await userWithData(server, { role: 'driver', drives: true, accountId: me.accountId });
    await keptLog(server, phone);
    const counted = async () => {
      const row = (await ask(readBoard, 'board')).rows.find(({ driverId }) => driverId === phone.driverId);
      const roster = await ask(listRoster, 'driver');
      const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: phone.token });
      const { days, officerDays, toCertify } = body as MyDuty;
      const onRoster = roster.find(({ driverId }) => driverId === phone.driverId)?.uncertifiedDays;
      return { desk: [row?.uncertifiedDays, onRoster], toCertify, officerDays, dates: days.map(({ date }) => date) };
    };
    const { dates, officerDays, desk, toCertify } = await counted();
    expect(desk).toEqual([14, 14]);
    expect(toCertify).toEqual(dates.slice(1).reverse());
    expect(officerDays).toBe(8);
    const [oldest = '', ...others] = toCertify;
    const certify = (dates: readonly string[]) =>
      server.call('POST', '/api/v1/eld/certify', { token: phone.token, body: { dates } });
    expect((await certify([oldest])).body).toEqual({ certified: [oldest], toCertify: others });
    expect((await counted()).desk).toEqual([13, 13]);
    await certify(others);
    expect(await counted()).toMatchObject({ desk: [0, 0], toCertify: [] });
  });

  it('are on the phone with an older day whose change the driver answers, until it is certified again', async () => {
    const phone = await userWithData(server, { role: 'driver', drives: true, accountId: me.accountId });
    const record = await keptLog(server, phone);
    const duty = async () => (await server.call('GET', '/api/v1/eld/my_duty', { token: phone.token })).body as MyDuty;
    const old = '2026-02-03';
    expect((await duty()).days.map(({ date }) => date)).not.toContain(old);
    const edit = { driverId: phone.driverId, replaces: record, status: 'OFF', at: `${old}T14:00:00Z` };
    const { proposal: made } = await ask(proposeEdit, 'edit', { ...edit, reason: 'Was off duty then' });
    const asked = await duty();
    expect(asked.days.at(-1)).toMatchObject({ date: old, proposals: 1 });
    expect(asked.toCertify).not.toContain(old);
    const answer = {
      id: randomUUID(),
      at: new Date().toISOString(),
      action: { kind: 'answer', proposal: made, accept: true },
    };
    const taken = await server.call('POST', '/api/v1/eld/duty', { token: phone.token, body: { inputs: [answer] } });
    expect(taken.body).toMatchObject({ outcomes: [{ refusal: null }] });
    const changed = await duty();
    expect(changed.days.at(-1)).toMatchObject({ date: old, proposals: 0 });
    expect(changed.toCertify[0]).toBe(old);
    await server.call('POST', '/api/v1/eld/certify', { token: phone.token, body: { dates: [old] } });
    const done = await duty();
    expect([...done.toCertify, ...done.days.map(({ date }) => date)]).not.toContain(old);
  });
});

describe('[R2.14] days of a log', () => {
  it('are read one by one with records, clocks and the cycle, or listed without records', async () => {
    await keptLog(server, me);
    const day = await ask(readLogDay, `log/${me.driverId}/2026-02-03`);
    expect(day.totals).toEqual({ OFF: 8 * 3600, SB: 0, D: 0, ON: 16 * 3600 });
    expect(day).toMatchObject({
      certification: { count: 1, changedSince: false },
      recap: { usedS: 16 * 3600, leftS: 54 * 3600 },
      missing: ['engine-hours', 'odometer', 'vin'],
    });
    expect(day.records).toMatchObject([{ type: 1, status: 'ON', origin: 'automatic', by: null }]);
    const listed = await ask(listLogDays, `log?driverId=${me.driverId}&from=2026-02-01&to=2026-02-04`);
    expect(listed.map(({ date }) => date)).toEqual(['2026-02-03', '2026-02-04']);
    expect(listed[0]).not.toHaveProperty('records');
  });
});

describe('[R2.14] a proposed change', () => {
  const proposal = (replaces: string | null, more: object = {}) => ({
    ...{ driverId: me.driverId, replaces, status: 'OFF', at: '2026-02-03T14:00:00Z', reason: 'Was off duty then' },
    ...more,
  });

  it('is shown before it is made, and is made for a certified day only', async () => {
    const record = await keptLog(server, me);
    const preview = await ask(proposeEdit, 'edit', proposal(record, { preview: true }));
    expect(preview).toMatchObject({
      proposal: null,
      effect: { before: { totals: { ON: 16 * 3600 } }, after: { totals: { ON: 0, OFF: 24 * 3600 } } },
    });
    expect((await call('GET', 'proposal')).body).toEqual([]);
    const made = await ask(proposeEdit, 'edit', proposal(record));
    expect(made.effect.after.totals).toEqual(preview.effect.after.totals);
    expect((await call('GET', 'proposal')).body).toMatchObject([
      {
        id: made.proposal,
        state: 'waiting',
        status: 'OFF',
        date: '2026-02-03',
        replaces: { status: 'ON' },
        reason: 'Was off duty then',
      },
    ]);
    const later = await call('POST', 'edit', proposal(null, { at: '2026-02-05T20:00:00Z' }));
    expect(later).toMatchObject({ status: 409, body: { code: 'log-refused', errors: [{ code: 'not-certified' }] } });
  });

  it('is offered for the same days, drivers and people as it is taken from', async () => {
    const record = await keptLog(server, me);
    const colleague = await signedIn(server, { accountId: me.accountId, role: 'admin' });
    const asked = async (token: string, date: string, body: object) => {
      const { body: day } = await server.call('GET', `/api/v1/eld/log/${me.driverId}/${date}`, { token });
      const { body: made } = await server.call('POST', '/api/v1/eld/edit', { token, body });
      const { code, errors } = made as { code?: string; errors?: { code: string }[] };
      return [(day as { changeRefused: string | null }).changeRefused, errors?.[0]?.code ?? code ?? null];
    };
    const certified = () => asked(colleague.token, '2026-02-03', proposal(record, { preview: true }));
    const later = proposal(null, { at: '2026-02-04T20:00:00Z', preview: true });
    expect(await certified()).toEqual([null, null]);
    expect(await asked(colleague.token, '2026-02-04', later)).toEqual(['not-certified', 'not-certified']);
    // A colleague in another scope still sees who drives one of their vehicles.
    const { system } = server.context.db;
    const usual = { usual_driver_id: Number(me.driverId) };
    await system.updateTable('vehicle').set(usual).where('id', '=', Number(me.vehicleId)).execute();
    await limit(server.context, colleague, { folders: [me.folderId] });
    expect(await certified()).toEqual(['out-of-scope', 'out-of-scope']);
    await system
      .updateTable('log_setting')
      .set({ keeps_log: false })
      .where('driver_id', '=', Number(me.driverId))
      .execute();
    expect(await asked(me.token, '2026-02-03', proposal(record, { preview: true }))).toEqual(['no-log', 'no-log']);
  });

  it('can be withdrawn before the driver answers, and not after', async () => {
    const record = await keptLog(server, me);
    const { proposal: first } = await ask(proposeEdit, 'edit', proposal(record));
    expect((await call('DELETE', `proposal/${first}`)).status).toBe(200);
    expect((await call('GET', 'proposal')).body).toMatchObject([{ id: first, state: 'withdrawn' }]);
    const day = await ask(readLogDay, `log/${me.driverId}/2026-02-03`);
    expect(day.records.find(({ id }) => id === first)?.state).toBe('change-withdrawn');
    expect([day.proposals, day.certification.changedSince]).toEqual([0, false]);
    const log = `driver:${me.driverId}`;
    const again = await call('DELETE', `proposal/${first}`);
    expect(again).toMatchObject({ status: 409, body: { errors: [{ code: 'not-pending' }] } });
    const { proposal: second } = await ask(proposeEdit, 'edit', proposal(record));
    await written([{ action: 'reject', log, by: me.userId, proposal: second ?? '' }], Date.now());
    expect((await call('DELETE', `proposal/${second}`)).status).toBe(409);
    expect((await call('DELETE', `proposal/${record}`)).status).toBe(404);
  });

  it('is accepted with the effect that was shown, or rejected', async () => {
    const record = await keptLog(server, me);
    const { proposal: made, effect } = await ask(proposeEdit, 'edit', proposal(record));
    const now = Date.now();
    const log = `driver:${me.driverId}`;
    await written([{ action: 'accept', log, by: me.userId, proposal: made ?? '' }], now);
    const day = await ask(readLogDay, `log/${me.driverId}/2026-02-03`);
    expect(day.totals).toEqual(effect.after.totals);
    expect(day.certification.changedSince).toBe(true);
    expect((await call('GET', 'proposal')).body).toMatchObject([{ state: 'accepted' }]);
  });

  it('can’t shorten recorded driving', async () => {
    await keptLog(server, me);
    const at = Date.parse('2026-02-03T18:00:00Z');
    const now = Date.parse('2026-02-06T12:00:00Z');
    const log = `driver:${me.driverId}`;
    const device = `vehicle:${me.vehicleId}` as const;
    const drive = await written([driver('D', at)], now);
    const { type: _type, ...head } = event('ON', now);
    await written([driver('OFF', at + 3_600_000)], now);
    await written(
      [
        {
          ...{ action: 'certify', log, device, by: me.userId },
          event: {
            ...{ at: now, vehicle: head.vehicle, trailers: '', shippingDocument: '' },
            ...{ type: 4, code: 2, zoneOffset: '06', date: '2026-02-03' },
          },
        },
      ],
      now,
    );
    const refused = await call('POST', 'edit', proposal(drive, { at: '2026-02-03T18:00:00Z', status: 'ON' }));
    expect(refused).toMatchObject({ status: 409, body: { errors: [{ code: 'driving-shortened' }] } });
  });
});

it('[R2.14] a remark stands in the log, and in the audit log', async () => {
  const record = await keptLog(server, me);
  const log = `driver:${me.driverId}`;
  expect((await call('POST', 'annotate', { log, record, text: 'Waited at the dock' })).status).toBe(200);
  const { records } = await ask(readLogDay, `log/${me.driverId}/2026-02-03`);
  expect(records).toMatchObject([{ note: 'Waited at the dock' }]);
  const unknown = { log, record: '00000000-0000-4000-8000-000000000001', text: 'Waited at the dock' };
  expect(await call('POST', 'annotate', unknown)).toMatchObject({ status: 409, body: { code: 'log-refused' } });
});

describe('[R2.14] unidentified driving', () => {
  it('is listed with the drivers who may have done it, given to one, and taken back', async () => {
    await keptLog(server, me);
    const record = await unidentifiedDrive(server, me);
    const [drive] = await ask(listUnidentified, 'unidentified');
    const candidates = [{ driverId: me.driverId }];
    expect(drive).toMatchObject({ record, state: 'open', driver: null, candidates, toPlace: '1mi E IL Chicago' });
    expect((await ask(readBoard, 'board')).unidentified).toEqual({ segments: 1, vehicles: 1, minutes: 60 });
    const path = `unidentified/${me.vehicleId}/${record}`;
    const given = await ask(assignUnidentified, path, { driverId: me.driverId });
    expect(given).toMatchObject({ state: 'assigned', driver: { driverId: me.driverId } });
    expect(await ask(assignUnidentified, path, { driverId: null })).toMatchObject({ state: 'open', driver: null });
    const unknown = `unidentified/${me.vehicleId}/00000000-0000-4000-8000-000000000009`;
    expect((await call('POST', unknown, { driverId: null })).status).toBe(404);
  });

  it('shows who said that it was not theirs, the carrier’s remark, and who took it', async () => {
    await keptLog(server, me);
    const record = await unidentifiedDrive(server, me);
    const [from, log] = [`unidentified:${me.vehicleId}`, `driver:${me.driverId}`];
    await ask(assignUnidentified, `unidentified/${me.vehicleId}/${record}`, { driverId: me.driverId });
    await written([{ action: 'decline', log, by: me.userId, from: { log: from, record } }], Date.now());
    const [declined] = await ask(listUnidentified, 'unidentified');
    expect(declined).toMatchObject({ state: 'open', driver: null, candidates: [], declinedBy: [expect.any(String)] });
    expect((await call('POST', 'annotate', { log: from, record, text: 'Mechanic’s test drive' })).status).toBe(200);
    expect(await ask(listUnidentified, 'unidentified')).toMatchObject([
      { state: 'annotated', note: 'Mechanic’s test drive' },
    ]);
    const logs = await server.context.db.asAccount(me.accountId, trx => readLogs(trx, [from, log], null));
    const [there, own] = [logs.get(from), logs.get(log)];
    if (!there || !own) throw new Error('There is no log.');
    const drafts = claimDrafts({ name: from, log: there }, { name: log, log: own }, record, me.userId);
    await written(drafts ?? [], Date.now());
    expect(await ask(listUnidentified, 'unidentified')).toMatchObject([
      { state: 'claimed', driver: { driverId: me.driverId } },
    ]);
    expect((await ask(readBoard, 'board')).unidentified).toEqual({ segments: 0, vehicles: 0, minutes: 0 });
    const again = await call('POST', `unidentified/${me.vehicleId}/${record}`, { driverId: me.driverId });
    expect(again).toMatchObject({ status: 409, body: { code: 'log-refused' } });
  });
});

it('[R2.14] a malfunction has eight days for its repair, until it is cleared', async () => {
  await unidentifiedDrive(server, me);
  const [fault] = await ask(listMalfunctions, 'malfunction');
  expect(fault).toMatchObject({ code: 'P', vehicle: { id: me.vehicleId }, clearedAt: null });
  const left = Date.parse(fault?.repairBy ?? '') - Date.parse(fault?.since ?? '');
  expect(left).toBe(8 * 24 * 3_600_000);
});

describe('[R2.14] the files of a log', () => {
  it('are kept as they were given, with maker, comment and digest', async () => {
    await keptLog(server, me);
    await isOwnLog(server, me);
    const terms = await server.context.db.asAccount(me.accountId, trx => readTermsOf(trx, Number(me.driverId)));
    const at = Date.parse('2026-03-04T15:00:00Z');
    const owner = { home: OWNER.home, userName: terms?.userName ?? '' };
    const drafts = [driver('D', at), driver('OFF', at + 3_600_000)];
    await writeEntries(server.context.db, me.accountId, drafts, () => owner, at + 7_200_000);
    const query = `driverId=${me.driverId}&from=2026-03-01&to=2026-03-08&comment=INSP%204471`;
    const answer = await fetch(`${server.url}/api/v1/eld/output-file?${query}`, {
      headers: { authorization: `Bearer ${me.token}` },
    });
    const text = await answer.text();
    expect([answer.status, text.slice(0, 300)]).toEqual([200, expect.stringContaining('ELD File Header')]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=".{5}\d{10}-PREVIEW00\.csv"/);
    const read = readOutputFile(text);
    if (!read.ok) throw new Error(read.fault.map(describeOutputFault).join('\n'));
    expect(read.value.header.device.comment).toBe('INSP 4471');
    expect(read.value.header.driver.licenceNumber).toBe(`R234${me.driverId}`);
    expect(read.value.events).toMatchObject([{ code: '1' }, { code: '3' }]);
    const [kept] = await ask(listLogExports, 'export');
    expect(kept).toMatchObject({
      ...{ driverId: me.driverId, kind: 'output-file', from: '2026-03-01', to: '2026-03-08', comment: 'INSP 4471' },
      sha256: createHash('sha256').update(text).digest('hex'),
    });
    const again = await fetch(`${server.url}/api/v1/eld/export/${kept?.id}`, {
      headers: { authorization: `Bearer ${me.token}` },
    });
    expect(await again.text()).toBe(text);
  });

  it('are made after the driver was invited, and after their user name has changed', async () => {
    await keptLog(server, me);
    await isOwnLog(server, me);
    const { system } = server.context.db;
    const events = async () => {
      const { status, text } = await call('GET', `output-file?driverId=${me.driverId}&from=2026-03-01&to=2026-03-08`);
      const read = readOutputFile(text);
      return [status, read.ok ? read.value.header.driver.userName : text, read.ok && read.value.events.length];
    };
    const at = Date.parse('2026-03-04T15:00:00Z');
    await system.updateTable('driver').set({ user_id: null }).where('id', '=', Number(me.driverId)).execute();
    const owner = { home: OWNER.home, userName: `driver-${me.driverId}` };
    await writeEntries(server.context.db, me.accountId, [driver('D', at), driver('OFF', at + 60_000)], () => owner, at);
    expect(await events()).toEqual([200, owner.userName, 2]);
    const user = await signedIn(server, { accountId: me.accountId, role: 'driver' });
    const linked = await server.call('PATCH', `/api/v1/driver/${me.driverId}`, {
      token: me.token,
      body: { userId: user.userId },
    });
    expect(linked.status).toBe(200);
    expect(await events()).toEqual([200, user.userName, 2]);
    const renamed = `renamed-${me.driverId}`;
    const change = await server.call('PATCH', `/api/v1/update_my_user/${user.userId}`, {
      token: me.token,
      body: { userName: renamed },
    });
    expect([change.status, change.text]).toEqual([200, expect.any(String)]);
    expect(await events()).toEqual([200, renamed, 2]);
  });

  it('are handed to an officer by a code that lasts an hour, or by email', async () => {
    await keptLog(server, me);
    await isOwnLog(server, me);
    const driver = await signedIn(server, { accountId: me.accountId, role: 'driver' });
    const { system } = server.context.db;
    const id = Number(me.driverId);
    await system.updateTable('driver').set({ user_id: driver.userId }).where('id', '=', id).execute();
    await server.context.feed.settled();
    const post = (path: string, body: object) =>
      server.call('POST', `/api/v1/eld/handed_file${path}`, { token: driver.token, body });
    const made = handOverFile.response.parse((await post('', { comment: 'K7Q2' })).body);
    const takenAt = async () => (await ask(listLogExports, 'export'))[0]?.takenAt;
    expect(await takenAt()).toBeNull();
    const taken = (token: string) => fetch(`${server.url}/api/v1/handed_file/${token}`);
    const answer = await taken(made.token);
    expect([answer.status, await answer.text()]).toEqual([200, made.text]);
    expect(answer.headers.get('content-disposition')).toContain(made.fileName);
    expect((await taken(`${made.token}x`)).status).toBe(404);
    const first = await takenAt();
    expect(first).toEqual(expect.any(String));
    expect((await taken(made.token)).status).toBe(200);
    expect(await takenAt()).toBe(first);
    // Only whoever made the file can have it sent; there is no mail server here.
    const mail = { to: 'officer@example.com' };
    expect((await post(`/${made.id}/mail`, mail)).body).toEqual({ outcome: 'no-server' });
    const another = await server.call('POST', `/api/v1/eld/handed_file/${made.id}/mail`, {
      token: me.token,
      body: mail,
    });
    expect(another.status).toBeGreaterThanOrEqual(403);
    expect(await ask(listLogExports, 'export')).toMatchObject([{ id: made.id, atRoadside: true, mailedTo: null }]);
    await system.updateTable('log_export').set({ mailed_to: mail.to }).where('id', '=', made.id).execute();
    expect(await ask(listLogExports, 'export')).toMatchObject([{ mailedTo: mail.to }]);
    const hour = Date.now() + 3_600_001;
    const files = createHandedFiles(server.context, {} as never);
    await expect(files.read(made.token, hour)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('are not made of a log whose carrier or driver lacks what the file requires, and the answer says what', async () => {
    await keptLog(server, me);
    const answer = await call('GET', `output-file?driverId=${me.driverId}`);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'output-file-impossible', title: expect.stringContaining('Line ') },
    });
    expect(await ask(listLogExports, 'export')).toEqual([]);
  });

  it('can be verified without the server', async () => {
    await keptLog(server, me);
    const answer = await fetch(`${server.url}/api/v1/eld/verifiable-log?driverId=${me.driverId}`, {
      headers: { authorization: `Bearer ${me.token}` },
    });
    const lines = (await answer.text()).trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ log: `driver:${me.driverId}` });
    expect(await ask(listLogExports, 'export')).toMatchObject([{ kind: 'verifiable-log', from: null }]);
    // A page that only checks it has made no file.
    const checked = await call('GET', `verifiable-log?driverId=${me.driverId}&purpose=check`);
    expect(checked.status).toBe(200);
    expect(await ask(listLogExports, 'export')).toHaveLength(1);
  });
});

it('[R2.14] a defect keeps a vehicle from being driven until its repair is certified, once', async () => {
  const id = await inspectionReport(server, me);
  expect(await ask(listInspections, 'inspection')).toMatchObject([
    { id, state: 'reported', mayBeDriven: false, defects: [{ part: 'tires', photos: [] }], certifiedBy: null },
  ]);
  const repaired = await ask(certifyRepair, `inspection/${id}`, { repaired: true });
  expect(repaired).toMatchObject({ state: 'repaired', mayBeDriven: true, certifiedBy: { name: expect.any(String) } });
  expect(await ask(listInspections, 'inspection')).toEqual([repaired]);
  const again = await call('POST', `inspection/${id}`, { repaired: false });
  expect(again).toMatchObject({ status: 409, body: { code: 'log-refused', errors: [{ code: 'done-already' }] } });
});

it('[R2.14] the clocks follow what the driver declared', async () => {
  await keptLog(server, me);
  const rest = minutesAgo(3 * 24 * 60);
  await written([driver('OFF', rest)], rest);
  const drive = minutesAgo(60);
  await written([driver('D', drive)], drive);
  const clocks = async () => (await ask(readBoard, 'board')).rows[0]?.clocks;
  expect((await clocks())?.drive.limitS).toBe(11 * 3600);
  await server.context.db.system
    .insertInto('log_declaration')
    .values({
      ...{ account_id: me.accountId, id: randomUUID(), driver_id: Number(me.driverId), exception: 'adverseDriving' },
      ...{ start_at: new Date(minutesAgo(30)), end_at: null, reason: 'Sudden snow' },
    })
    .execute();
  expect((await clocks())?.drive.limitS).toBe(13 * 3600);
});
