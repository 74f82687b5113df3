import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  listLegs,
  type MoveInFile,
  type PositionReport,
  type RouteAnswer,
  trackOptionsSchema,
} from '@milepost/contract';
import { fromKilometresPerHour } from '@milepost/units';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { testImei } from '../../../../testing/imei.ts';
import { type Caller, callerOf } from '../../../../testing/organisation.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../../testing/scratch.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import { moveIn as moveInOf } from '../../../../testing/transfers.ts';
import { sealOldDays } from '../../../tracks/seal.ts';
import { packDay } from '../../../tracks/sealed-day.ts';
import { readCsv } from './read-csv.ts';
import { readGpx } from './read-gpx.ts';
import type { TrackRow } from './track-row.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Math.floor(Date.now() / DAY) * DAY - 20 * DAY + 10 * 60 * MINUTE;

const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
let truck: string;
let van: string;
let serial = 950_000;

beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  call = callerOf(server, owner);
  truck = await add('Truck 12', { plate: 'ABC 123' });
  van = await add('Van');
});

async function add(deviceName: string, more: object = {}): Promise<string> {
  const made = await call('POST', '/device', { imei: testImei(++serial), deviceName, ...more });
  await server.directory.settled();
  return (made.body as { id: string }).id;
}

async function upload(text: string): Promise<MoveInFile> {
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await server.call('POST', '/api/v1/data/move-in/file', { token: owner.token, body: text, headers });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body as MoveInFile;
}

async function moveIn(files: readonly (readonly [name: string, text: string])[], options: object = {}, dryRun = false) {
  const done = await moveInOf(server, owner, 'tracks', files, { options, dryRun });
  expect([done.state, done.problem]).toEqual(['done', null]);
  if (!done.report) throw new Error('There is no report');
  return done.report;
}

const stored = async (id: string): Promise<PositionReport[]> => {
  const period = `from=${new Date(START - 2 * DAY).toISOString()}&to=${new Date(START + 2 * DAY).toISOString()}`;
  return (await call('GET', `/position?deviceId=${id}&${period}&limit=5000`)).body as PositionReport[];
};
const iso = (minute: number) => new Date(START + minute * MINUTE).toISOString();
const csv = (rows: readonly string[], head = 'time,vehicle,lat,lon,speed') => [head, ...rows].join('\n');
/** A drive of some minutes at 60 km/h, as rows of `vehicle`. */
const drive = (vehicle: string, from: number, minutes: number) =>
  Array.from({ length: minutes }, (_, i) => `${iso(from + i)},${vehicle},41.9,${(-87.6 + i * 0.012).toFixed(5)},60`);

describe('tracks in CSV', () => {
  it('says first what a file has, and then imports it for each vehicle once [N13]', async () => {
    const text = csv([...drive('abc 123', 0, 40), ...drive('Van', 0, 3), ...drive('Lost', 0, 2), 'soon,Van,41,-87,1']);
    const dry = await moveIn([['tracks.csv', text]], {}, true);
    expect(dry).toMatchObject({ rows: 46, accepted: 43, duplicates: 0, problemCount: 3, from: iso(0), to: iso(39) });
    expect(dry.vehicles).toEqual([
      { name: 'abc 123', rows: 40, vehicleId: truck, vehicleName: 'Truck 12' },
      { name: 'Van', rows: 4, vehicleId: van, vehicleName: 'Van' },
      { name: 'Lost', rows: 2, vehicleId: null, vehicleName: null },
    ]);
    expect(dry.problems).toEqual([
      { file: 'tracks.csv', line: 45, code: 'unknown-vehicle', value: 'Lost' },
      { file: 'tracks.csv', line: 46, code: 'unknown-vehicle', value: 'Lost' },
      { file: 'tracks.csv', line: 47, code: 'bad-time', value: 'soon' },
    ]);
    expect(await stored(truck)).toEqual([]);

    const done = await moveIn([['tracks.csv', text]], { vehicles: { Lost: van } });
    // What was of nobody is the van's by choice, and there already.
    expect(done).toMatchObject({ rows: 46, accepted: 43, duplicates: 2, problemCount: 1 });
    expect(await stored(truck)).toHaveLength(40);
    const again = await moveIn([['tracks.csv', text]], {}, true);
    expect(again).toMatchObject({ accepted: 0, duplicates: 43 });
    expect(await moveIn([['tracks.csv', text]])).toMatchObject({ accepted: 0, duplicates: 43 });
    expect(await stored(van)).toHaveLength(3);
  });

  it('counts trips of a vehicle that never reported, moves it, and alerts nobody', async () => {
    const rule = { name: 'Fast', trigger: { kind: 'speed', kmh: 30, seconds: 0 } };
    expect((await call('POST', '/alert-rule', rule)).status).toBe(201);
    await moveIn([['Truck 12.csv', csv([...drive('x', 0, 40), `${iso(41)},x,41.9,-87.1,0`]).replaceAll(',x,', ',,')]], {
      vehicles: { '': truck },
    });
    const query = `from=${iso(-60)}&to=${iso(600)}`;
    const path = listLegs.path.replace('{id}', truck);
    const read = async () => (await server.call('GET', `${path}?${query}`, owner)).body as RouteAnswer<typeof listLegs>;
    await vi.waitFor(async () => expect(await read()).toMatchObject({ isBehind: false }), { timeout: 30_000 });
    expect(JSON.stringify(await read())).toContain(iso(0));
    const latest = (await call('GET', '/position/latest')).body as { deviceId: string; time: string }[];
    expect(JSON.stringify(latest)).toContain(iso(41).slice(0, 16));
    const { system } = server.context.db;
    const told = system.selectFrom('alert_notice').selectAll().where('account_id', '=', owner.accountId);
    expect(await told.execute()).toEqual([]);
  });

  it('goes into a sealed day, and counts what is there', async () => {
    const positions = Array.from({ length: 30 }, (_, i) => receivedPosition(START + i * MINUTE));
    await storePositions(server, owner.accountId, Number(truck), positions);
    const { context } = server;
    const log = pino({ level: 'silent' });
    const sealing = { log, afterDays: 2, withinMs: 60_000, isStopped: () => false };
    await sealOldDays({ ...sealing, pool: context.db.pool, pack: async rows => packDay(rows) });
    const sealed = context.db.system.selectFrom('sealed_day').select('day').where('vehicle_id', '=', Number(truck));
    expect(await sealed.execute()).toHaveLength(1);
    const text = csv(drive('Truck 12', 20, 20));
    expect(await moveIn([['a.csv', text]], {}, true)).toMatchObject({ accepted: 10, duplicates: 10 });
    expect(await moveIn([['a.csv', text]])).toMatchObject({ accepted: 10, duplicates: 10 });
    expect(await stored(truck)).toHaveLength(40);
  });

  it('reads units, local times, semicolons, decimal commas and columns by choice', async () => {
    const text = 'Fecha;Hora;Latitud;Longitud;Vel;Odo;Temp;Nota\n05/03/2026;08:00:00;41,9;-87,6;50;10;212;hola';
    const options = {
      ...{ columns: { speed: 'Vel', odometer: 'Odo', temperature: 'Temp' }, timeZone: 'America/Chicago' },
      ...{ dateOrder: 'dmy', speedUnit: 'mph', distanceUnit: 'mi', temperatureUnit: 'f' },
    };
    const [row] = await rowsOf(text, options);
    expect(row).toMatchObject({
      line: 2,
      vehicle: 'Truck 12',
      fix: { lat: 41.9, lon: -87.6, attributes: { Nota: 'hola' } },
    });
    expect(new Date(row?.fix?.time ?? 0).toISOString()).toBe('2026-03-05T14:00:00.000Z');
    expect(row?.fix?.speed).toBeCloseTo(22.352, 3);
    expect(row?.fix?.odometer).toBeCloseTo(16_093.44, 2);
    expect(row?.fix?.temperature).toBeCloseTo(100, 5);
  });

  it('guesses columns, and says why a row can’t be read', async () => {
    const { columns, format, guessed, sample } = await upload(
      'Device Name,Timestamp,Latitude,Longitude,Heading\na,b,c,d,e',
    );
    expect([format, columns.length, sample]).toEqual(['csv', 5, [['a', 'b', 'c', 'd', 'e']]]);
    expect(guessed).toEqual({
      ...{ vehicle: 'Device Name', time: 'Timestamp', lat: 'Latitude', lon: 'Longitude', course: 'Heading' },
    });
    const rows = [
      '',
      ',1,2',
      `${iso(0)},,2`,
      `${iso(0)},95,2`,
      `${iso(0)},1,2,fast`,
      `${iso(60 * 24 * 21)},1,2`,
      '1999-01-01T00:00:00Z,1,2',
    ];
    const { problems } = await moveIn([['Van.csv', csv(rows, 'time,lat,lon,speed')]], {}, true);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [3, 'no-time'],
      [4, 'no-place'],
      [5, 'bad-place'],
      [6, 'bad-number'],
      [7, 'too-new'],
      [8, 'too-old'],
    ]);
    expect((await moveIn([['a.pdf', '%PDF-1.7 nothing']], {}, true)).problems).toMatchObject([{ code: 'unreadable' }]);
  });
});

describe('tracks in GPX', () => {
  it('brings back what was exported, to another vehicle by the name of its track [N13]', async () => {
    const positions = Array.from({ length: 50 }, (_, i) =>
      receivedPosition(START + i * MINUTE, { speed: fromKilometresPerHour(i), lon: (-87.6 + i * 0.001) as never }),
    );
    await storePositions(server, owner.accountId, Number(truck), positions);
    const query = `vehicles=${truck}&format=gpx&from=${iso(0)}&to=${iso(60)}`;
    const { text: file } = await server.call('GET', `/api/v1/track_file?${query}`, owner);
    expect(await moveIn([['a.gpx', file.replace('Truck 12', 'Van')]])).toMatchObject({ accepted: 50, problemCount: 0 });
    const seen = (all: readonly PositionReport[]) => JSON.stringify(all, ['lat', 'lon', 'speed', 'altitude', 'course']);
    expect(seen(await stored(van))).toBe(seen(await stored(truck)));
  });

  it('says where a file is broken, and takes what stands before', async () => {
    const point = (minute: number) => `<trkpt lat="41.9" lon="-87.6"><time>${iso(minute)}</time></trkpt>\n`;
    const head =
      '<?xml version="1.0"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Van</name><trkseg>\n';
    const cut = await rowsOf(`${head}${point(0)}${point(1)}<trkpt lat="1" lo`);
    expect(cut.map(({ problem }) => problem)).toEqual([undefined, undefined, 'unreadable']);
    expect(cut[2]?.line).toBe(5);
    expect(await rowsOf('<kml><Document/></kml>', {}, 'gpx')).toMatchObject([
      { problem: 'unreadable', value: '<kml>' },
    ]);
    const rows = await rowsOf(
      `${head}<trkpt lat="41.9" lon="-87.6"/>\n<trkpt lat="99" lon="1"><time>${iso(0)}</time></trkpt></trkseg></trk></gpx>`,
    );
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [3, 'no-time'],
      [4, 'bad-place'],
    ]);
  });
});

it('reads any text without an error of its own', async () => {
  const part = fc.constantFrom(
    '<gpx>',
    '<trkpt lat="1" lon="2">',
    '</trkpt>',
    '<time>2026-01-01T00:00:00Z</time>',
    ',',
    '\n',
    '"',
    '1',
    'time,lat,lon',
    '<!--',
    ']]>',
    '&amp;',
    '&x;',
    '\0',
    'é',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(part, fc.string()), { maxLength: 30 }), async parts => {
      for (const format of ['gpx', 'csv'] as const) {
        for (const { fix, line } of await rowsOf(parts.join(''), {}, format)) {
          expect(line).toBeGreaterThan(0);
          if (fix) expect(Math.abs(fix.lat)).toBeLessThanOrEqual(90);
        }
      }
    }),
    { numRuns: 100 },
  );
});

it('takes no more memory for a large file than for a small one', { tags: ['long'], timeout: 600_000 }, async () => {
  const path = join(mkdtempSync(join(scratch, 'tracks-')), 'a.csv');
  const line = `${iso(0)},Truck 12,41.9,-87.6,60,${'x'.repeat(150)}\n`;
  writeFileSync(path, `time,vehicle,lat,lon,speed,note\n${line.repeat(1_000_000)}`);
  const options = trackOptionsSchema.parse({});
  let [rows, most] = [0, 0];
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  for await (const _ of readCsv({ path, name: 'a.csv' }, ',', { options })) {
    if (++rows % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss);
  }
  expect(rows).toBe(1_000_000);
  expect((most - before) / 1024 ** 2).toBeLessThan(100);
});

async function rowsOf(
  text: string,
  options: object = {},
  format: 'gpx' | 'csv' = text.startsWith('<') ? 'gpx' : 'csv',
): Promise<TrackRow[]> {
  const path = join(mkdtempSync(join(scratch, 'tracks-')), 'a');
  writeFileSync(path, text);
  const file = { path, name: `Truck 12.${format}` };
  const read = { options: trackOptionsSchema.parse(options) };
  const rows: TrackRow[] = [];
  const all = format === 'gpx' ? readGpx(file, read) : readCsv(file, text.includes(';') ? ';' : ',', read);
  for await (const row of all) rows.push(row);
  return rows;
}
