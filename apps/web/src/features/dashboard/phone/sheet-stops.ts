export const SHEET_STOPS = ['peek', 'half', 'full'] as const;
export type SheetStop = (typeof SHEET_STOPS)[number];

const PEEK_PX = 96;
const HALF_SHARE = 0.48;
/** A full sheet leaves room for the search bar. */
const TOP_PX = 74;

/** Height of the sheet at a stop, for a page of this height. */
export function sheetHeight(stop: SheetStop, pageHeight: number): number {
  if (stop === 'peek') return PEEK_PX;
  if (stop === 'half') return Math.round(pageHeight * HALF_SHARE);
  return Math.max(PEEK_PX, pageHeight - TOP_PX);
}

/**
 * Where the sheet comes to rest after a drag: at the nearest stop, or at the next stop in the direction of a quick
 * flick (pixels per millisecond, upward positive).
 */
export function stopAfterDrag(height: number, speed: number, from: SheetStop, pageHeight: number): SheetStop {
  const FLICK = 0.5;
  const at = SHEET_STOPS.indexOf(from);
  if (Math.abs(speed) > FLICK) return SHEET_STOPS[at + Math.sign(speed)] ?? from;
  const distance = (stop: SheetStop): number => Math.abs(sheetHeight(stop, pageHeight) - height);
  return SHEET_STOPS.reduce((nearest, stop) => (distance(stop) < distance(nearest) ? stop : nearest));
}
