import { setImmediate } from 'node:timers/promises';
import type { ReportColumn } from '@milepost/contract';
import type { TextWidths } from './pdf-layout.ts';

export type Look = 'plain' | 'group' | 'strong' | 'head';
export type Column = Pick<ReportColumn, 'type'>;

export interface Line {
  readonly cells: readonly string[];
  readonly look: Look;
}

/** How wide texts are at a size of 1. */
interface Ruler {
  /** A letter of average width. */
  readonly letter: number;
  readonly widthOf: (text: string, look: Look) => number;
}

/** Wider than that, a text is broken into lines, and no narrower than that: in letters of average width. */
const [WIDEST, NARROWEST] = [30, 9];
/** Longer ones, such as hashes, may be broken. */
const LONGEST_WORD = 14;
/** So that others get their turn between. */
const MEASURED_AT_ONCE = 500;

const BREAKABLE: ReadonlySet<ReportColumn['type']> = new Set(['text', 'place', 'vehicle']);
export const isBreakable = (type: ReportColumn['type']): boolean => BREAKABLE.has(type);

/** What the columns of a printed table need for what stands in them. */
export async function widthsOf(
  columns: readonly Column[],
  lines: readonly Line[],
  { letter, widthOf }: Ruler,
): Promise<TextWidths[]> {
  const widestWord = (text: string, look: Look): number =>
    // Where a line is broken, the space before is counted with its word.
    Math.max(...text.split(/(?<=[\s-])/).map(word => widthOf(word, look)));
  const widths: TextWidths[] = [];
  for (const [index, { type }] of columns.entries()) {
    let [widest, least] = [0, 0];
    for (const [nth, { cells, look }] of lines.entries()) {
      if (nth % MEASURED_AT_ONCE === MEASURED_AT_ONCE - 1) await setImmediate();
      const text = cells[index] ?? '';
      if (text === '' || (index === 0 && isNamed(look))) continue;
      const width = widthOf(text, look);
      if (look === 'head') {
        // A head may be broken between its words.
        least = Math.max(least, widestWord(text, look));
        widest = Math.max(
          widest,
          inTwo(text, part => widthOf(part, look)),
        );
      } else if (isBreakable(type)) {
        const word = Math.min(widestWord(text, look), LONGEST_WORD * letter);
        least = Math.max(least, Math.min(width, Math.max(word, NARROWEST * letter)));
        widest = Math.max(widest, Math.min(width, WIDEST * letter));
      } else {
        least = Math.max(least, width);
      }
    }
    widths.push({ least, widest: Math.max(widest, least) });
  }
  return withRoomForNames(widths, lines, widthOf);
}

/** The name of a group has the room of the empty cells beside it; where that is too little, its column is wider. */
function withRoomForNames(
  [first = { least: 0, widest: 0 }, ...others]: readonly TextWidths[],
  lines: readonly Line[],
  widthOf: Ruler['widthOf'],
): TextWidths[] {
  let lacks = 0;
  for (const { cells, look } of lines) {
    if (!isNamed(look)) continue;
    const beside = others.slice(0, spanOf(cells, others.length + 1) - 1);
    const room = beside.reduce((all, { least }) => all + least, first.least);
    lacks = Math.max(lacks, widthOf(cells[0] ?? '', look) - room);
  }
  return [{ least: first.least + lacks, widest: Math.max(first.widest, first.least + lacks) }, ...others];
}

/** The lines of totals and groups, whose first cell is their name. */
export const isNamed = (look: Look): boolean => look === 'group' || look === 'strong';

/** How wide a head is at least in two lines, if it has several words. */
function inTwo(text: string, widthOf: (part: string) => number): number {
  const words = text.split(/(?<= )/);
  const halves = words.map((_, nth) =>
    Math.max(widthOf(words.slice(0, nth).join('')), widthOf(words.slice(nth).join(''))),
  );
  return Math.min(...halves);
}

/** The name, and the empty cells beside it. */
export function spanOf(cells: readonly string[], columns: number): number {
  const filled = cells.findIndex((text, index) => index > 0 && text !== '');
  return filled === -1 ? columns : filled;
}
