import type { FenceFix, FenceIndex, Onlooker, WatchedRule } from '@milepost/geo';

/** Whether each fix alone is inside or outside, as if the receiver were never wrong: what drift makes of a rule. */
export class PlainCrossings implements Onlooker {
  readonly #fences: FenceIndex;
  readonly #rule: WatchedRule;
  readonly #note: (at: number) => void;
  /** Since when it is inside; `told` for a stay that was too long. */
  readonly #inside = new Map<number, { readonly since: number; told: boolean }>();
  #isFirst = true;

  /** Notes the moment of each fix that would alert. */
  constructor(fences: FenceIndex, rule: WatchedRule, note: (at: number) => void) {
    this.#fences = fences;
    this.#rule = rule;
    this.#note = note;
  }

  take(fix: FenceFix): void {
    const { fences, trigger, when } = this.#rule;
    const now = new Set<number>();
    for (const { area, id } of this.#fences.near(fix)) {
      // Others are only there for its conditions.
      if ((fences === null || fences.has(id)) && area.signedDistance(fix) <= 0) now.add(id);
    }
    let alerts = false;
    for (const id of now) {
      const known = this.#inside.get(id);
      const visit = known ?? { since: fix.time, told: false };
      if (!known) this.#inside.set(id, visit);
      if (!known && (trigger.kind === 'enter' || trigger.kind === 'cross') && !this.#isFirst) alerts = true;
      if (trigger.kind !== 'stay' || visit.told || fix.time - visit.since < trigger.longer) continue;
      visit.told = true;
      alerts = true;
    }
    for (const id of this.#inside.keys()) {
      if (now.has(id)) continue;
      this.#inside.delete(id);
      if (trigger.kind === 'exit' || trigger.kind === 'cross') alerts = true;
    }
    this.#isFirst = false;
    if (alerts && (when === null || when.isWithin(fix.time))) this.#note(fix.time);
  }

  nextDue(): number | null {
    const { trigger } = this.#rule;
    if (trigger.kind !== 'stay') return null;
    let next: number | null = null;
    for (const { since, told } of this.#inside.values()) {
      if (!told) next = Math.min(next ?? Infinity, since + trigger.longer);
    }
    return next;
  }
}
