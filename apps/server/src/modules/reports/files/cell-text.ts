import type { Language, ReportCell, ReportColumn } from '@milepost/contract';
import type { FileStyle } from '../reader.ts';
import { figureIn } from './cells.ts';
import { textOf } from './csv.ts';

const DIGITS: Readonly<Partial<Record<ReportColumn['type'], number>>> = {
  distance: 1,
  share: 1,
  money: 2,
  coordinate: 5,
};

/** Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.NumberFormat>();
function formatOf(language: Language, least: number, most: number): Intl.NumberFormat {
  const key = `${language} ${least} ${most}`;
  const format =
    formats.get(key) ?? new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most });
  formats.set(key, format);
  return format;
}

/** Whether one of these figures has tenths: then all figures of its column show them, so that their points align. */
export const hasTenths = (cells: readonly unknown[], type: ReportColumn['type']): boolean =>
  type === 'number' && cells.some(cell => typeof cell === 'number' && Math.round(cell * 10) % 10 !== 0);

/** A cell on paper: figures with the reader's separators, and times to the minute. */
export function cellText(
  cell: ReportCell,
  type: ReportColumn['type'],
  style: FileStyle,
  zone: string,
  isInTenths = false,
): string {
  if (typeof cell === 'number' && type !== 'duration') {
    const least = isInTenths ? 1 : (DIGITS[type] ?? 0);
    const most = type === 'number' ? 1 : least;
    return formatOf(style.language, least, most).format(figureIn(cell, type, style));
  }
  const text = textOf(cell, type, style, zone);
  // Seconds say nothing here.
  return type === 'moment' || type === 'duration' ? text.replace(/:\d\d$/, '') : text;
}
