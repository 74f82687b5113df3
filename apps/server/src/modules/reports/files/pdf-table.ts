import { setImmediate } from 'node:timers/promises';
import type PDFDocument from 'pdfkit';
import { isFigure } from './cells.ts';
import { fitsWith, layoutOf, PAD, type TableLayout, type TextWidths } from './pdf-layout.ts';
import { type Column, isBreakable, isNamed, type Line, type Look, spanOf, widthsOf } from './pdf-widths.ts';

type Element = ReturnType<typeof PDFDocument.prototype.struct>;
/** Above and below the text of a line. */
const AIR = 2.5;
const HEAD_AIR = 4;
/** More of a text is cut: one cell must not fill the page. */
const LINES = 6;
/** So that others get their turn between. */
const AT_ONCE = 50;
const INK = '#16202c';
const RULE = '#d3dbe3';
const FILLS = { head: '#dfe7ef', strong: '#e8eef4', group: '#f1f5f8' } as const;

/**
 * A tagged table over as many pages as it needs, with its heads on each of them. It is drawn once all of its lines are
 * known, since its columns are as wide as what they say.
 */
export class PdfTable {
  readonly #document: PDFKit.PDFDocument;
  readonly #columns: readonly Column[];
  readonly #lines: Line[] = [];
  readonly #widthOf = new Map<string, number>();
  readonly #linesIn = new WeakMap<Line, readonly number[]>();
  readonly #continued: string;
  #layout: TableLayout = { size: 0, widths: [] };
  #top = 0;

  /** `continued` is said of a group that goes on on the next page. */
  constructor(
    document: PDFKit.PDFDocument,
    columns: readonly Column[],
    heads: readonly string[],
    { continued = '' }: { readonly continued?: string } = {},
  ) {
    this.#document = document;
    this.#columns = columns;
    this.#continued = continued;
    this.line(heads, 'head');
  }

  line(cells: readonly string[], look: Look = 'plain'): void {
    this.#lines.push({ cells, look });
  }

  async fitsWith(width: number): Promise<boolean> {
    return fitsWith(await this.#measured(), width);
  }

  /** Draws it below what the page has. */
  async draw(root: Element): Promise<void> {
    const document = this.#document;
    const { left, right } = document.page.margins;
    this.#layout = layoutOf(await this.#measured(), document.page.width - left - right);
    this.#top = document.y;
    const table = document.struct('Table');
    root.add(table);
    const [heads, ...lines] = this.#lines as [Line, ...Line[]];
    this.#add(table, heads);
    let group: Line | null = null;
    for (const [nth, line] of lines.entries()) {
      if (nth % AT_ONCE === AT_ONCE - 1) await setImmediate();
      // A group is not left alone at the end of a page.
      const next = line.look === 'group' ? lines[nth + 1] : undefined;
      if (!this.#hasRoom(line, next)) this.#turn(heads, line.look === 'plain' ? group : null);
      if (line.look !== 'plain') group = line.look === 'group' ? line : null;
      this.#add(table, line);
    }
    table.end();
    document.x = left;
    document.y = this.#top + this.#layout.size;
  }

  #hasRoom(line: Line, next: Line | undefined): boolean {
    const { height, margins } = this.#document.page;
    const needed = this.#heightOf(line) + (next ? this.#heightOf(next) : 0);
    return this.#top + needed <= height - margins.bottom;
  }

  /** On the pages after the first, heads are drawn but not read out again, and so is what goes on. */
  #turn(heads: Line, group: Line | null): void {
    const document = this.#document;
    document.addPage();
    this.#top = document.page.margins.top;
    document.markContent('Artifact', { type: 'Pagination' });
    const name = group?.cells[0];
    for (const line of name ? [heads, { cells: [`${name} (${this.#continued})`], look: 'group' as const }] : [heads]) {
      this.#paint(line);
      for (const index of line.cells.keys()) this.#write(line, index);
      this.#top += this.#heightOf(line);
    }
    document.endMarkedContent();
  }

  #add(table: Element, line: Line): void {
    const document = this.#document;
    document.markContent('Artifact', { type: 'Layout' });
    this.#paint(line);
    document.endMarkedContent();
    const row = document.struct('TR');
    table.add(row);
    for (const index of this.#columns.keys()) {
      row.add(document.struct(line.look === 'head' ? 'TH' : 'TD', {}, () => this.#write(line, index)));
    }
    row.end();
    this.#top += this.#heightOf(line);
  }

  #paint(line: Line): void {
    const document = this.#document;
    const { left, right } = document.page.margins;
    const width = document.page.width - left - right;
    const height = this.#heightOf(line);
    if (line.look !== 'plain') document.rect(left, this.#top, width, height).fill(FILLS[line.look]);
    document
      .moveTo(left, this.#top + height)
      .lineTo(left + width, this.#top + height)
      .lineWidth(0.4)
      .stroke(RULE);
  }

  #write(line: Line, index: number): void {
    const { cells, look } = line;
    const { widths } = this.#layout;
    const { left } = this.#document.page.margins;
    const before = widths.slice(0, index).reduce((all, width) => all + width, left);
    const isName = index === 0 && isNamed(look);
    const air = look === 'head' ? HEAD_AIR : AIR;
    const height = this.#heightOf(line);
    const lines = this.#linesOf(line)[index] ?? 1;
    this.#set(look);
    const lineHeight = this.#document.currentLineHeight(true);
    // Heads stand on the line of their table.
    const top = look === 'head' ? this.#top + height - air - lines * lineHeight : this.#top + air;
    this.#document.fillColor(INK).text(cells[index] ?? '', before + PAD, top, {
      // A hair more than measured, or a text that fits just so is broken.
      width: this.#roomOf(line, index) + 0.5,
      height: lines * lineHeight + 0.5,
      align: isFigure(this.#columns[index]?.type ?? 'text') && !isName ? 'right' : 'left',
      ellipsis: true,
      lineBreak: lines > 1,
    });
  }

  #set(look: Look, size = this.#layout.size): void {
    this.#document.font(look === 'plain' ? 'text' : 'bold').fontSize(size);
  }

  #roomOf({ cells, look }: Line, index: number): number {
    const { widths } = this.#layout;
    const end = index === 0 && isNamed(look) ? spanOf(cells, this.#columns.length) : index + 1;
    return widths.slice(index, end).reduce((all, width) => all + width, 0) - 2 * PAD;
  }

  /** Into how many lines each of its texts is broken. */
  #linesOf(line: Line): readonly number[] {
    let lines = this.#linesIn.get(line);
    if (lines === undefined) {
      lines = line.cells.map((_, index) => this.#counted(line, index));
      this.#linesIn.set(line, lines);
    }
    return lines;
  }

  #counted(line: Line, index: number): number {
    const text = line.cells[index] ?? '';
    const room = this.#roomOf(line, index);
    const { size } = this.#layout;
    if (isNamed(line.look) || this.#width(text, line.look) * size <= room + 0.5) return 1;
    if (line.look !== 'head' && !isBreakable(this.#columns[index]?.type ?? 'text')) return 1;
    this.#set(line.look);
    const height = this.#document.heightOfString(text, { width: room + 0.5 });
    return Math.min(LINES, Math.max(1, Math.round(height / this.#document.currentLineHeight(true))));
  }

  #heightOf(line: Line): number {
    this.#set(line.look);
    return (
      Math.max(...this.#linesOf(line)) * this.#document.currentLineHeight(true) +
      2 * (line.look === 'head' ? HEAD_AIR : AIR)
    );
  }

  /** At a size of 1. The same words come again and again. */
  #width(text: string, look: Look): number {
    const key = `${look === 'plain' ? '' : 'b'}${text}`;
    let width = this.#widthOf.get(key);
    if (width === undefined) {
      this.#set(look, 10);
      width = this.#document.widthOfString(text) / 10;
      this.#widthOf.set(key, width);
    }
    return width;
  }

  #measured(): Promise<TextWidths[]> {
    this.#set('plain', 10);
    const letter = this.#document.widthOfString('abcdefghijklmnopqrstuvwxyz') / 260;
    return widthsOf(this.#columns, this.#lines, { letter, widthOf: (text, look) => this.#width(text, look) });
  }
}
