import type { StatusReason } from '@milepost/geo';

/**
 * How old the fix or report behind a status is now. The reason itself only says how old it was when the status began.
 */
export function reasonAge({ rule, fixAt, heardAt }: StatusReason, nowMs: number): number {
  const heard = nowMs - (heardAt ?? nowMs);
  return rule === 'offline' ? heard : Math.max(heard, nowMs - (fixAt ?? nowMs));
}
