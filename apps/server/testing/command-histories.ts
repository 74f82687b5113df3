import type { CommandMode } from '@milepost/contract';
import fc from 'fast-check';

/** Random histories of a vehicle and the two users who command it, for the tests of commands. */

export type Action = 'engineStop' | 'engineResume';
const kind = <K extends string>(name: K) => fc.constant(name);
const action = fc.constantFrom<Action>('engineStop', 'engineStop', 'engineResume');
const mode = fc.constantFrom<CommandMode | undefined>('immediate', 'nextStop', undefined);
const speed = fc.constantFrom(0, 0, 0, 2, 15);
const gapS = fc.constantFrom(1, 10, 10, 30, 70);
const old = fc.constantFrom(false, false, false, true);
const seconds = fc.constantFrom(5, 95, 95, 610);
const which = fc.nat({ max: 3 });
const right = fc.constantFrom(true, true, true, false);
const who = fc.nat({ max: 1 });
/** The grant that a user confirms with: their own for this command, or another one. */
const pass = fc.constantFrom('own', 'own', 'own', 'of another session', 'for asking', 'of the other one', 'used');
const SELDOM = ['restart', 'demote', 'promote', 'promote', 'cancel'] as const;

const op = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kind('report'), gapS, speed, ignition: fc.boolean(), old }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('order'), action, mode, who }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('together'), who }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('agree'), who, pass }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('decline'), who }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('answer'), refused: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('connect', 'connect', 'disconnect') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom(...SELDOM), who }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('wait'), seconds }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('confirm'), action, mode, right, who }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('ask'), action, mode, which, who }) },
);
export type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;
/** Events in order. `rush`: the next one starts before this one is done. */
export const history = fc.array(fc.tuple(op, fc.boolean()), { minLength: 15, maxLength: 40 });

/** The vehicle's last report, kept independently of the code under test. */
export class Witness {
  now = Date.parse('2026-03-02T08:00:00Z');
  fix: { at: number; speed: number; ignition: boolean; zeroSince: number | null } | null = null;
  /** Reports received and not yet committed. */
  underWay = 0;

  said(at: number, speed: number, ignition: boolean): void {
    if (this.fix && at <= this.fix.at) return;
    this.fix = { at, speed, ignition, zeroSince: speed === 0 ? (this.fix?.zeroSince ?? at) : null };
  }

  /**
   * Whether the last report shows the vehicle standing: 0 km/h with the ignition off or for a minute, and at most
   * five minutes old.
   */
  stands(): boolean {
    if (this.fix?.speed !== 0 || this.underWay > 0) return false;
    const parkedMs = this.fix.zeroSince === null ? 0 : this.fix.at - this.fix.zeroSince;
    return (!this.fix.ignition || parkedMs >= 60_000) && this.now - this.fix.at <= 300_000;
  }
}
