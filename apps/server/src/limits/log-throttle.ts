/** Lets through the first of each kind per period, up to a number of kinds: for log lines that anyone can trigger. */
export class LogThrottle {
  readonly #everyMs: number;
  readonly #kinds: number;
  readonly #passed = new Set<string>();
  #until = 0;

  constructor(everyMs: number, kinds: number) {
    this.#everyMs = everyMs;
    this.#kinds = kinds;
  }

  allows(kind: string, now = Date.now()): boolean {
    if (now >= this.#until) {
      this.#passed.clear();
      this.#until = now + this.#everyMs;
    }
    if (this.#passed.has(kind) || this.#passed.size >= this.#kinds) return false;
    this.#passed.add(kind);
    return true;
  }
}
