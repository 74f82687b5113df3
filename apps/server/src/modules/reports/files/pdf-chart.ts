import { MARGIN, QUIET, type Root } from './pdf-page.ts';

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly words: string;
}

interface Chart {
  /** With the unit. */
  readonly title: string;
  readonly note: string;
  readonly alt: string;
  readonly bars: readonly Bar[];
}

const HEIGHT = 84;
const BLUE = '#01579b';
const AXIS = '#b6c1cc';
const WIDEST_BAR = 36;
const NAMES = 6.5;

/** The totals of the groups as bars, with as many of their names and figures as there is room for. */
export function drawChart(document: PDFKit.PDFDocument, root: Root, { alt, bars, note, title }: Chart): void {
  const figureOf = ({ value }: Bar): number => Math.max(0, value);
  const most = Math.max(...bars.map(figureOf));
  const width = document.page.width - 2 * MARGIN;
  const step = width / bars.length;
  const top = document.y;
  const floor = top + 24 + HEIGHT;
  root.add(
    document.struct('Figure', { alt }, () => {
      document
        .font('bold')
        .fontSize(8)
        .fillColor('#16202c')
        .text(title, MARGIN, top, { continued: note !== '' });
      if (note !== '') document.font('text').fillColor(QUIET).text(`   ${note}`);
      document.font('text').fontSize(NAMES);
      const widest = (of: 'name' | 'words'): number => Math.max(...bars.map(bar => document.widthOfString(bar[of])));
      const every = Math.ceil((widest('name') + 6) / step);
      const hasFigures = widest('words') + 4 <= step;
      const bar = Math.min(WIDEST_BAR, step * 0.72);
      for (const [nth, each] of bars.entries()) {
        const middle = MARGIN + (nth + 0.5) * step;
        const height = (figureOf(each) / most) * HEIGHT;
        if (height > 0) document.rect(middle - bar / 2, floor - height, bar, height).fill(BLUE);
        const centered = (text: string, y: number): void => {
          const wide = document.widthOfString(text);
          const left = Math.min(Math.max(MARGIN, middle - wide / 2), MARGIN + width - wide);
          document.fillColor(QUIET).text(text, left, y, { lineBreak: false });
        };
        if (hasFigures && height > 0) centered(each.words, floor - height - 9);
        if (nth % every === 0) centered(each.name, floor + 3);
      }
      document
        .moveTo(MARGIN, floor)
        .lineTo(MARGIN + width, floor)
        .lineWidth(0.6)
        .stroke(AXIS);
    }),
  );
  document.x = MARGIN;
  document.y = floor + 18;
  document.fontSize(8).fillColor('#16202c');
}
