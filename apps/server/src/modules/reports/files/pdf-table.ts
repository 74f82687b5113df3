import type { ReportColumn } from '@milepost/contract';
import type PDFDocument from 'pdfkit';

type Element = ReturnType<typeof PDFDocument.prototype.struct>;

const LINE = 13;
/** Heads have two lines: a title and its unit are longer than the figures. */
const HEAD = 21;

type Look = 'plain' | 'group' | 'strong' | 'head';
const PAD = 3;
const INK = '#16202c';
const QUIET = '#5b6673';
const FILLS = { head: '#dfe7ef', strong: '#e8eef4', group: '#eef2f6' } as const;

/** How much of the width a column gets. */
const WEIGHTS: Readonly<Partial<Record<ReportColumn['type'], number>>> = {
  place: 2.6,
  text: 1.7,
  moment: 1.7,
  vehicle: 1.5,
  day: 1.2,
};
const FIGURES: ReadonlySet<ReportColumn['type']> = new Set([
  'distance',
  'duration',
  'speed',
  'share',
  'count',
  'number',
  'money',
  'coordinate',
]);

/** A tagged table over as many pages as it needs, with its heads on each of them. */
export class PdfTable {
  readonly #document: PDFKit.PDFDocument;
  readonly #table: Element;
  readonly #columns: readonly ReportColumn[];
  readonly #heads: readonly string[];
  readonly #lefts: readonly number[];
  readonly #widths: readonly number[];
  #top: number;

  constructor(document: PDFKit.PDFDocument, root: Element, columns: readonly ReportColumn[], heads: readonly string[]) {
    this.#document = document;
    this.#columns = columns;
    this.#heads = heads;
    this.#table = document.struct('Table');
    root.add(this.#table);
    const { left, right } = document.page.margins;
    const weights = columns.map(({ type }) => WEIGHTS[type] ?? 1.2);
    const unit = (document.page.width - left - right) / weights.reduce((sum, weight) => sum + weight, 0);
    this.#widths = weights.map(weight => weight * unit);
    this.#lefts = this.#widths.map(
      (_, index) => left + this.#widths.slice(0, index).reduce((sum, width) => sum + width, 0),
    );
    this.#top = document.y;
    this.#head(true);
  }

  line(cells: readonly string[], look: Look = 'plain'): void {
    const { page } = this.#document;
    if (this.#top + LINE > page.height - page.margins.bottom) {
      this.#document.addPage();
      this.#top = page.margins.top;
      this.#head(false);
    }
    this.#draw(cells, look, 'TD');
  }

  end(): void {
    this.#table.end();
    this.#document.y = this.#top + LINE;
  }

  /** On the pages after the first, heads are drawn but not read out again. */
  #head(isFirst: boolean): void {
    if (isFirst) {
      this.#draw(this.#heads, 'head', 'TH');
      return;
    }
    this.#document.markContent('Artifact', { type: 'Pagination' });
    this.#paint('head');
    for (const index of this.#heads.keys()) this.#write(this.#heads, index, 'head');
    this.#document.endMarkedContent();
    this.#top += HEAD;
  }

  #draw(cells: readonly string[], look: Look, role: 'TH' | 'TD'): void {
    const document = this.#document;
    document.markContent('Artifact', { type: 'Layout' });
    this.#paint(look);
    document.endMarkedContent();
    const row = document.struct('TR');
    this.#table.add(row);
    for (const index of this.#columns.keys()) {
      const cell = document.struct(role, {}, () => this.#write(cells, index, look));
      row.add(cell);
    }
    row.end();
    this.#top += heightOf(look);
  }

  #paint(look: Look): void {
    const document = this.#document;
    const { left, right } = document.page.margins;
    const width = document.page.width - left - right;
    const bottom = this.#top + heightOf(look);
    if (look !== 'plain') document.rect(left, this.#top, width, heightOf(look)).fill(FILLS[look]);
    document
      .moveTo(left, bottom)
      .lineTo(left + width, bottom)
      .lineWidth(0.3)
      .stroke(QUIET);
  }

  #write(cells: readonly string[], index: number, look: Look): void {
    const type = this.#columns[index]?.type ?? 'text';
    let width = this.#widths[index] ?? 0;
    // The name of a group has the room of the empty cells beside it.
    if (index === 0 && look !== 'plain') {
      for (let next = 1; next < cells.length && cells[next] === ''; next++) width += this.#widths[next] ?? 0;
    }
    this.#document
      .font(look === 'plain' ? 'text' : 'bold')
      .fontSize(7)
      .fillColor(INK)
      .text(cells[index] ?? '', (this.#lefts[index] ?? 0) + PAD, this.#top + PAD, {
        width: width - 2 * PAD,
        height: heightOf(look) - PAD,
        align: FIGURES.has(type) && !(index === 0 && look !== 'plain') ? 'right' : 'left',
        ellipsis: true,
        lineBreak: look === 'head',
      });
  }
}

const heightOf = (look: Look): number => (look === 'head' ? HEAD : LINE);
