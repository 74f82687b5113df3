import type { ReportCell, ReportColumn } from '@milepost/contract';
import { stringify } from 'csv-stringify/sync';
import { CSV_FORMAT as FORMAT } from '../../../points/line-writer.ts';
import { wallTime } from '../../../points/wall-time.ts';
import type { FileStyle } from '../reader.ts';
import type { ReportResult } from '../run.ts';
import { clockOf, figureIn, headsOf, placeIn } from './cells.ts';

/** The columns on the screen, in the reader's units, one line for each row. */
export async function* csvOf(
  { head, lines, rows }: ReportResult,
  style: FileStyle,
): AsyncGenerator<string | Uint8Array> {
  const { columns, zone } = head;
  // Spreadsheets recognize UTF-8 only by the byte order mark.
  yield stringify([headsOf(head, style)], { ...FORMAT, bom: true });
  if (lines) return yield* lines(style);
  for await (const piece of rows()) {
    const lines = piece.map(({ cells }) =>
      columns.map(({ type }, index) => cellOf(cells[index] ?? null, type, style, zone)),
    );
    yield stringify(lines, FORMAT);
  }
}

/** Figures stay figures: a negative one is no formula. */
const cellOf = (cell: ReportCell, type: ReportColumn['type'], style: FileStyle, zone: string): string | number =>
  typeof cell === 'number' && type !== 'duration' ? figureIn(cell, type, style) : textOf(cell, type, style, zone);

export function textOf(cell: ReportCell, type: ReportColumn['type'], style: FileStyle, zone: string): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return placeIn(cell, style);
  if (typeof cell === 'string') return type === 'moment' ? wallTime(cell, zone) : cell;
  return type === 'duration' ? clockOf(cell) : String(figureIn(cell, type, style));
}
