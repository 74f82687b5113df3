import type { EpochMs } from '@milepost/units';
import { isStanding } from '../fences/candidate.ts';
import { isBeyond } from './measured.ts';
import type { Past } from './past.ts';
import type { RuleFix, RuleTrigger, WatchedRule } from './rule.ts';
import type { Schedule } from './schedule.ts';

/** What some of the rules wait for, whatever the duration, and when these count: at any time, or at one of these. */
interface Awaited {
  readonly trigger: RuleTrigger;
  readonly whens: readonly Schedule[] | null;
}

/** Which fixes of the past rules must look at because of what they say, wherever they are. */
export class PastMarks {
  readonly #awaited: readonly Awaited[];
  /** What the ignition was last, by trigger. */
  readonly #ignition = new Map<RuleTrigger, boolean>();

  constructor(rules: readonly WatchedRule[]) {
    this.#awaited = [
      ...Map.groupBy(rules, ({ trigger }) => JSON.stringify({ ...trigger, longer: 0 }, listed)).values(),
    ].map(same => {
      const whens = [...new Set(same.map(({ when }) => when))];
      return { trigger: (same[0] as WatchedRule).trigger, whens: whens.every(when => when !== null) ? whens : null };
    });
  }

  /** Fixes of which what they say matters, wherever they are; null if none can. */
  of(past: Past): Uint8Array | null {
    let marks: Uint8Array | null = null;
    for (const { trigger, whens } of this.#awaited) {
      const matters = this.#mattersTo(trigger, past);
      if (matters === null) continue;
      // What begins at another time is none of the rule's business; the ignition may have been turned before.
      const limits = trigger.kind === 'ignition' ? null : whens;
      const time = limits && past.column('time');
      for (let i = 0; i < past.count; i++) {
        if (!matters(i)) continue;
        if (time !== null && !limits?.some(when => when.isWithin(time[i] as EpochMs))) continue;
        marks ??= new Uint8Array(past.count);
        marks[i] = 1;
      }
    }
    return marks;
  }

  #mattersTo(trigger: RuleTrigger, past: Past): ((i: number) => boolean) | null {
    switch (trigger.kind) {
      case 'speed': {
        const speed = past.column('speed');
        return i => (speed[i] ?? -1) >= trigger.over;
      }
      case 'limit': {
        const speed = past.column('speed');
        const least = Math.min(...trigger.over.values());
        return i => (speed[i] ?? -1) >= least;
      }
      case 'idle': {
        const [speed, ignition] = [past.column('speed'), past.column('ignition')];
        return i => ignition[i] === true && isStanding(speed[i] ?? null, true);
      }
      case 'drive':
      case 'unidentified':
      case 'tow': {
        const [speed, ignition] = [past.column('speed'), past.column('ignition')];
        const isTow = trigger.kind === 'tow';
        return i => !isStanding(speed[i] ?? null, ignition[i] ?? null) && (!isTow || ignition[i] === false);
      }
      case 'ignition': {
        const ignition = past.column('ignition');
        return i => {
          const now = ignition[i] ?? null;
          const isTurned = now !== null && now !== this.#ignition.get(trigger);
          if (now !== null) this.#ignition.set(trigger, now);
          return isTurned;
        };
      }
      case 'temperature':
      case 'voltage':
      case 'battery': {
        const what = trigger.kind === 'voltage' ? 'supply' : trigger.kind;
        const column = past.column(what);
        return i =>
          column[i] !== null && isBeyond(trigger, { [what]: column[i] } as unknown as RuleFix, false) === true;
      }
      default:
        return null;
    }
  }
}

const listed = (_name: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;
