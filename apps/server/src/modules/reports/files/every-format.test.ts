import { randomUUID } from 'node:crypto';
import { REPORT_FORMATS, type ReportFormat } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { keptLog } from '../../../../testing/cross-account/kept-log.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import { reportContextOf } from '../../../ingest/report.ts';
import { openPlaces } from '../../places/places.ts';
import { REPORTS } from '../catalogue.ts';
import type { FileStyle } from '../reader.ts';
import type { Report, ReportSources } from '../report.ts';
import { type ReportResult, resultOf } from '../run.ts';
import { createReportSources } from '../sources.ts';
import { FORMATS } from './formats.ts';

const MINUTE = 60_000;
/** Reports about what nobody did here. Their cells are those of others. */
const LACKING = [
  'detention',
  'over-limit',
  'hours-violations',
  'form-and-manner',
  'unidentified-driving',
  'log-edits',
  'personal-use',
  'temperature-alerts',
  'due',
  'tasks',
  'commands-sent',
  'sign-ins',
  'audit',
];
const STYLE: FileStyle = { language: 'en-US', distanceUnit: 'mi', organisation: 'Rockfish', logo: null };

let server: TestHttpServer;
let me: UserWithData;
let sources: ReportSources;
let period: { readonly from: string; readonly to: string };

/** Two days of a vehicle that measures all that it can, and something of all else. */
beforeAll(async () => {
  server = await startHttpServer();
  me = await userWithData(server);
  await keptLog(server, me);
  const { context, figures, organisation, workers } = server;
  const places = await openPlaces();
  const reportContext = reportContextOf(places, organisation.roster);
  sources = createReportSources(context, { ...organisation, figures, places, reportContext, workers });
  const calendar = figures.calendar(me.accountId);
  const today = calendar.dayOf(Date.now());
  period = { from: calendar.dateOf(today - 6), to: calendar.dateOf(today) };
  const vehicle_id = Number(me.vehicleId);
  for (const ago of [2, 1]) {
    const begin = calendar.startOf(today - ago) + 20 * 60 * MINUTE;
    const drive = Array.from({ length: 91 }, (_, i) =>
      receivedPosition(begin + i * MINUTE, {
        lon: degrees(-87.68 + Math.min(i, 40) / 82.85),
        speed: fromKilometresPerHour(i < 40 ? 60 : 0),
        ignition: i < 70,
        temperature: 4 as never,
        event: i === 5 ? 'harshBraking' : null,
        attributes: { externalVoltage: 13.84, batteryLevel: 80 },
      }),
    );
    await storePositions(server, me.accountId, vehicle_id, drive);
    const opened_at = new Date(begin);
    await context.db.system
      .insertInto('alert')
      .values({
        ...{ account_id: me.accountId, vehicle_id, id: randomUUID(), kind: 'overspeed', severity: 'warning' },
        ...{ opened_at, updated_at: opened_at, closed_at: new Date(begin + MINUTE) },
      })
      .execute();
  }
}, 90_000);
afterAll(() => server.close());

/** As it opens, and compared. */
async function resultFor(report: Report): Promise<ReportResult> {
  const session = { accountId: me.accountId, userId: me.userId, role: 'owner', scope: null, readOnly: false } as const;
  const groupBy = report.opensBy === undefined ? report.groupings[0] : report.opensBy;
  const query = { ...period, language: STYLE.language, compare: 'true', ...(groupBy && { groupBy }) } as const;
  return resultOf(report, { session, query, sources, catchUpMs: 30_000 });
}

async function written(result: ReportResult, format: ReportFormat): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of FORMATS[format].write(result, STYLE)) pieces.push(Buffer.from(piece as string));
  return Buffer.concat(pieces);
}

const READERS: Readonly<Record<ReportFormat, (bytes: Buffer, of: ReportResult['head']) => Promise<void>>> = {
  csv: async (bytes, { columns, total }) => {
    const lines = parse(bytes, { bom: true }) as string[][];
    expect(lines).toHaveLength(1 + total);
    for (const line of lines) expect(line).toHaveLength(columns.length);
  },
  xlsx: async (bytes, { columns, total, totals }) => {
    const lines = await readSheet(bytes);
    expect(lines).toHaveLength(1 + total + (totals.some(cell => cell !== null) ? 1 : 0));
    expect(lines[0]?.map(String).map(head => head.split(' (')[0])).toEqual(
      columns.map(({ title }) => title.split(' (')[0]),
    );
  },
  pdf: async (bytes, { groups, title, total }) => {
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
    const marked = (await pdf.getMarkInfo()) as unknown as ReadonlyMap<string, boolean>;
    expect(marked.get('Marked')).toBe(true);
    const pages = await Promise.all(
      Array.from({ length: pdf.numPages }, async (_, nth) => {
        const page = await pdf.getPage(nth + 1);
        const { items } = await page.getTextContent();
        return {
          tags: JSON.stringify(await page.getStructTree()),
          text: items.map(item => ('str' in item ? item.str : '')).join(' '),
        };
      }),
    );
    const text = pages.map(page => page.text).join(' ');
    for (const part of ['Rockfish', title, `Page 1 of ${pdf.numPages}`]) expect(text).toContain(part);
    expect(pages[0]?.tags).toContain('"role":"H1"');
    expect(pages.some(({ tags }) => tags.includes('"role":"Table"'))).toBe(total > 0);
    for (const { label } of groups.slice(0, 3)) if (label !== '') expect(text).toContain(label.split(' ')[0]);
  },
  json: async (bytes, { key, total, columns, totals }) => {
    const json = JSON.parse(bytes.toString());
    expect(json).toMatchObject({ key, total });
    expect(json.rows).toHaveLength(total);
    expect(json.totals).toEqual(Object.fromEntries(columns.map(({ key: of }, i) => [of, totals[i] ?? null])));
  },
};

describe('[R2.04] every report', () => {
  it.each(REPORTS.flatMap(({ key }) => REPORT_FORMATS.map(format => ({ key, format }))))(
    '$key is written as $format, and read from it by another library',
    async ({ key, format }) => {
      const report = REPORTS.find(each => each.key === key);
      if (!report) throw new Error(key);
      const result = await resultFor(report);
      await READERS[format](await written(result, format), result.head);
    },
  );

  it('has rows here, so that its cells are written, but those about what this account lacks', async () => {
    const empty: string[] = [];
    for (const report of REPORTS) if ((await resultFor(report)).head.total === 0) empty.push(report.key);
    expect(empty).toEqual(LACKING);
  });
});
