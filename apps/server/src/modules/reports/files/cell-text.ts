import type { ReportCell, ReportColumn } from '@milepost/contract';
import type { FileStyle } from '../reader.ts';
import { figureIn } from './cells.ts';
import { textOf } from './csv.ts';

const DIGITS: Readonly<Partial<Record<ReportColumn['type'], number>>> = {
  distance: 1,
  share: 1,
  money: 2,
  coordinate: 5,
};

/** A cell on paper: figures with the reader's separators, and times to the minute. */
export function cellText(cell: ReportCell, type: ReportColumn['type'], style: FileStyle, zone: string): string {
  if (typeof cell === 'number' && type !== 'duration') {
    const digits = DIGITS[type] ?? 0;
    const format = { minimumFractionDigits: digits, maximumFractionDigits: type === 'number' ? 1 : digits };
    return new Intl.NumberFormat(style.language, format).format(figureIn(cell, type, style));
  }
  const text = textOf(cell, type, style, zone);
  // Seconds say nothing here.
  return type === 'moment' || type === 'duration' ? text.replace(/:\d\d$/, '') : text;
}
