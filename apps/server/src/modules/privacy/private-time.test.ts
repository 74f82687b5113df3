import { PassThrough } from 'node:stream';
import { deviceTopic, ROUTES, type Route, type RouteAnswer, type readVehicleDay } from '@milepost/contract';
import { degrees, epochMs } from '@milepost/units';
import mqttPacket from 'mqtt-packet';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { probeOf } from '../../../testing/cross-account/probes.ts';
import { send } from '../../../testing/cross-account/send.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { positionMessage } from '../../../testing/ingest.ts';
import { Announcer } from '../../ingest/announcer.ts';
import { createIngestMetrics } from '../../ingest/metrics.ts';
import { createPipeline, type Pipeline } from '../../ingest/pipeline.ts';
import { openReception, type Reception } from '../../ingest/reception.ts';
import { NO_TRACES } from '../../ingest/traces.ts';
import { Witness } from '../../ingest/witness.ts';
import { createFanOut, type FanOut } from '../../realtime/fan-out.ts';
import { keepPartitions, type PartitionManager } from '../../tracks/partitions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The place that must not leave: in a town where nothing else of the test is. */
const MARK = { lat: degrees(44.512345), lon: degrees(-88.012345) };
/** Not `…:44.51`, the seconds of a time. */
const MARKS = [/(?<![:\d])44\.51/, /(?<![:\d])88\.01/, /Green Bay/, /Ashwaubenon|Allouez|Howard, WI|De Pere/];

let server: TestHttpServer;
let partitions: PartitionManager;
let pipeline: Pipeline;
let reception: Reception;
let fanOut: FanOut;
let announcer: Announcer;

/** The server with what comes in before it: trackers' messages go the way that they go in the product. */
beforeAll(async () => {
  server = await startHttpServer({ demo: 'on' });
  const { alerts, context, directory, live, organisation, recentFrames, reportContext } = server;
  const { log } = context;
  partitions = await keepPartitions(context.db.pool, log);
  const metrics = createIngestMetrics(new Registry());
  const { privateTime } = organisation;
  fanOut = createFanOut(new Registry());
  announcer = new Announcer({ log, directory, live, privateTime, fanOut, reportContext });
  pipeline = createPipeline({
    ...{ pool: context.db.pool, log, live, partitions, metrics, privateTime },
    commitHook: alerts.commitHook,
    traces: NO_TRACES,
    publish: changes => {
      const announced = announcer.announce(changes);
      context.signals.emit('positions-committed', { changes });
      return announced;
    },
  });
  reception = openReception({
    ...{ context, log, directory, live, metrics, pipeline, privateTime, recentFrames },
    unknownTrackers: { seen: () => {} } as never,
    refusedReports: { seen: () => {} },
    witness: new Witness(),
  });
});
afterAll(async () => {
  announcer.stop();
  await pipeline.stop(1000);
  partitions.stop();
  await server.close();
});

const ofAccount = async (accountId: number, name: string, value: unknown): Promise<void> => {
  const row = { account_id: accountId, name, value: JSON.stringify(value) };
  await server.context.db.system.insertInto('account_setting').values(row).execute();
  await server.organisation.privateTime.settled();
};

/** A tracker reports this, in a frame that has the place in it. */
async function reports(me: UserWithData, atMs: number, fields: Parameters<typeof positionMessage>[1]): Promise<void> {
  const message = positionMessage(epochMs(atMs), fields);
  const frame = { bytes: Buffer.from(JSON.stringify(message)), over: 'tcp' } as const;
  const vehicle = server.directory.findById(Number(me.vehicleId));
  if (!vehicle) throw new Error('The vehicle is known.');
  await reception.take(vehicle, [message], 'teltonika', epochMs(Date.now()), frame);
}

/** What subscribers of the vehicle's topic get. */
function listening({ accountId, imei }: UserWithData): () => string {
  const stream = new PassThrough({ highWaterMark: 1e9 });
  fanOut.subscribe(deviceTopic(imei), { accountId, stream });
  const heard: string[] = [];
  const parser = mqttPacket.parser();
  parser.on('packet', packet => void heard.push(packet.cmd === 'publish' ? String(packet.payload) : ''));
  return () => {
    for (let chunk = stream.read(); chunk; chunk = stream.read()) parser.parse(chunk);
    return heard.join('\n');
  };
}

const marked = (text: string): boolean => MARKS.some(mark => mark.test(text));

/** A drive past the mark half an hour ago, and a place that anyone may see before and after it. */
async function drivesPast(me: UserWithData): Promise<string> {
  const heard = listening(me);
  const nowMs = Date.now();
  const there = { ...MARK, speed: 20 as never, ignition: true };
  await reports(me, nowMs - 50 * MINUTE, {
    lat: degrees(41.9),
    lon: degrees(-87.7),
    speed: 20 as never,
    ignition: true,
  });
  for (let minute = 40; minute > 12; minute--) await reports(me, nowMs - minute * MINUTE, there);
  await reports(me, nowMs - 12 * MINUTE, { ...there, event: 'harshBraking' });
  await reports(me, nowMs - 11 * MINUTE, { ...there, event: 'sos' });
  await new Promise(resolve => setTimeout(resolve, 700));
  const said = heard();
  await server.figures.manager.catchUp(me.accountId, [Number(me.vehicleId)], 20_000);
  return said;
}

/** What the Raw tab has of a vehicle. */
const framesOf = ({ vehicleId }: UserWithData): string[] =>
  server.recentFrames.of(Number(vehicleId)).map(({ bytes }) => Buffer.from(bytes).toString());

/** Calls every route as its probe does, and names those whose answers show the mark. */
async function showing(me: UserWithData): Promise<string[]> {
  const names: string[] = [];
  const routes: [string, Route][] = Object.entries(ROUTES);
  const period = { from: new Date(Date.now() - 2 * HOUR).toISOString(), to: new Date().toISOString() };
  const safe = routes.filter(([name, { method }]) => method === 'GET' || READS.has(name));
  for (const [name, route] of safe) {
    const parts = await probeOf(name).call(me, me, server);
    // Every period is the one of the drive, so that an empty answer is none for want of asking.
    const isTimed = parts.query && 'from' in parts.query && parts.query.from?.includes('T');
    const query = isTimed ? { ...parts.query, ...period } : parts.query;
    const answer = await send(server, route, { ...parts, ...(query && { query }) }, me.token);
    if (marked(answer.text)) names.push(name);
  }
  return names;
}
async function kindsOfDay({ vehicleId, token }: UserWithData): Promise<string[]> {
  const query = new URLSearchParams({
    from: new Date(Date.now() - HOUR).toISOString(),
    to: new Date().toISOString(),
  });
  const { body } = await server.call('GET', `/api/v1/device/${vehicleId}/day?${query}`, { token });
  return (body as RouteAnswer<typeof readVehicleDay>).segments.map(({ kind }) => kind);
}

/** Calls that answer a question and change nothing. */
const READS: ReadonlySet<string> = new Set(['backtestRule', 'findVehiclesInside', 'listTaskFits', 'runReport']);

describe('[N8] a vehicle in private time', () => {
  it('shows where it is nowhere: in no answer of any call, no live message, no alert and no frame', async () => {
    const seen = await userWithData(server);
    const heard = await drivesPast(seen);
    expect(marked(heard)).toBe(true);
    // The same calls about the same drive show it where time is not private: the test can fail.
    expect(await showing(seen)).toEqual(
      expect.arrayContaining(['latestPositions', 'listPositions', 'listVehicles', 'listAlerts', 'listMessages']),
    );

    expect(framesOf(seen).some(marked)).toBe(true);

    const hidden = await userWithData(server);
    await server.context.db.system
      .insertInto('private_hours')
      .values({
        ...{ account_id: hidden.accountId, driver_id: Number(hidden.driverId), vehicle_id: null, zone: 'UTC' },
        times: JSON.stringify([{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }]),
        ...{ valid_from: new Date(Date.now() - 45 * MINUTE), valid_to: null },
      })
      .execute();
    await server.organisation.privateTime.settled();
    expect(marked(await drivesPast(hidden))).toBe(false);
    expect(await showing(hidden)).toEqual([]);
    expect(framesOf(hidden)).toEqual([]);
    // Its day says why nothing is known.
    expect(await kindsOfDay(hidden)).toContain('private');
    expect(await kindsOfDay(seen)).not.toContain('private');
    const tables = await rowsWithMark(hidden.accountId);
    expect(tables).toEqual(['private_position']);
    // The cry for help is there all the same, at the last place that was not private.
    const alerts = await server.context.db.system
      .selectFrom('position')
      .select(['event', 'lat', 'valid'])
      .where('vehicle_id', '=', Number(hidden.vehicleId))
      .where('event', 'is not', null)
      .execute();
    expect(alerts).toEqual([{ event: 'sos', lat: 41.9, valid: false }]);
    expect(server.live.latestOf(Number(hidden.vehicleId)).live).toMatchObject({ private: true, lat: 41.9 });
  }, 120_000);

  it('is opened with a reason: in the ledger, in the audit log, and the driver reads who and why', async () => {
    const owner = await userWithData(server);
    const dana = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const { system } = server.context.db;
    await system.updateTable('driver').set({ user_id: dana.userId }).where('id', '=', Number(owner.driverId)).execute();
    await server.context.feed.settled();
    await server.organisation.roster.settled();
    const put = (isOn: boolean) =>
      server.call('PUT', '/api/v1/my_privacy/private_drive', { token: dana.token, body: { isOn } });
    expect(await put(true)).toMatchObject({ status: 409, body: { code: 'private-drive-off' } });
    await ofAccount(owner.accountId, 'privateDrive', true);
    expect(await put(true)).toMatchObject({ status: 200, body: { since: expect.any(String) } });
    await reports(owner, Date.now(), { ...MARK, speed: 20 as never });
    expect(await put(false)).toMatchObject({ status: 200, body: { since: null } });
    await reports(owner, Date.now() + 1000, { lat: degrees(41.8), lon: degrees(-87.6) });
    expect(server.live.of(Number(owner.vehicleId))?.newest?.lat).toBe(41.8);

    const period = { from: new Date(Date.now() - HOUR).toISOString(), to: new Date(Date.now() + HOUR).toISOString() };
    const path = `/api/v1/device/${owner.vehicleId}/hidden_position`;
    const open = (token: string, reason: string) => server.call('POST', path, { token, body: { ...period, reason } });
    expect(await open(owner.token, 'why not')).toMatchObject({ status: 400 });
    expect(await open(dana.token, 'I want to see it')).toMatchObject({ status: 403 });
    const reason = 'Dana does not answer, and her family is worried';
    const opened = await open(owner.token, reason);
    expect(opened.body).toMatchObject({ drivers: [owner.driverId], positions: [{ lat: 44.512345, lon: -88.012345 }] });

    const mine = await server.call('GET', '/api/v1/my_privacy', { token: dana.token });
    expect(mine.body).toMatchObject({ privateTime: { openings: [{ by: owner.userName, reason }] } });
    const looks = await server.call('GET', `/api/v1/my_privacy/look?from=${period.from}&to=${period.to}`, {
      token: dana.token,
    });
    expect(JSON.stringify(looks.body)).toContain('"kind":"hidden"');
    const entries = await system
      .selectFrom('audit_entry')
      .select('action')
      .where('account_id', '=', owner.accountId)
      .where('action', 'like', 'privacy.%')
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      ...['privacy.drive-switched', 'privacy.drive-switched', 'privacy.hidden-opened'],
    ]);
    await expect(
      server.context.db.asAccount(owner.accountId, trx => trx.deleteFrom('private_opening').execute()),
    ).rejects.toThrow(/permission denied/);
  });

  it('has the hours of its time: a report that comes late is hidden by when it was, not by when it came', async () => {
    const me = await userWithData(server);
    const set = (times: object[]) =>
      server.call('PUT', '/api/v1/private_hours', {
        token: me.token,
        body: { driverId: null, vehicleId: me.vehicleId, times },
      });
    expect((await set([{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }])).status).toBe(200);
    const { privateTime } = server.organisation;
    const vehicle = server.directory.findById(Number(me.vehicleId));
    if (!vehicle) throw new Error('The vehicle is known.');
    const during = Date.now() + 1;
    await new Promise(resolve => setTimeout(resolve, 5));
    expect((await set([])).body).toEqual([]);
    expect(privateTime.hides(vehicle, during, null)).toBe(true);
    expect(privateTime.hides(vehicle, during - HOUR, null)).toBe(false);
    expect(privateTime.hides(vehicle, Date.now() + 1, null)).toBe(false);
  });

  it('has the hours of whoever drives: the card of the report, else the usual driver of its time', async () => {
    const me = await userWithData(server);
    const { system } = server.context.db;
    const call = async (method: string, path: string, body: object): Promise<unknown> => {
      const answer = await server.call(method, `/api/v1/${path}`, { token: me.token, body });
      expect(answer.status).toBeLessThan(300);
      await server.context.feed.settled();
      await server.organisation.privateTime.settled();
      return answer.body;
    };
    const always = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }];
    const hours = (driverId: string, times: object[]) =>
      call('PUT', 'private_hours', { driverId, vehicleId: null, times });
    const usually = (usualDriverId: string) => call('PATCH', `device/${me.vehicleId}`, { usualDriverId });
    const usual = (await call('POST', 'driver', { name: 'Usual' })) as { id: string };
    const other = (await call('POST', 'driver', { name: 'Other', card: '00AA11BB' })) as { id: string };
    /** A moment of its own, so that what is set before and after it can be told apart. */
    const moment = async (): Promise<number> => {
      await new Promise(resolve => setTimeout(resolve, 5));
      const at = Date.now();
      await new Promise(resolve => setTimeout(resolve, 5));
      return at;
    };
    const isHidden = async (at: number, rfid: string | null): Promise<boolean> => {
      await reports(me, at, { rfid });
      const stored = (table: 'position' | 'private_position') =>
        system
          .selectFrom(table)
          .select('fix_at')
          .where('vehicle_id', '=', Number(me.vehicleId))
          .where('fix_at', '=', new Date(at))
          .execute();
      const [shown, hidden] = [await stored('position'), await stored('private_position')];
      expect(shown.length + hidden.length).toBe(1);
      return hidden.length === 1;
    };

    await usually(usual.id);
    await hours(other.id, always);
    expect(await isHidden(await moment(), null)).toBe(false);
    expect(await isHidden(await moment(), '00AA11BB')).toBe(true);
    await hours(other.id, []);
    await hours(usual.id, always);
    // Whoever's card it is drives, and has no hours any more.
    expect(await isHidden(await moment(), '00AA11BB')).toBe(false);
    expect(await isHidden(await moment(), null)).toBe(true);
    // A card that nobody has says nothing.
    expect(await isHidden(await moment(), '00FF00FF')).toBe(true);
    const before = await moment();
    await usually(other.id);
    // It comes late: the usual driver was the one with hours then.
    expect(await isHidden(before, null)).toBe(true);
    expect(await isHidden(await moment(), null)).toBe(false);
  });
});

/** The tables of an account with the mark in a row. */
async function rowsWithMark(accountId: number): Promise<string[]> {
  const { pool } = server.context.db;
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where column_name = 'account_id' and table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name !~ '^position_' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: texts } = await pool.query<{ row: string }>(
      `select to_jsonb(t)::text as row from "${name}" t where account_id = $1`,
      [accountId],
    );
    if (texts.some(({ row }) => marked(row))) found.push(name);
  }
  return found;
}
