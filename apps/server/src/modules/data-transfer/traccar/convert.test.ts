import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PositionReport, ReportPage } from '@milepost/contract';
import { fromKilometresPerHour } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { testImei } from '../../../../testing/imei.ts';
import { callerOf } from '../../../../testing/organisation.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../../testing/scratch.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import { exported, imported, moveIn } from '../../../../testing/transfers.ts';
import { convert, type RowProblem } from './convert.ts';
import { areaOf } from './geofence-area.ts';
import { filesIn, readTraccar } from './read-traccar.ts';

const START = Date.parse('2026-11-10T14:00:00Z');
const MINUTE = 60_000;

let server: TestHttpServer;
let scratch: string;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
  scratch = makeScratchFolder();
});
afterAll(async () => {
  await server.close();
  removeScratchFolder(scratch);
});

/** As the documents of its API describe the answers; the same as its tables write them. */
const IMEI = testImei(870_001);
const devices = [
  { id: 7, name: 'Truck 7', uniqueId: IMEI, groupId: 2, phone: '+1 312 555 0100', model: 'FMB920', contact: 'Ann' },
  { id: 8, name: 'Phone', uniqueId: 'abc', groupId: 0 },
];
const groups = [
  { id: 2, name: 'Depot', groupId: 1 },
  { id: 1, name: 'North', groupId: 0 },
];
const drivers = [{ id: 3, name: 'Ann', uniqueId: '04A1' }];
const geofences = [
  { id: 1, name: 'Yard', area: 'CIRCLE (41.9 -87.68, 250)' },
  { id: 2, name: 'Site', area: 'POLYGON((41.9 -87.7, 41.9 -87.6, 42 -87.6, 41.9 -87.7))' },
  { id: 3, name: 'Odd', area: 'TRIANGLE (1 2)' },
];
const positions = Array.from({ length: 30 }, (_, i) => ({
  id: i + 1,
  deviceId: 7,
  protocol: i === 5 ? 'xexun' : 'teltonika',
  serverTime: new Date(START + i * MINUTE + 800).toISOString().replace('Z', '+0000'),
  fixTime: new Date(START + i * MINUTE).toISOString().replace('Z', '+00:00'),
  valid: true,
  latitude: 41.9,
  longitude: -87.68 + i * 0.012,
  altitude: 180,
  speed: 32.4,
  course: 90,
  attributes: { ignition: true, sat: 11, odometer: 1000 + i * 995, temp1: -18.5, ...(i === 3 && { alarm: 'sos' }) },
}));
const broken = [
  { deviceId: 7, fixTime: 'yesterday', latitude: 1, longitude: 1 },
  { deviceId: 8, fixTime: '2026-11-10T14:00:00Z', latitude: 1, longitude: 1 },
  { deviceId: 7, fixTime: '2026-11-10T15:30:00Z', latitude: 91, longitude: 1 },
];

const write = (name: string, files: Readonly<Record<string, string>>): string => {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
};
const table = (rows: readonly object[]): string => {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const cell = (value: unknown): string => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
    return `"${text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]00:?00)$/, '$1 $2').replaceAll('"', '""')}"`;
  };
  const lines = rows.map(row => names.map(name => cell((row as Record<string, unknown>)[name])).join(','));
  return [names.map(name => name.toLowerCase()).join(','), ...lines].join('\n');
};
const converted = async (folder: string) => {
  const problems: RowProblem[] = [];
  const { counts, lines } = convert(readTraccar(filesIn(folder), { unreadable: () => {} }), problem =>
    problems.push(problem),
  );
  let text = '';
  for await (const line of lines) text += line;
  return { counts, problems, text };
};

const all = { devices, groups, drivers, geofences };
const folders = {
  'its API': () =>
    write('api', {
      ...Object.fromEntries(Object.entries(all).map(([name, rows]) => [`${name}.json`, JSON.stringify(rows)])),
      'positions-7.json': JSON.stringify([...positions].reverse()),
      'positions-more.json': JSON.stringify(broken),
    }),
  'its tables': () =>
    write('tables', {
      ...Object.fromEntries(Object.entries(all).map(([name, rows]) => [`tc_${name}.csv`, table(rows)])),
      'tc_positions.csv': table([...positions, ...broken]),
    }),
};

describe.each(Object.entries(folders))('[N13] what was exported from Traccar by %s', (_, make) => {
  it('becomes an account with vehicles, folders, drivers and positions, and each row that does not says why', async () => {
    const { counts, problems, text } = await converted(make());
    expect(counts).toEqual({ folder: 2, driver: 1, vehicle: 1, geofence: 2, position: 30 });
    expect(problems.map(({ what, name, code }) => [what, name, code])).toEqual([
      ['device', 'Phone', 'no-imei'],
      ['geofence', 'Odd', 'unknown-area'],
      ['position', 'device 7', 'no-time'],
      ['position', 'device 8', 'unknown-device'],
      ['position', 'device 7', 'no-place'],
    ]);

    const owner = await signedIn(server);
    const call = callerOf(server, owner);
    expect((await imported(server, owner, text)).rows).toMatchObject({ vehicle: 1, geofence: 2, position: 30 });
    const fences = (await call('GET', '/geofence')).body as unknown as { name: string; shape: { kind: string } }[];
    expect(fences.map(({ name, shape }) => [name, shape.kind])).toEqual([
      ['Site', 'polygon'],
      ['Yard', 'circle'],
    ]);
    const [vehicle] = (await call('GET', '/device')).body as unknown as [{ readonly id: string }];
    expect(vehicle).toMatchObject({ deviceName: 'Truck 7', imei: IMEI });
    const read = await call(
      'GET',
      `/position?deviceId=${vehicle.id}&from=2026-11-10T00:00:00Z&to=2026-11-11T00:00:00Z`,
    );
    const reports = read.body as unknown as PositionReport[];
    expect(reports).toHaveLength(30);
    expect(reports[3]).toMatchObject({ eventType: 'sos', temp: -18.5, ignitionStatus: 1, satellites: 11 });
    expect(reports[3]?.speed).toBeCloseTo(60, 0);
    // Its tracker is free for the next way.
    await call('DELETE', `/device/${vehicle.id}`);
  });
});

it('[N13] is checked and imported on the page as well: into an empty account, all of it or nothing', async () => {
  const owner = await signedIn(server);
  const call = callerOf(server, owner);
  const files: [string, string][] = Object.entries(all).map(([name, rows]) => [`${name}.json`, JSON.stringify(rows)]);
  files.push(['tc_positions.csv', table([...positions, ...broken])], ['notes.txt', 'hello']);
  const dry = await moveIn(server, owner, 'traccar', files, { dryRun: true });
  expect([dry.state, dry.report?.tables]).toEqual([
    'done',
    { folder: 2, driver: 1, vehicle: 1, geofence: 2, position: 30 },
  ]);
  expect(dry.report?.problems.map(({ code }) => code)).toEqual([
    'not-traccar',
    ...['no-imei', 'unknown-area', 'no-time', 'unknown-device', 'no-place'],
  ]);
  expect((await call('GET', '/device')).body).toEqual([]);

  const done = await moveIn(server, owner, 'traccar', files);
  expect([done.state, done.report?.accepted]).toEqual(['done', 36]);
  const [vehicle] = (await call('GET', '/device')).body as unknown as [{ readonly id: string }];
  expect((await call('GET', '/geofence')).body).toHaveLength(2);
  const again = await moveIn(server, owner, 'traccar', files, { dryRun: true });
  expect([again.state, again.problem?.code]).toEqual(['failed', 'account-not-empty']);
  await call('DELETE', `/device/${vehicle.id}`);
  const wrong = await moveIn(server, await signedIn(server), 'traccar', [['devices.json', '{"error":"no"}']]);
  expect([wrong.state, wrong.report?.problems]).toEqual([
    'done',
    [{ file: 'devices.json', line: 1, code: 'unreadable', value: '' }],
  ]);
});

it('[N13] a geofence of Traccar has its latitude first', () => {
  const line = [
    [2, 1.5],
    [4, 3],
  ];
  expect(areaOf('LINESTRING (1.5 2, 3 4)')).toEqual({ kind: 'corridor', line, widthM: 200 });
  for (const wrong of ['', 'CIRCLE (100 0, 5)', 'POLYGON((1 2, 3 4))', 'CIRCLE (1 2, 0)', 'LINESTRING (1 2)']) {
    expect([wrong, areaOf(wrong)]).toEqual([wrong, null]);
  }
});

it('[N13] a whole account has the same figures where it is imported', async () => {
  const owner = await signedIn(server);
  const call = callerOf(server, owner);
  const body = { imei: testImei(870_100), deviceName: 'Truck' };
  const vehicle = (await call('POST', '/device', body)).body as unknown as { readonly id: string };
  await storePositions(
    server,
    owner.accountId,
    Number(vehicle.id),
    Array.from({ length: 600 }, (_, i) =>
      receivedPosition(START + i * MINUTE, {
        lon: (-87.68 + (i % 100 < 70 ? i : Math.floor(i / 100) * 100 + 70) * 0.01) as never,
        speed: fromKilometresPerHour(i % 100 < 70 ? 50 : 0),
        ignition: i % 100 < 85,
      }),
    ),
  );
  const figures = async (who: SignedIn): Promise<unknown[]> => {
    const pages: unknown[] = [];
    for (const key of ['daily-summary', 'trips', 'stops', 'mileage']) {
      const path = `/api/v1/report/${key}?from=2026-11-09&to=2026-11-12`;
      const { rows, totals } = (await server.call('GET', path, { token: who.token })).body as ReportPage;
      pages.push([key, totals, rows.map(({ cells }) => cells)]);
    }
    return pages;
  };
  // On a busy machine the days are counted a moment later.
  const behind = async (): Promise<number> => {
    const path = '/api/v1/report/daily-summary?from=2026-11-09&to=2026-11-12';
    return ((await server.call('GET', path, { token: owner.token })).body as ReportPage).behind;
  };
  await expect.poll(behind).toBe(0);
  const before = await figures(owner);
  expect(JSON.stringify(before)).toMatch(/\d{4,}/);
  const text = await exported(server, owner);
  await call('DELETE', `/device/${vehicle.id}`);
  const other = await signedIn(server);
  await imported(server, other, text);
  await expect.poll(() => figures(other)).toEqual(before);
});
