import type { StatusReason } from '@milepost/geo';

/** How old what a rule waits for is by now: a reason says only how old it was when the status began. */
export function reasonAge({ rule, fixAt, heardAt }: StatusReason, nowMs: number): number {
  const heard = nowMs - (heardAt ?? nowMs);
  return rule === 'offline' ? heard : Math.max(heard, nowMs - (fixAt ?? nowMs));
}
