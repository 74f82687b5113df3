import type { ReportColumn, ReportRow } from '@milepost/contract';
import { readXlsx } from 'hucre';
import { describe, expect, it } from 'vitest';
import type { FileStyle } from '../reader.ts';
import type { ReportAbout, ReportResult } from '../run.ts';
import { pdfOf } from './pdf.ts';
import { xlsxOf } from './xlsx.ts';

const STYLE: FileStyle = { language: 'en-US', distanceUnit: 'mi', organisation: 'Rockfish', logo: null };
const column = (key: string, title: string, type: ReportColumn['type'], hasTotal = false): ReportColumn => ({
  ...{ key, title, type, hasTotal },
});
const VEHICLE = column('vehicle', 'Vehicle', 'vehicle');
const DURATION = column('duration', 'Duration', 'duration', true);
const CHRONOLOGY = [
  ...[VEHICLE, column('what', 'What', 'text'), column('start', 'Start', 'moment'), column('end', 'End', 'moment')],
  ...[DURATION, column('from', 'From', 'place'), column('to', 'To', 'place'), column('driver', 'Driver', 'text')],
  ...[column('distance', 'Distance', 'distance', true), column('topSpeed', 'Top speed', 'speed', true)],
  ...[column('odometer', 'By odometer', 'distance', true), column('least', 'Lowest (°C)', 'number')],
];
const PLACE = { address: 'North Lower Wacker Drive at West Washington Street, Chicago, IL 60606' };
const row = (nth: number, cells: ReportRow['cells']): ReportRow => ({
  ...{
    id: `${nth}`,
    group: nth < 50 ? 'a' : 'b',
    deviceId: null,
    imei: null,
    evidence: null,
    isUnderWay: false,
    cells,
  },
});
const chronology = Array.from({ length: 60 }, (_, nth) =>
  row(nth, [
    ...[nth < 50 ? '4101' : '4102', 'Trip', `2026-11-20T08:${10 + (nth % 50)}:00Z`, '2026-11-20T09:04:00Z', 3000],
    ...[PLACE, PLACE, 'Dana Whitlock-Featherstonehaugh', 5_000_000, 29, 5_000_000, nth === 0 ? -14.5 : -15],
  ]),
);

function resultOf(columns: readonly ReportColumn[], rows: ReportRow[], about: Partial<ReportAbout> = {}): ReportResult {
  const totals = columns.map(({ hasTotal }) => (hasTotal ? 1_234_567 : null));
  const noVehicles = { count: 0, vehicles: [] };
  return {
    head: {
      ...{ key: 'chronology', title: 'Chronology', columns: [...columns], zone: 'America/Chicago', currency: 'USD' },
      ...{ period: { from: '2026-11-20', to: '2026-11-28' }, previousPeriod: null, until: '2026-11-28T09:00:00Z' },
      ...{ isOfPositions: true, vehicles: 2, behind: 1, passing: 0, late: noVehicles, silent: noVehicles },
      ...{ total: rows.length, totals, previous: null },
      groups:
        about.groupBy === 'vehicle'
          ? [
              { key: 'a', label: '4101', total: 50, totals, folderMean: null },
              { key: 'b', label: '4102', total: 10, totals, folderMean: null },
            ]
          : [],
    },
    about: { groupBy: null, options: [], vehicles: null, chart: null, ...about },
    rows: async function* () {
      yield rows;
    },
  };
}

async function bytesOf(written: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of written) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

interface Page {
  readonly isUpright: boolean;
  readonly text: string;
  readonly tags: string;
  readonly texts: readonly {
    readonly str: string;
    readonly left: number;
    readonly right: number;
    readonly y: number;
  }[];
}

async function pagesOf(result: ReportResult): Promise<Page[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const pdf = await getDocument({ data: await bytesOf(pdfOf(result, STYLE)), verbosity: 0 }).promise;
  return Promise.all(
    Array.from({ length: pdf.numPages }, async (_, nth) => {
      const page = await pdf.getPage(nth + 1);
      const { height, width } = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      const texts = items.flatMap(item =>
        'str' in item && item.str.trim() !== ''
          ? [{ str: item.str, left: item.transform[4], right: item.transform[4] + item.width, y: item.transform[5] }]
          : [],
      );
      const tags = JSON.stringify(await page.getStructTree());
      return { isUpright: height > width, text: texts.map(({ str }) => str).join(' '), tags, texts };
    }),
  );
}

describe('[R2.04] a printed report', () => {
  const grouped = resultOf(CHRONOLOGY, chronology, {
    groupBy: 'vehicle',
    options: [
      { key: 'coldTo', title: 'Not warmer than', value: 8 },
      { key: 'minimumM', title: 'Shortest trip', value: 0 },
    ],
  });

  it('writes out every time, figure, head and place of a wide table, one beside the other', async () => {
    const pages = await pagesOf(grouped);
    const text = pages.map(page => page.text).join(' ');
    expect(text).not.toContain('…');
    for (let minute = 10; minute < 60; minute++) expect(text).toContain(`Nov 20, 02:${minute}`);
    expect(text).toContain('odometer');
    expect(text).toContain('60606');
    expect(text).toContain('Featherstonehaugh');
    expect(text).toContain('-15.0');
    for (const { isUpright, texts } of pages) {
      expect(isUpright).toBe(false);
      for (const each of texts) {
        expect(each.right).toBeLessThanOrEqual(792 - 36 + 0.5);
        const beside = texts.filter(({ left, str, y }) => y === each.y && left > each.left && str !== each.str);
        for (const { left } of beside) expect(left).toBeGreaterThanOrEqual(each.right);
      }
    }
  });

  it('says a vehicle once for its group, again where it goes on on the next page, and never last on a page', async () => {
    const pages = await pagesOf(grouped);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages[0]?.text).not.toContain('Vehicle ');
    expect(pages[0]?.text).toContain('4101 · 50 rows');
    expect(pages[1]?.text).toContain('4101 · 50 rows (continued)');
    for (const { texts } of pages) {
      const lowest = Math.min(...texts.filter(({ y }) => y > 36).map(({ y }) => y));
      expect(texts.some(({ str, y }) => y === lowest && /rows$/.test(str))).toBe(false);
    }
  });

  it('says what was asked, the zone once, and on each page what it is of', async () => {
    const pages = await pagesOf(grouped);
    const text = pages.map(page => page.text).join(' ');
    expect(pages[0]?.text).toMatch(/Nov 20.–.28, 2026 · 2 vehicles · Not warmer than 8 °C · Data until Nov 28, 03:00/);
    expect(text.split('America/Chicago')).toHaveLength(2);
    expect(text).not.toContain('Shortest trip');
    expect(text).toContain('reports from 1 vehicle ');
    expect(text).toContain('Totals · 60 rows');
    for (const [nth, page] of pages.entries()) {
      expect(page.text).toMatch(/Rockfish · Chronology · Nov 20/);
      expect(page.text).toContain(`Page ${nth + 1} of ${pages.length}`);
    }
  });

  it('shows its groups as bars, with a text for those who can’t see them; those of which nothing is known are none', async () => {
    const [page] = await pagesOf(grouped);
    expect(page?.tags).toContain('Bar chart: Duration.');
    const { about, head, rows } = grouped;
    const [first, second] = head.groups;
    const unknown = second && { ...second, totals: head.columns.map(() => null) };
    const one = { about, rows, head: { ...head, groups: [first, unknown].filter(group => group !== undefined) } };
    expect((await pagesOf(one))[0]?.tags).not.toContain('Bar chart');
  });

  it('stands upright where its columns have room, and names a few chosen vehicles', async () => {
    const visits = resultOf(
      [VEHICLE, DURATION],
      chronology.map(({ cells, ...each }) => ({ ...each, cells: [cells[0] ?? null, cells[4] ?? null] })),
      { vehicles: ['4101', '4102'] },
    );
    const pages = await pagesOf(visits);
    expect(pages.every(({ isUpright }) => isUpright)).toBe(true);
    expect(pages[0]?.text).toContain('4101, 4102 · Data until');
  });

  it('says that it has no rows', async () => {
    const [page] = await pagesOf(resultOf(CHRONOLOGY, []));
    expect(page?.text).toContain('No rows in this period.');
    expect(page?.tags).not.toContain('Table');
  });
});

describe('[R2.04] a report as a workbook', () => {
  it('has bold heads over columns as wide as their texts, and a last line that says that it is the totals', async () => {
    const bytes = await bytesOf(xlsxOf(resultOf(CHRONOLOGY, chronology), STYLE));
    const { sheets } = await readXlsx(bytes, { readStyles: true });
    const [sheet] = sheets;
    const last = 61;
    const cell = (line: number, index: number) => sheet?.cells?.get(`${line},${index}`);
    expect(sheet?.freezePane?.rows).toBe(1);
    expect(sheet?.rows).toHaveLength(last + 1);
    for (const index of CHRONOLOGY.keys()) expect(cell(0, index)?.style?.font?.bold).toBe(true);
    expect(cell(1, 0)?.style?.font?.bold ?? false).toBe(false);
    expect(sheet?.rows[last]?.[0]).toBe('Totals');
    expect(cell(last, 0)?.style?.font?.bold).toBe(true);
    expect(cell(last, 4)?.style).toMatchObject({ numFmt: '[h]:mm', font: { bold: true } });
    // Without a name and a size, readers take another font than that of the rows.
    for (const line of [0, last]) expect(cell(line, 4)?.style?.font).toMatchObject({ name: 'Calibri', size: 11 });
    expect(cell(1, 2)?.style).toMatchObject({ numFmt: 'yyyy-mm-dd hh:mm', alignment: { horizontal: 'left' } });
    expect(cell(0, 8)?.style?.alignment?.horizontal).toBe('right');
    const widths = sheet?.columns?.map(({ width }) => width ?? 0) ?? [];
    expect(widths[2]).toBeGreaterThanOrEqual('Start (America/Chicago)'.length);
    expect(widths[7]).toBeGreaterThanOrEqual('Dana Whitlock-Featherstonehaugh'.length);
    expect(widths[5]).toBe(60);
  });

  it('writes whole figures without tenths, unless others of the column have some', async () => {
    const [days, share] = [column('days', 'Days left', 'number'), column('level', 'Level', 'number')];
    const lines = [-3, 1200].map((left, nth) => row(nth, ['4101', left, 20 + nth / 2]));
    const bytes = await bytesOf(xlsxOf(resultOf([VEHICLE, days, share], lines), STYLE));
    const [sheet] = (await readXlsx(bytes, { readStyles: true })).sheets;
    const formats = [1, 2].map(line => [1, 2].map(index => sheet?.cells?.get(`${line},${index}`)?.style?.numFmt));
    expect(formats).toEqual([
      ['#,##0', '#,##0.0'],
      ['#,##0', '#,##0.0'],
    ]);
  });
});
