import type { ReportCell, ReportPage, SomeVehicles } from '@milepost/contract';
import { wallTime } from '../../../points/wall-time.ts';
import type { FileStyle } from '../reader.ts';
import type { ReportResult } from '../run.ts';
import { cellText } from './cell-text.ts';
import { headsOf } from './cells.ts';
import { letterhead, numberPages, openPdf, paragraph, type Root } from './pdf-page.ts';
import { PdfTable } from './pdf-table.ts';
import { PDF_WORDS } from './pdf-words.ts';

/** More would be read by nobody, and a tagged table is kept in memory until it ends. */
export const PDF_ROWS = 2000;

/**
 * For people: the organization's name and logo, what the report is about, its totals and rows, with page numbers.
 * Tagged (PDF/UA): screen readers find the heading, the table, and the heads of its columns.
 */
export async function* pdfOf({ head, rows }: ReportResult, style: FileStyle): AsyncGenerator<Uint8Array> {
  const words = PDF_WORDS[style.language];
  const { columns, groups, title, total, totals } = head;
  const { document, root } = openPdf(`${title}, ${head.period.from} – ${head.period.to}`, style);
  heading(document, root, head, style);
  const cellsOf = (cells: readonly ReportCell[]): string[] =>
    columns.map(({ type }, index) => cellText(cells[index] ?? null, type, style, head.zone));
  if (total > 0) {
    const table = new PdfTable(document, root, columns, headsOf({ columns, currency: head.currency, zone: '' }, style));
    if (columns.some(({ hasTotal }) => hasTotal)) {
      table.line(withName(`${words.totals} · ${words.rows(total)}`, cellsOf(totals)), 'strong');
    }
    const byKey = new Map(groups.map(group => [group.key, group]));
    let group: string | null = null;
    for await (const piece of rows(0, PDF_ROWS)) {
      for (const row of piece) {
        const entered = row.group === group ? undefined : byKey.get(row.group ?? '');
        if (entered) {
          const name = `${entered.label || words.none} · ${words.rows(entered.total)}`;
          table.line(withName(name, cellsOf(entered.totals)), 'group');
        }
        group = row.group;
        table.line(cellsOf(row.cells));
      }
    }
    table.end();
  }
  const note = total === 0 ? words.noRows : total > PDF_ROWS ? words.cut(PDF_ROWS, total) : '';
  if (note !== '') paragraph(document, root, note);
  root.end();
  numberPages(document, style);
  document.end();
  yield* document as AsyncIterable<Uint8Array>;
}

function heading(document: PDFKit.PDFDocument, root: Root, head: Omit<ReportPage, 'rows'>, style: FileStyle): void {
  const words = PDF_WORDS[style.language];
  letterhead(document, root, head.title, style);
  const { from, to } = head.period;
  const facts = [
    words.period(from, to),
    words.zone(head.zone),
    words.until(wallTime(head.until, head.zone).slice(0, 16)),
    words.vehicles(head.vehicles),
  ];
  paragraph(document, root, facts.join(' · '));
  if (head.behind > 0) paragraph(document, root, words.behind(head.behind));
  if (head.late.count > 0) paragraph(document, root, words.late(head.late.count, namesOf(head.late)));
  if (head.silent.count > 0) paragraph(document, root, words.silent(head.silent.count, namesOf(head.silent)));
  document.moveDown(0.6);
}

const namesOf = ({ count, vehicles }: SomeVehicles): string =>
  `${vehicles.map(({ name }) => name).join(', ')}${count > vehicles.length ? ' …' : ''}`;

/** The first cell of a line of totals has its name. */
const withName = (name: string, [, ...cells]: readonly string[]): string[] => [name, ...cells];
