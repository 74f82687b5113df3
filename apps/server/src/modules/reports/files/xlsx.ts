import type { ReportCell, ReportColumn } from '@milepost/contract';
import type { CellStyle, CellValue } from 'hucre';
import { wallTime } from '../../../points/wall-time.ts';
import type { FileStyle } from '../reader.ts';
import type { ReportResult } from '../run.ts';
import { hasTenths } from './cell-text.ts';
import { figureIn, headsOf, isFigure, placeIn } from './cells.ts';
import { PDF_WORDS } from './pdf-words.ts';

const DAY_SECONDS = 86_400;

/** How Excel writes the figures of a column. */
const NUMBER_FORMATS: Readonly<Partial<Record<ReportColumn['type'], string>>> = {
  distance: '#,##0.0',
  duration: '[h]:mm',
  speed: '0',
  share: '0.0%',
  count: '#,##0',
  number: '#,##0.0',
  coordinate: '0.000000',
  money: '#,##0.00',
  moment: 'yyyy-mm-dd hh:mm',
  day: 'yyyy-mm-dd',
};
/** Those of a sheet, without its head and its last line. */
export const XLSX_ROWS = 1_048_574;
/** In letters, with room for a filter's arrow. Longer texts are shown when their cell is chosen. */
const [NARROWEST, WIDEST, BESIDE] = [11, 60, 3];
/** How dates and figures are measured. */
const MEASURED: Readonly<Partial<Record<ReportColumn['type'], number>>> = { moment: 16, day: 10, place: 30 };

type Look = 'head' | 'row' | 'totals';
/** A font without a name is another one than that of the rows. */
const BOLD: CellStyle['font'] = { bold: true, name: 'Calibri', size: 11 };
const LOOKS: Readonly<Record<Look, CellStyle>> = {
  head: {
    font: BOLD,
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'DFE7EF' } },
    border: { bottom: { style: 'thin', color: { rgb: '7D8B9A' } } },
  },
  row: {},
  totals: { font: BOLD, border: { top: { style: 'thin', color: { rgb: '7D8B9A' } } } },
};

/**
 * A sheet with figures, times and dates as such, its heads on top of what is scrolled, and a last row with the totals.
 * Written as it is read.
 */
export async function* xlsxOf({ head, rows }: ReportResult, style: FileStyle): AsyncGenerator<Uint8Array> {
  const { columns, title, total, totals, zone } = head;
  const heads = headsOf(head, style);
  const words = PDF_WORDS[style.language];
  const lineOf = (cells: readonly ReportCell[]): CellValue[] =>
    columns.map(({ type }, index) => cellOf(cells[index] ?? null, type, style, zone));
  const pieces = rows(0, XLSX_ROWS);
  const first = await pieces.next();
  const read = first.done ? [] : first.value.map(({ cells }) => lineOf(cells));
  // The writer asks for a column's style with each line that it writes, so it can differ by line.
  let look: Look = 'head';
  let line: CellValue[] = [];
  function* each(cells: Iterable<CellValue[]>): Generator<CellValue[]> {
    for (line of cells) yield line;
  }
  async function* lines(): AsyncGenerator<CellValue[]> {
    look = 'row';
    yield* each(read);
    for await (const piece of pieces) yield* each(piece.map(({ cells }) => lineOf(cells)));
    if (total > XLSX_ROWS) yield* each([[words.cut(XLSX_ROWS, total)]]);
    if (totals.every(cell => cell === null)) return;
    look = 'totals';
    const [name, ...figures] = lineOf(totals);
    yield* each([[name ?? words.totals, ...figures]]);
  }
  const isInTenths = columns.map(({ type }, index) =>
    hasTenths([totals[index], ...read.map(cells => cells[index])], type),
  );
  /** As on paper: whole figures, such as days left, have no tenths. One further down that has some still shows them. */
  const formatOf = (type: ReportColumn['type'], index: number): string | undefined =>
    type === 'number' && !isInTenths[index] && !hasTenths([line[index]], type) ? '#,##0' : NUMBER_FORMATS[type];
  // Loaded when someone first asks for a sheet.
  const { writeXlsxStream } = await import('hucre');
  const stream = writeXlsxStream(lines(), {
    // What Excel refuses in the name of a sheet.
    name: title.replace(/[:\\/?*[\]]/g, ' ').slice(0, 31),
    columns: columns.map(({ type }, index) => ({
      header: heads[index] ?? '',
      width: widthOf(
        type,
        heads[index] ?? '',
        read.map(cells => cells[index] ?? null),
      ),
      get style(): CellStyle {
        const numFmt = look === 'head' ? undefined : formatOf(type, index);
        // Dates stand below their heads, which are texts.
        const horizontal = isFigure(type) ? 'right' : 'left';
        return { ...LOOKS[look], ...(numFmt && { numFmt }), alignment: { horizontal } };
      },
    })),
    freezePane: { rows: 1 },
  });
  yield* stream;
}

/** Wide enough for its head and for the first of its texts. */
function widthOf(type: ReportColumn['type'], head: string, cells: readonly CellValue[]): number {
  const texts = cells.map(cell => (typeof cell === 'string' ? cell.length : 0));
  return Math.min(WIDEST, Math.max(NARROWEST, head.length + BESIDE, MEASURED[type] ?? 0, Math.max(0, ...texts) + 2));
}

function cellOf(cell: ReportCell, type: ReportColumn['type'], style: FileStyle, zone: string): CellValue {
  if (cell === null) return null;
  if (typeof cell === 'object') return placeIn(cell, style);
  if (typeof cell === 'string') {
    // Excel knows no zones: the clocks of the account's, as if they were those of UTC.
    if (type === 'moment') return new Date(`${wallTime(cell, zone).replace(' ', 'T')}Z`);
    return type === 'day' ? new Date(`${cell}T00:00:00Z`) : cell;
  }
  if (type === 'duration') return cell / DAY_SECONDS;
  return type === 'share' ? cell : figureIn(cell, type, style);
}
