import { FLEET_LOOKS, type Look, type LookKind } from '@milepost/contract';
import { isoDateOf } from '../format/date.ts';

/** Everyone who had the whole fleet before them that day, in one line for each kind. */
export interface FleetLine {
  readonly kind: LookKind;
  readonly names: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  /** Some of it came with an import. */
  readonly isImported: boolean;
}

export interface LookDay {
  /** In the reader's time zone: `2026-11-19`. */
  readonly day: string;
  /** At this driver, newest first. */
  readonly own: readonly Look[];
  readonly fleet: readonly FleetLine[];
}

const OF_FLEET: ReadonlySet<LookKind> = new Set(FLEET_LOOKS);

/** Looks by the day on which they began, newest first. */
export function lookDays(looks: readonly Look[]): LookDay[] {
  const byDay = Map.groupBy(looks, ({ beganAt }) => isoDateOf(Date.parse(beganAt)));
  return [...byDay].map(([day, of]) => ({
    day,
    own: of.filter(({ kind }) => !OF_FLEET.has(kind)),
    fleet: FLEET_LOOKS.flatMap(kind => {
      const some = of.filter(look => look.kind === kind);
      if (some.length === 0) return [];
      const names = [...new Set(some.flatMap(({ user }) => user?.name ?? []))].toSorted((a, b) => a.localeCompare(b));
      return [
        {
          ...{ kind, names },
          fromMs: Math.min(...some.map(({ beganAt }) => Date.parse(beganAt))),
          isImported: some.some(({ importedAt }) => importedAt !== undefined),
          toMs: Math.max(...some.map(({ untilAt }) => Date.parse(untilAt))),
        },
      ];
    }),
  }));
}
