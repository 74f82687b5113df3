/** This machine's own clock, whatever `Date` follows. */
const MachineDate = Date;
const machineNow = (): number => MachineDate.now();

interface Asked {
  query(text: string): Promise<{ readonly rows: readonly { readonly at: Date }[] }>;
}

/**
 * The time of the database, for several servers that share it: what they note and compare must be in one order, and a
 * machine's clock may jump. Between two questions it goes by the monotonic clock, which doesn't.
 */
export class DatabaseClock {
  readonly #machineNow: () => number;
  /** What to add to the monotonic clock; null: not asked yet. */
  #offsetMs: number | null = null;

  constructor(now: () => number = machineNow) {
    this.#machineNow = now;
  }

  now(): number {
    return this.#offsetMs === null ? this.#machineNow() : Math.floor(performance.now() + this.#offsetMs);
  }

  /** By how much this machine's clock is ahead of the database's. */
  get aheadMs(): number {
    return this.#machineNow() - this.now();
  }

  async ask(database: Asked): Promise<void> {
    const before = performance.now();
    const { rows } = await database.query('select clock_timestamp() as at');
    const after = performance.now();
    const at = rows[0]?.at.getTime();
    if (at !== undefined) this.hear(at, before, after);
  }

  /**
   * The database's time was `atMs` at some moment between these two of the monotonic clock. What is known already stays
   * as it is if that may be right: an answer that took long says little.
   */
  hear(atMs: number, beforeMs: number, afterMs: number): void {
    const [least, most] = [atMs - afterMs, atMs - beforeMs];
    const known = this.#offsetMs ?? (least + most) / 2;
    this.#offsetMs = Math.min(Math.max(known, least), most);
  }
}

/**
 * From now on `Date.now()` and `new Date()` say what this clock says, in all of this process: every time that the server
 * and its packages note, compare or wait for, and none can be forgotten. Returns what undoes it.
 */
export function goBy({ now }: { readonly now: () => number }): () => void {
  function ClockDate(this: unknown, ...given: readonly unknown[]): Date | string {
    if (!new.target) return new MachineDate(now()).toString();
    return Reflect.construct(MachineDate, given.length === 0 ? [now()] : given, new.target) as Date;
  }
  ClockDate.prototype = MachineDate.prototype;
  const { parse, UTC } = MachineDate;
  globalThis.Date = Object.assign(ClockDate, { now, parse, UTC }) as unknown as DateConstructor;
  return () => {
    globalThis.Date = MachineDate;
  };
}
