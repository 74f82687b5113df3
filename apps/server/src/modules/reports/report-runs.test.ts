import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportRun } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

const MINUTE = 60_000;
const patient = { timeout: 60_000, interval: 25 };

let server: TestHttpServer;
let owner: SignedIn;
let period: { from: string; to: string };

beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
  owner = await signedIn(server);
  const calendar = server.figures.calendar(owner.accountId);
  const yesterday = calendar.dayOf(Date.now()) - 1;
  period = { from: calendar.dateOf(yesterday), to: calendar.dateOf(yesterday) };
  // What a spreadsheet would run.
  for (const name of ['=1+1', 'Truck 2']) {
    const { id } = await addNamedVehicle(server, owner.accountId, name);
    const begin = calendar.startOf(yesterday) + 8 * 60 * MINUTE;
    const positions = Array.from({ length: 61 }, (_, i) =>
      receivedPosition(begin + i * MINUTE, {
        lon: degrees(-87.68 + Math.min(i, 59) / 82.85),
        speed: fromKilometresPerHour(i < 60 ? 60 : 0),
        ignition: i < 60,
      }),
    );
    await storePositions(server, owner.accountId, Number(id), positions);
  }
});
afterAll(() => server.close());

const start = (body: object, { token } = owner) =>
  server.call('POST', '/api/v1/report_run', { token, body: { ...period, key: 'trips', ...body } });
const listed = async ({ token } = owner) =>
  (await server.call('GET', '/api/v1/report_run', { token })).body as ReportRun[];

async function ended(body: object, me = owner): Promise<ReportRun> {
  const started = await start(body, me);
  expect([started.status, started.text]).toEqual([201, expect.any(String)]);
  const { id } = started.body as ReportRun;
  const find = async () => (await listed(me)).find(run => run.id === id);
  await vi.waitFor(async () => expect((await find())?.endedAt).toEqual(expect.any(String)), patient);
  return (await find()) as ReportRun;
}

/** The bytes of a report that is done. */
async function fileOf(run: ReportRun, { token } = owner): Promise<Uint8Array> {
  expect([run.state, run.problem]).toEqual(['done', null]);
  const answer = await fetch(`${server.url}/api/v1/report_run/${run.id}/file`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

describe('[R2.04] a report in a file', () => {
  it('as CSV has the columns on the screen, in the reader’s units and the account’s zone, and no formulas', async () => {
    const run = await ended({ format: 'csv', groupBy: 'vehicle', language: 'fr' });
    expect(run).toMatchObject({ title: 'Trajets', file: { rows: 2, name: `trips-${period.from}-${period.to}.csv` } });
    const text = Buffer.from(await fileOf(run)).toString();
    const rows = parse(text, { bom: true }) as string[][];
    const [heads, first] = rows;
    expect(heads).toEqual(expect.arrayContaining(['Véhicule', expect.stringMatching(/^Distance \((mi|km)\)$/)]));
    expect(heads?.filter(head => head.includes(server.figures.calendar(owner.accountId).zone))).toHaveLength(1);
    expect(first?.[0]).toBe("'=1+1");
    expect(first?.[heads?.indexOf('Conduite') ?? -1]).toBe('1:00:00');
    expect(first?.find(cell => /^\d{4}-\d\d-\d\d /.test(cell))).toBe(`${period.from} 08:00:00`);
  });

  it('as XLSX has figures and times as such, a line with the totals, and texts that are no formulas', async () => {
    const run = await ended({ format: 'xlsx' });
    const bytes = await fileOf(run);
    const { sheets } = await readXlsx(bytes);
    const rows = sheets[0]?.rows ?? [];
    expect(sheets[0]?.name).toBe('Trips');
    expect(rows).toHaveLength(4);
    expect(rows[1]?.[0]).toBe('=1+1');
    const at = (title: string) => (rows[0] ?? []).findIndex(cell => String(cell).startsWith(title));
    // The reader takes a time that lasted for one after midnight of day 0.
    const hours = (cell: unknown) => ((cell as Date).getTime() - Date.UTC(1899, 11, 31)) / (60 * MINUTE);
    expect([hours(rows[1]?.[at('Driving')]), hours(rows[3]?.[at('Driving')])]).toEqual([1, 2]);
    expect(rows[1]?.[at('Start')]).toEqual(new Date(`${period.from}T08:00:00Z`));
    expect(Number(rows[3]?.[at('Distance')])).toBeCloseTo(
      Number(rows[1]?.[at('Distance')]) + Number(rows[2]?.[at('Distance')]),
      2,
    );
  });

  it('as XLSX is read by another reader than the one of the library that wrote it', async () => {
    const bytes = await fileOf(await ended({ format: 'xlsx' }));
    const { readSheet } = await import('read-excel-file/node');
    const rows = await readSheet(Buffer.from(bytes));
    expect(rows).toHaveLength(4);
    expect(rows.slice(1, 3).map(([vehicle]) => vehicle)).toEqual(['=1+1', 'Truck 2']);
    const distance = (rows[0] ?? []).findIndex(head => String(head).startsWith('Distance'));
    const figures = rows.slice(1).map(row => Number(row[distance]));
    expect(figures[2]).toBeCloseTo((figures[0] ?? 0) + (figures[1] ?? 0), 2);
  });

  // From Debian's poppler-utils, which not every machine has.
  const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;
  it.skipIf(!hasPoppler)(
    'as PDF is read by pdftotext and drawn by pdftoppm (skipped where they are not installed)',
    async () => {
      const bytes = await fileOf(await ended({ format: 'pdf' }));
      const { stdout, status } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: bytes });
      expect(status).toBe(0);
      for (const part of ['Trips', '=1+1', 'Truck 2', 'Page 1 of 1']) expect(String(stdout)).toContain(part);
      const drawn = spawnSync('pdftoppm', ['-r', '40', '-png'], { input: bytes, maxBuffer: 16 * 1024 * 1024 });
      expect([drawn.status, drawn.stdout.subarray(1, 4).toString()]).toEqual([0, 'PNG']);
    },
  );

  it('as PDF is tagged, with the letterhead, the totals, the rows and page numbers', async () => {
    const bytes = await fileOf(await ended({ format: 'pdf', groupBy: 'day' }));
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const pdf = await getDocument({ data: bytes, verbosity: 0 }).promise;
    const marked = (await pdf.getMarkInfo()) as unknown as ReadonlyMap<string, boolean>;
    expect(marked.get('Marked')).toBe(true);
    const page = await pdf.getPage(1);
    const tree = JSON.stringify(await page.getStructTree());
    for (const role of ['H1', 'Table', 'TR', 'TH', 'TD']) expect(tree).toContain(`"role":"${role}"`);
    const { items } = await page.getTextContent();
    const text = items.map(item => ('str' in item ? item.str : '')).join(' ');
    const day = new Date(period.from).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
    for (const part of ['Trips', '=1+1', 'Truck 2', 'Totals · 2 rows', `${day}, 08:00`, 'Page 1 of 1']) {
      expect(text).toContain(part);
    }
    expect(text).toContain(server.figures.calendar(owner.accountId).zone);
  });

  it('as JSON has everything in SI units, by the keys of the columns', async () => {
    const json = JSON.parse(Buffer.from(await fileOf(await ended({ format: 'json', groupBy: 'day' }))).toString());
    expect(json).toMatchObject({
      key: 'trips',
      zone: server.figures.calendar(owner.accountId).zone,
      silent: { count: 0 },
      totals: { driving: 7200 },
      groups: [{ key: period.from, total: 2, totals: { driving: 7200 } }],
      rows: [{ vehicle: '=1+1', driving: 3600, start: expect.stringContaining('T') }, { vehicle: 'Truck 2' }],
    });
  });

  it('is told when it can’t be written, and refused where it may not be asked for', async () => {
    const refused = await start({ format: 'csv', vehicles: '2000000000' });
    expect([refused.status, refused.body]).toMatchObject([404, { code: 'not-found' }]);
    const unknown = await start({ format: 'doc' });
    expect(unknown.status).toBe(400);
  });

  it('is asked for once more with the same question, by who asked for it', async () => {
    const run = await ended({ format: 'csv', groupBy: 'vehicle' });
    await server.context.db.system.updateTable('job').set({ state: 'failed' }).where('id', '=', run.id).execute();
    const path = `/api/v1/report_run/${run.id}/repeat`;
    const colleague = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    expect((await server.call('POST', path, { token: colleague.token })).status).toBe(404);
    const again = await server.call('POST', path, { token: owner.token });
    expect([again.status, again.text]).toEqual([201, expect.any(String)]);
    const { id } = again.body as ReportRun;
    const find = async () => (await listed()).find(each => each.id === id);
    await vi.waitFor(async () => expect((await find())?.endedAt).toEqual(expect.any(String)), patient);
    const { createdAt: _, endedAt: _ended, file: _file, id: _id, state: _state, ...same } = run;
    expect(await find()).toMatchObject({ ...same, state: 'done', file: { rows: run.file?.rows } });
  });

  it('is for who asked for it, as long as they have the same rights', async () => {
    const { system } = server.context.db;
    const colleague = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    const run = await ended({ format: 'csv' }, colleague);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id: run.id }));
    const file = `/api/v1/report_run/${run.id}/file`;
    expect((await server.call('GET', file, { token: owner.token })).status).toBe(404);
    expect((await server.call('GET', file, { token: colleague.token })).status).toBe(200);
    await system.updateTable('app_user').set({ role: 'viewer' }).where('id', '=', colleague.userId).execute();
    await server.context.feed.settled();
    await vi.waitFor(
      async () => expect((await server.call('GET', file, { token: colleague.token })).status).toBe(404),
      patient,
    );
  });

  it('can be deleted with its file, and is removed after 30 days', async () => {
    const folder = join(server.context.config.dataDir, 'reports');
    const [run, other] = [await ended({ format: 'csv' }), await ended({ format: 'json' })];
    expect(await readdir(folder)).toEqual(expect.arrayContaining([run.id, other.id]));
    expect((await server.call('DELETE', `/api/v1/report_run/${run.id}`, { token: owner.token })).status).toBe(200);
    expect(await readdir(folder)).not.toContain(run.id);
    const old = new Date(Date.now() - 31 * 86_400_000);
    await server.context.db.system.updateTable('job').set({ ended_at: old }).where('id', '=', other.id).execute();
    expect((await listed()).map(({ id }) => id)).not.toContain(other.id);
    const answer = await server.call('GET', `/api/v1/report_run/${other.id}/file`, { token: owner.token });
    expect(answer.status).toBe(404);
  });
});
