/** How wide the columns of a printed table are, and how large its letters. Widths of texts are those at a size of 1. */
export interface TextWidths {
  /** The widest of its texts, with which nothing is broken. */
  readonly widest: number;
  /** What none of its lines may be narrower than: its longest word, or all of a figure or a time. */
  readonly least: number;
}

export interface TableLayout {
  readonly size: number;
  readonly widths: readonly number[];
}

/** Left and right of each text. */
export const PAD = 4;
const SIZES = [8, 7.5, 7] as const;
/** Where texts must be broken into lines anyway. */
const SMALLER_SIZES = [7, 6.5, 6] as const;
const SMALLEST = 6;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Whether the table reads well on a page of this width: at the largest size, with nothing broken. */
export const fitsWith = (columns: readonly TextWidths[], width: number): boolean =>
  sum(columns.map(({ widest }) => widest * SIZES[0] + 2 * PAD)) <= width;

/** Figures and times are never broken; texts are, into as few lines as there is room for. */
export function layoutOf(columns: readonly TextWidths[], width: number): TableLayout {
  const at = (size: number, of: keyof TextWidths): number[] => columns.map(each => each[of] * size + 2 * PAD);
  for (const size of SIZES) {
    const widths = at(size, 'widest');
    if (sum(widths) <= width) return { size, widths: widths.map(each => (each * width) / sum(widths)) };
  }
  for (const size of SMALLER_SIZES) {
    const least = at(size, 'least');
    const room = width - sum(least);
    if (room < 0) continue;
    const more = at(size, 'widest').map((widest, index) => widest - (least[index] ?? 0));
    return { size, widths: least.map((each, index) => each + ((more[index] ?? 0) * room) / sum(more)) };
  }
  const least = at(SMALLEST, 'least');
  return { size: SMALLEST, widths: least.map(each => (each * width) / sum(least)) };
}
