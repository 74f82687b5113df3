import type { ActedOn, Tested } from '../../rules/use-rules.ts';

/** A suggestion leaves at most this share of the alerts. */
const WORTH_IT = 0.7;
/** Without anything that was acted on, only a rule that alerts this often a day makes noise. */
const NOISY_A_DAY = 1;
const DAY_MS = 86_400_000;

export interface Suggestion {
  readonly duration: number;
  /** How many alerts there would be, and how many of those that someone acknowledged are among them: all. */
  readonly count: number;
  readonly kept: number;
}

/**
 * The longer duration that would have silenced most, and kept every alert that someone acknowledged; if nobody
 * acknowledged any of a noisy rule, the shortest one that silences half of them. Null if none is worth it.
 */
export function suggestionOf(tested: Tested, now: number, actedOn: readonly ActedOn[]): Suggestion | null {
  const of = (setting: number) => tested.alerts.filter(alert => alert.setting === setting);
  const present = of(0);
  const isAmong = ({ deviceId, openedAt }: ActedOn, alerts: Tested['alerts']): boolean =>
    alerts.some(
      alert =>
        alert.deviceId === deviceId &&
        Date.parse(alert.beganAt) <= Date.parse(openedAt) &&
        (alert.endedAt === null || Date.parse(openedAt) <= Date.parse(alert.endedAt)),
    );
  // What the rule as it is now wouldn't alert can't be lost.
  const acted = actedOn.filter(one => isAmong(one, present));
  const quieter = tested.variants
    .map((duration, nth) => ({ duration, alerts: of(nth + 1) }))
    .filter(({ alerts, duration }) => duration > now && alerts.length <= present.length * WORTH_IT)
    .filter(({ alerts }) => alerts.length > 0 && acted.every(one => isAmong(one, alerts)))
    .map(({ alerts, duration }) => ({ duration, count: alerts.length, kept: acted.length }))
    .toSorted((a, b) => a.duration - b.duration);
  if (acted.length > 0) return quieter.toSorted((a, b) => a.count - b.count)[0] ?? null;
  const days = (Date.parse(tested.to) - Date.parse(tested.from)) / DAY_MS;
  if (present.length < days * NOISY_A_DAY) return null;
  return quieter.find(({ count }) => count <= present.length / 2) ?? null;
}
