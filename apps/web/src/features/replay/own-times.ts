/**
 * The times that the page itself wrote into its address. On a slow computer an older one is rendered after the clock has
 * moved on; only a time from elsewhere may set the clock.
 */
export class OwnTimes {
  readonly #written = new Set<number>();
  #last: number | null;

  constructor(atMs: number | null) {
    this.#last = atMs;
  }

  /** Returns the time as the address has it, in whole seconds. */
  write(atMs: number): number {
    const written = Math.floor(atMs / 1000) * 1000;
    // The same again changes nothing, so it isn't rendered.
    if (written !== this.#last) this.#written.add(written);
    this.#last = written;
    return written;
  }

  /** Whether the page wrote this time; each is rendered once. */
  take(atMs: number): boolean {
    const isOwn = this.#written.has(atMs);
    if (!isOwn) this.#last = atMs;
    // Older ones were passed over.
    for (const written of isOwn ? this.#written : []) {
      this.#written.delete(written);
      if (written === atMs) break;
    }
    return isOwn;
  }
}
