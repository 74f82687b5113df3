import type { RuleWhen } from '@milepost/contract';

const DAY_MINUTES = 1440;

/** Minutes after midnight, from the first up to the second. */
export type Span = readonly [from: number, to: number];

/** `08:30` as minutes after midnight. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The spans of each day of the week at which a rule's weekly times count, Monday first; of a week without holidays. */
export function weekOf(when: RuleWhen | null): readonly (readonly Span[])[] {
  if (when === null) return Array.from({ length: 7 }, () => [[0, DAY_MINUTES]] as const);
  const [from, to] = [minuteOf(when.from), minuteOf(when.to)];
  const begins = (day: number): boolean => when.days.includes((((day % 7) + 7) % 7) + 1);
  return Array.from({ length: 7 }, (_, day) => {
    const spans: Span[] =
      from < to
        ? begins(day)
          ? [[from, to]]
          : []
        : [...(begins(day - 1) ? [[0, to] as const] : []), ...(begins(day) ? [[from, DAY_MINUTES] as const] : [])];
    return when.is === 'outside' ? gapsOf(spans) : joined(spans);
  });
}

/** Spans in their order, those that touch as one, and none that is empty. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of spans) {
    if (from >= to) continue;
    const last = all.at(-1);
    if (last && last[1] >= from) last[1] = to;
    else all.push([from, to]);
  }
  return all;
}

function gapsOf(spans: readonly Span[]): readonly Span[] {
  const taken = joined(spans);
  const ends = [0, ...taken.map(([, to]) => to)];
  return joined(ends.map((from, nth) => [from, taken[nth]?.[0] ?? DAY_MINUTES]));
}
