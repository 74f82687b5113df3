import { setImmediate } from 'node:timers/promises';
import type { ReportCell, ReportColumn, ReportPage, ReportRow, SomeVehicles } from '@milepost/contract';
import type { FileStyle } from '../reader.ts';
import type { ReportAbout, ReportResult } from '../run.ts';
import { cellText, hasTenths } from './cell-text.ts';
import { headsOf } from './cells.ts';
import { optionText } from './option-text.ts';
import { type Bar, drawChart } from './pdf-chart.ts';
import { PaperDates } from './pdf-dates.ts';
import { firstPage, letterhead, numberPages, openPdf, paragraph, type Root, roomIn } from './pdf-page.ts';
import { PdfTable } from './pdf-table.ts';
import { PDF_WORDS } from './pdf-words.ts';

/** More would be read by nobody, and a tagged table is kept in memory until it ends. */
export const PDF_ROWS = 2000;
/** More bars than that can't be told apart. */
const MOST_BARS = 92;
/** Of the rows, so that others get their turn between. */
const AT_ONCE = 100;
/** So many vehicles are named. */
const NAMED = 8;

type Head = ReportResult['head'];
type ShownColumn = ReportColumn & { readonly index: number; readonly isInTenths: boolean };
type Texts = (cells: readonly ReportCell[]) => string[];

/**
 * For people: the organization's name and logo, what the report is about, its totals as a chart, and its rows, with page
 * numbers. Upright if it fits. Tagged (PDF/UA): screen readers find the heading, the table, and the heads of its columns.
 */
export async function* pdfOf({ about, head, rows }: ReportResult, style: FileStyle): AsyncGenerator<Uint8Array> {
  const words = PDF_WORDS[style.language];
  const { period, title, total, zone } = head;
  const dates = new PaperDates(style.language, zone, period.to);
  const days = dates.period(period.from, period.to);
  const { document, root } = await openPdf(`${title}, ${days}`, style);
  const read: ReportRow[] = [];
  for await (const piece of rows(0, PDF_ROWS)) read.push(...piece);
  const columns = columnsOf(head, read);
  const nameOf = groupNames(about, dates, style);
  const table = await tableOf(document, {
    columns,
    head,
    nameOf,
    rows: read,
    style,
    textsOf: textsFor(columns, dates, style, zone),
  });
  firstPage(document, (await table.fitsWith(roomIn('portrait', style))) ? 'portrait' : 'landscape');
  heading(document, root, { about, dates, days, head }, style);
  if (total > 0) {
    chart(document, root, { about, head, nameOf, rows: read }, style);
    await table.draw(root);
  }
  const note = total === 0 ? words.noRows : total > PDF_ROWS ? words.cut(PDF_ROWS, total) : '';
  if (note !== '') paragraph(document, root, note);
  root.end();
  numberPages(document, style, [style.organisation, title, days].join(' · '));
  document.end();
  yield* document as AsyncIterable<Uint8Array>;
}

/** Without what the lines of the groups say: the vehicle, driver, geofence or day of all their rows. */
function columnsOf({ columns, groups }: Head, rows: readonly ReportRow[]): ShownColumn[] {
  const labels = new Map(groups.map(({ key, label }) => [key, label]));
  const isSaid = (index: number): boolean =>
    labels.size > 0 &&
    rows.every(({ cells, group }) => cells[index] !== null && cells[index] === labels.get(group ?? ''));
  const all = columns.map((column, index) => ({
    ...column,
    index,
    isInTenths: hasTenths(
      rows.map(({ cells }) => cells[index]),
      column.type,
    ),
  }));
  const shown = all.filter(({ index }) => !isSaid(index));
  // The name of a group stands in the first column, which must not have its total.
  return shown.length === 0 || shown[0]?.hasTotal ? all : shown;
}

const groupNames =
  ({ groupBy }: ReportAbout, dates: PaperDates, { language }: FileStyle) =>
  (label: string): string => {
    if (label === '') return PDF_WORDS[language].none;
    if (groupBy === 'month') return dates.month(label);
    return groupBy === 'day' || groupBy === 'week' ? dates.day(label) : label;
  };

/** A moment after the first one of its row, on the same day, is its time alone. */
function textsFor(columns: readonly ShownColumn[], dates: PaperDates, style: FileStyle, zone: string): Texts {
  const first = columns.find(({ type }) => type === 'moment');
  return cells => {
    const firstCell = cells[first?.index ?? -1];
    return columns.map(({ index, isInTenths, type }) => {
      const cell = cells[index] ?? null;
      if (typeof cell === 'string' && type === 'day') return dates.day(cell);
      if (typeof cell !== 'string' || type !== 'moment') return cellText(cell, type, style, zone, isInTenths);
      return index === first?.index || typeof firstCell !== 'string'
        ? dates.moment(cell)
        : dates.laterMoment(firstCell, cell);
    });
  };
}

interface TableParts {
  readonly columns: readonly ShownColumn[];
  readonly head: Head;
  readonly nameOf: (label: string) => string;
  readonly rows: readonly ReportRow[];
  readonly style: FileStyle;
  readonly textsOf: Texts;
}

async function tableOf(
  document: PDFKit.PDFDocument,
  { columns, head, nameOf, rows, style, textsOf }: TableParts,
): Promise<PdfTable> {
  const words = PDF_WORDS[style.language];
  // The zone is said above, once.
  const heads = headsOf({ columns: [...columns], currency: head.currency, zone: '' }, style);
  const table = new PdfTable(document, columns, heads, words);
  if (columns.some(({ hasTotal }) => hasTotal)) {
    table.line(withName(`${words.totals} · ${words.rows(head.total)}`, textsOf(head.totals)), 'strong');
  }
  const byKey = new Map(head.groups.map(group => [group.key, group]));
  let group: string | null = null;
  for (const [nth, row] of rows.entries()) {
    if (nth % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const entered = row.group === group ? undefined : byKey.get(row.group ?? '');
    if (entered) {
      table.line(withName(`${nameOf(entered.label)} · ${words.rows(entered.total)}`, textsOf(entered.totals)), 'group');
    }
    group = row.group;
    table.line(textsOf(row.cells));
  }
  return table;
}

interface ChartParts {
  readonly about: ReportAbout;
  readonly head: Head;
  readonly nameOf: (label: string) => string;
  readonly rows: readonly ReportRow[];
}

/** As on the screen: the groups, or of a report with a row for each vehicle or driver its rows. */
function chart(
  document: PDFKit.PDFDocument,
  root: Root,
  { about, head, nameOf, rows }: ChartParts,
  style: FileStyle,
): void {
  const { columns, groups, total, zone } = head;
  const words = PDF_WORDS[style.language];
  const isOfRows = rows.length === total && (columns[0]?.type === 'vehicle' || columns[0]?.key === 'driver');
  const all =
    about.groupBy !== null
      ? groups.map(({ label, totals }) => ({ name: nameOf(label), cells: totals }))
      : isOfRows
        ? rows.map(({ cells }) => ({ name: String(cells[0] ?? ''), cells }))
        : [];
  if (all.length < 2 || new Set(all.map(({ name }) => name)).size < all.length) return;
  const shown = columns.flatMap(({ hasTotal, key, type }, index) =>
    hasTotal && all.some(({ cells }) => Number(cells[index]) > 0) ? [{ index, key, type }] : [],
  );
  const column = shown.find(({ key }) => key === about.chart) ?? shown[0];
  if (!column) return;
  const bars = all.flatMap(({ cells, name }): Bar[] => {
    const value = cells[column.index] ?? null;
    // Nothing is known of it, which is no bar of height zero.
    return typeof value === 'number' ? [{ name, value, words: cellText(value, column.type, style, zone) }] : [];
  });
  if (bars.length < 2) return;
  const highest = bars.toSorted((a, b) => b.value - a.value).slice(0, MOST_BARS);
  const title = headsOf({ columns, currency: head.currency, zone: '' }, style)[column.index] ?? '';
  drawChart(document, root, {
    title,
    alt: words.chart(title),
    note: bars.length > MOST_BARS ? words.highest(MOST_BARS, bars.length) : '',
    bars: bars.length > MOST_BARS ? highest : bars,
  });
}

interface HeadingParts {
  readonly about: ReportAbout;
  readonly dates: PaperDates;
  readonly days: string;
  readonly head: Omit<ReportPage, 'rows'>;
}

function heading(
  document: PDFKit.PDFDocument,
  root: Root,
  { about, dates, days, head }: HeadingParts,
  style: FileStyle,
) {
  const words = PDF_WORDS[style.language];
  letterhead(document, root, head.title, style);
  const isNamed = about.vehicles !== null && about.vehicles.length <= NAMED;
  const all = head.isOfPositions || about.vehicles !== null ? words.vehicles(head.vehicles) : '';
  const facts = [
    days,
    isNamed ? (about.vehicles ?? []).join(', ') : all,
    ...about.options.map(option => optionText(option, style, head.currency)),
    words.until(dates.moment(head.until)),
    words.zone(head.zone),
  ];
  paragraph(document, root, facts.filter(fact => fact !== '').join(' · '));
  if (head.behind > 0) paragraph(document, root, words.behind(head.behind));
  if (head.late.count > 0) paragraph(document, root, words.late(head.late.count, namesOf(head.late)));
  if (head.silent.count > 0) paragraph(document, root, words.silent(head.silent.count, namesOf(head.silent)));
  document.moveDown(0.8);
}

const namesOf = ({ count, vehicles }: SomeVehicles): string =>
  `${vehicles.map(({ name }) => name).join(', ')}${count > vehicles.length ? ' …' : ''}`;

/** The first cell of a line of totals has its name. */
const withName = (name: string, [, ...cells]: readonly string[]): string[] => [name, ...cells];
