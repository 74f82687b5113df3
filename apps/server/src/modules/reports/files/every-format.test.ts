import { randomUUID } from 'node:crypto';
import { REPORT_FORMATS, type ReportFormat } from '@milepost/contract';
import { degrees, fromKilometresPerHour, percent } from '@milepost/units';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { keptLog } from '../../../../testing/cross-account/kept-log.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { reportData } from '../../../../testing/report-data.ts';
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
/** Columns that are empty here, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  'uncertified-days: certified': 'none of these days was ever certified',
  'unidentified-driving: takenBy': 'nobody has taken the drive',
  'unidentified-driving: note': 'written by whoever takes it',
  'personal-use: note': 'a day whose note is missing is what form-and-manner lists',
  'idle-cost: cost': 'nobody has entered what fuel costs',
  'cold-chain: note': 'written only where no temperature is known',
  'device-health: battery': 'the newest report has no battery level',
  'tasks: onTime': 'the only task was late',
  'tasks: share': 'only of several tasks together',
};
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
  await reportData(server, me, calendar);
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
        fuel: percent(i < 74 ? 30 : Math.min(90, 30 + (i - 73) * 15)),
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

/** The rows as texts, with null for what isn't one: those must be in every file as they are. */
async function textsOf({ head, rows }: ReportResult): Promise<(string | null)[][]> {
  const texts: (string | null)[][] = [];
  for await (const piece of rows()) {
    for (const { cells } of piece) {
      texts.push(head.columns.map(({ type }, i) => (type === 'text' && cells[i] !== '' ? (cells[i] as string) : null)));
    }
  }
  return texts;
}

/** A spreadsheet would run what begins like a formula, so there is a quote before it. */
const inCsv = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

type Reader = (
  bytes: Buffer,
  of: ReportResult['head'],
  texts: readonly (readonly (string | null)[])[],
) => Promise<void>;

const READERS: Readonly<Record<ReportFormat, Reader>> = {
  csv: async (bytes, { columns, total }, texts) => {
    const lines = parse(bytes, { bom: true }) as string[][];
    expect(lines).toHaveLength(1 + total);
    for (const line of lines) expect(line).toHaveLength(columns.length);
    for (const [row, cells] of texts.entries()) {
      for (const [i, text] of cells.entries()) if (text !== null) expect(lines[row + 1]?.[i]).toBe(inCsv(text));
    }
  },
  xlsx: async (bytes, { columns, total, totals }, texts) => {
    const lines = await readSheet(bytes);
    for (const [row, cells] of texts.entries()) {
      for (const [i, text] of cells.entries()) if (text !== null) expect(lines[row + 1]?.[i]).toBe(text);
    }
    expect(lines).toHaveLength(1 + total + (totals.some(cell => cell !== null) ? 1 : 0));
    expect(lines[0]?.map(String).map(head => head.split(' (')[0])).toEqual(
      columns.map(({ title }) => title.split(' (')[0]),
    );
  },
  pdf: async (bytes, { groups, title, total }, texts) => {
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
    // Long ones are cut or broken.
    const words = texts.slice(0, 3).flatMap(cells => cells.map(cell => cell?.split(/[\s/]/)[0] ?? ''));
    for (const word of words) if (word.length < 12) expect(text).toContain(word);
    for (const { label } of groups.slice(0, 3)) if (label !== '') expect(text).toContain(label.split(' ')[0]);
  },
  json: async (bytes, { key, total, columns, totals }, texts) => {
    const json = JSON.parse(bytes.toString());
    expect(json).toMatchObject({ key, total });
    expect(json.rows).toHaveLength(total);
    for (const [row, cells] of texts.entries()) {
      for (const [i, text] of cells.entries()) {
        if (text !== null) expect(json.rows[row][columns[i]?.key ?? '']).toBe(text);
      }
    }
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
      await READERS[format](await written(result, format), result.head, await textsOf(result));
    },
  );

  it('has rows here, so that its cells are written, and every column says something in one of them', async () => {
    const empty: string[] = [];
    for (const report of REPORTS) {
      const { head, rows } = await resultFor(report);
      const isFilled = head.columns.map(() => false);
      for await (const piece of rows()) {
        for (const { cells } of piece) for (const [i, cell] of cells.entries()) isFilled[i] ||= cell !== null;
      }
      if (head.total === 0) empty.push(report.key);
      else empty.push(...head.columns.flatMap(({ key }, i) => (isFilled[i] ? [] : [`${report.key}: ${key}`])));
    }
    expect(empty).toEqual(Object.keys(EMPTY));
  });
});
