import { fileURLToPath } from 'node:url';
import type { ReportCell, ReportColumn, ReportPage, SomeVehicles } from '@milepost/contract';
import PDFDocument from 'pdfkit';
import type { FileStyle } from '../reader.ts';
import type { ReportResult } from '../run.ts';
import { figureIn, headsOf, wallTime } from './cells.ts';
import { textOf } from './csv.ts';
import { PdfTable } from './pdf-table.ts';
import { PDF_WORDS } from './pdf-words.ts';
import { piecesOf } from './pieces.ts';

/** More would be read by nobody, and a tagged table is kept in memory until it ends. */
export const PDF_ROWS = 2000;

const font = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const MARGIN = 36;
const LOGO = 30;

/**
 * For people: the organization's name and logo, what the report is about, its totals and rows, with page numbers.
 * Tagged (PDF/UA): screen readers find the heading, the table, and the heads of its columns.
 */
export async function* pdfOf({ head, rows }: ReportResult, style: FileStyle): AsyncGenerator<Uint8Array> {
  const words = PDF_WORDS[style.language];
  const { columns, groups, title, total, totals } = head;
  const document = new PDFDocument({
    ...{ size: style.language === 'en-US' ? 'LETTER' : 'A4', layout: 'landscape', margin: MARGIN },
    // The last margin is the table's; what stands below it is the footer.
    ...{ pdfVersion: '1.7', tagged: true, displayTitle: true, lang: style.language, bufferPages: true },
    info: { Title: `${title}, ${head.period.from} – ${head.period.to}`, Author: style.organisation },
  });
  document.registerFont('text', font('DejaVuSansCondensed'));
  document.registerFont('bold', font('DejaVuSansCondensed-Bold'));
  document.font('text').fontSize(8);
  const root = document.struct('Document');
  document.addStructure(root);

  letterhead(document, root, head, style);
  const cellsOf = (cells: readonly ReportCell[]): string[] =>
    columns.map(({ type }, index) => cellText(cells[index] ?? null, type, style, head.zone));
  if (total > 0) {
    const table = new PdfTable(document, root, columns, headsOf({ columns, currency: head.currency, zone: '' }, style));
    if (columns.some(({ hasTotal }) => hasTotal)) {
      table.line(withName(`${words.totals} · ${words.rows(total)}`, cellsOf(totals)), 'strong');
    }
    const byKey = new Map(groups.map(group => [group.key, group]));
    let group: string | null = null;
    for await (const piece of piecesOf(rows, Math.min(total, PDF_ROWS))) {
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

type Root = ReturnType<typeof PDFDocument.prototype.struct>;

function letterhead(document: PDFKit.PDFDocument, root: Root, head: Omit<ReportPage, 'rows'>, style: FileStyle): void {
  const words = PDF_WORDS[style.language];
  const left = style.logo ? MARGIN + LOGO + 10 : MARGIN;
  if (style.logo) {
    const { logo, organisation } = style;
    root.add(
      document.struct('Figure', { alt: organisation }, () => {
        document.image(logo, MARGIN, MARGIN, { fit: [LOGO, LOGO] });
      }),
    );
  }
  root.add(
    document.struct('P', {}, () => {
      document.fontSize(8).text(style.organisation, left, MARGIN);
    }),
  );
  root.add(
    document.struct('H1', {}, () => {
      document
        .font('bold')
        .fontSize(15)
        .text(head.title, left, MARGIN + 11)
        .font('text')
        .fontSize(8);
    }),
  );
  document.x = MARGIN;
  document.y = MARGIN + LOGO + 8;
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

function paragraph(document: PDFKit.PDFDocument, root: Root, text: string): void {
  root.add(
    document.struct('P', {}, () => {
      document.text(text, MARGIN, document.y);
    }),
  );
}

const namesOf = ({ count, vehicles }: SomeVehicles): string =>
  `${vehicles.map(({ name }) => name).join(', ')}${count > vehicles.length ? ' …' : ''}`;

/** The first cell of a line of totals has its name. */
const withName = (name: string, [, ...cells]: readonly string[]): string[] => [name, ...cells];

function cellText(cell: ReportCell, type: ReportColumn['type'], style: FileStyle, zone: string): string {
  if (typeof cell === 'number' && type !== 'duration') {
    const digits = type === 'money' ? 2 : type === 'distance' || type === 'share' ? 1 : 0;
    const format = { minimumFractionDigits: digits, maximumFractionDigits: type === 'number' ? 1 : digits };
    return new Intl.NumberFormat(style.language, format).format(figureIn(cell, type, style));
  }
  const text = textOf(cell, type, style, zone);
  // Seconds say nothing here.
  return type === 'moment' || type === 'duration' ? text.replace(/:\d\d$/, '') : text;
}

function numberPages(document: PDFKit.PDFDocument, style: FileStyle): void {
  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page);
    const { height, width, margins } = document.page;
    // Below the margin, where text would otherwise begin a new page.
    margins.bottom = 0;
    document.markContent('Artifact', { type: 'Pagination' });
    document.fontSize(7).text(PDF_WORDS[style.language].page(page - start + 1, count), MARGIN, height - MARGIN + 10, {
      width: width - 2 * MARGIN,
      align: 'right',
      lineBreak: false,
    });
    document.endMarkedContent();
  }
}
