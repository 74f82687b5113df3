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
    if (last) {
      const agoS = Math.round((now - last.at) / 1000);
      throw new AppError('command-too-soon', { agoS }, { retryAfterS: Math.ceil((last.until - now) / 1000) });
    }
    const everyMs = commandKind(action).atMostEveryS * 1000;
    if (everyMs > 0) this.#asked.set(key, { at: now, until: now + everyMs });
    return () => this.#asked.delete(key);
  }
}
