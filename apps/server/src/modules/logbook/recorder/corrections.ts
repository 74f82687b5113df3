/** A vehicle's log is corrected for a thirtieth of the time at most: */
const REST = 30;
const LONGEST_REST_MS = 60_000;

/**
 * How long a vehicle's log waits for its next correction: so many times what the last one took. A tracker that sends what
 * it has buffered over minutes, newest first, would otherwise have everything since recorded again for each packet, each
 * time more. What comes in order is recorded at once meanwhile.
 */
export class Corrections {
  readonly #until = new Map<number, number>();

  rests(vehicleId: number, atMs: number): boolean {
    const untilMs = this.#until.get(vehicleId);
    if (untilMs === undefined) return false;
    if (atMs >= untilMs) this.#until.delete(vehicleId);
    return atMs < untilMs;
  }

  corrected(vehicleId: number, tookMs: number, atMs: number): void {
    this.#until.set(vehicleId, atMs + Math.min(tookMs * REST, LONGEST_REST_MS));
  }
}
