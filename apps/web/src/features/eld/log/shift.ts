import type { LogDay } from '@milepost/contract';
import { isWorking } from '../../../logbook/clocks.ts';
import type { Span } from '../../../logbook/log-shape.ts';

/**
 * When a driver worked on a day, first to last; null if not at all. An end is null where the work began before the day,
 * or went on after what is known of it.
 */
export function shiftOf(
  { from, through }: Pick<LogDay, 'from' | 'through'>,
  spans: readonly Span[],
): { readonly fromMs: number | null; readonly toMs: number | null } | null {
  const working = spans.filter(({ status }) => isWorking(status));
  const [first, last] = [working[0], working.at(-1)];
  if (!first || !last) return null;
  return {
    fromMs: first.fromMs > Date.parse(from) ? first.fromMs : null,
    toMs: last.toMs < Date.parse(through) ? last.toMs : null,
  };
}
