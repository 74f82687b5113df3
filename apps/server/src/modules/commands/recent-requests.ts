import { type CommandAction, commandKind } from '@milepost/contract';
import { AppError } from '../../app-error.ts';

/** Recent read commands by vehicle: a tracker is not asked the same again before it can have answered. */
export class RecentRequests {
  readonly #asked = new Map<string, { readonly at: number; readonly until: number }>();

  /** Throws `command-too-soon`; otherwise returns a function that takes the claim back. */
  claim(vehicleId: number, action: CommandAction, now: number): () => void {
    for (const [other, { until }] of this.#asked) if (until <= now) this.#asked.delete(other);
    const key = `${vehicleId} ${action}`;
    const last = this.#asked.get(key);
    if (last) refuseSoonAfter(last.at, action, now);
    const everyMs = commandKind(action).atMostEveryS * 1000;
    if (everyMs > 0) this.#asked.set(key, { at: now, until: now + everyMs });
    return () => this.#asked.delete(key);
  }
}

/** Throws `command-too-soon`, unless it was long ago that the vehicle was asked for the same. */
export function refuseSoonAfter(lastAt: number, action: CommandAction, now: number): void {
  const until = lastAt + commandKind(action).atMostEveryS * 1000;
  if (until <= now) return;
  const agoS = Math.round((now - lastAt) / 1000);
  throw new AppError('command-too-soon', { agoS }, { retryAfterS: Math.ceil((until - now) / 1000) });
}
