import type { ReportCell, ReportColumn } from '@milepost/contract';
import { type CellValue, writeXlsxStream } from 'hucre';
import { wallTime } from '../../../points/wall-time.ts';
import type { FileStyle } from '../reader.ts';
import type { ReportResult } from '../run.ts';
import { figureIn, headsOf, placeIn } from './cells.ts';
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
const WIDTHS: Readonly<Partial<Record<ReportColumn['type'], number>>> = { place: 36, text: 24, moment: 18 };

/** A sheet with figures, times and dates as such, and a last row with the totals. Written as it is read. */
export async function* xlsxOf({ head, rows }: ReportResult, style: FileStyle): AsyncGenerator<Uint8Array> {
  const { columns, title, total, totals, zone } = head;
  const heads = headsOf(head, style);
  const lineOf = (cells: readonly ReportCell[]): CellValue[] =>
    columns.map(({ type }, index) => cellOf(cells[index] ?? null, type, style, zone));
  async function* lines(): AsyncGenerator<CellValue[]> {
    for await (const piece of rows(0, XLSX_ROWS)) yield* piece.map(({ cells }) => lineOf(cells));
    if (total > XLSX_ROWS) yield [PDF_WORDS[style.language].cut(XLSX_ROWS, total)];
    if (totals.some(cell => cell !== null)) yield lineOf(totals);
  }
  const stream = writeXlsxStream(lines(), {
    // What Excel refuses in the name of a sheet.
    name: title.replace(/[:\\/?*[\]]/g, ' ').slice(0, 31),
    columns: columns.map(({ type }, index) => {
      const numFmt = NUMBER_FORMATS[type];
      return {
        header: heads[index] ?? '',
        width: WIDTHS[type] ?? Math.max(12, (heads[index] ?? '').length + 2),
        ...(numFmt !== undefined && { numFmt }),
      };
    }),
    freezePane: { rows: 1 },
  });
  yield* stream;
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
