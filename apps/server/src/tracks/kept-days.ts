const FIRST_MS = 5 * 60_000;
const LONGEST_MS = 24 * 3_600_000;
/** Days remembered; beyond that the oldest is tried again early. */
const REMEMBERED = 10_000;

/**
 * Days that could not be packed are tried again after longer and longer pauses, up to a day: nothing about them has
 * changed most likely. In memory only, so a restarted server tries each once more.
 */
export class KeptDays {
  readonly #pauses = new Map<string, { readonly untilMs: number; readonly pauseMs: number }>();

  isDue(vehicleId: number, day: string, nowMs: number): boolean {
    return nowMs >= (this.#pauses.get(`${vehicleId} ${day}`)?.untilMs ?? Number.NEGATIVE_INFINITY);
  }

  kept(vehicleId: number, day: string, nowMs: number): void {
    const key = `${vehicleId} ${day}`;
    const before = this.#pauses.get(key);
    const pauseMs = before ? Math.min(before.pauseMs * 2, LONGEST_MS) : FIRST_MS;
    this.#pauses.delete(key);
    this.#pauses.set(key, { untilMs: nowMs + pauseMs, pauseMs });
    const [oldest] = this.#pauses.keys();
    if (this.#pauses.size > REMEMBERED && oldest !== undefined) this.#pauses.delete(oldest);
  }

  sealed(vehicleId: number, day: string): void {
    this.#pauses.delete(`${vehicleId} ${day}`);
  }
}
