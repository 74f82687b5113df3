/** A vehicle whose turn it is, and how many of its fixes are read at most. */
export interface Turn {
  readonly id: number;
  readonly limit: number;
}

export const alike = (ids: readonly number[], limit: number): Turn[] => ids.map(id => ({ id, limit }));

/**
 * Whose turn it is among vehicles that have sent more than can be followed at once. Accounts get equal shares, however
 * many of their vehicles are behind, and so do the vehicles of an account. Those that had to wait go first next time.
 */
export class FairTurns {
  readonly #accountOf: (vehicleId: number) => number | null;
  /** When each vehicle and each account had its last turn. */
  #vehicles = new Map<number, number>();
  #accounts = new Map<number, number>();
  #turn = 0;

  constructor(accountOf: (vehicleId: number) => number | null) {
    this.#accountOf = accountOf;
  }

  /** Up to so many of these vehicles, and how the fixes that are read at once are divided among them. */
  next(ids: readonly number[], vehiclesAtOnce: number, fixesAtOnce: number): Turn[] {
    this.#turn++;
    this.#forgetOthers(ids);
    const lastOf = (known: ReadonlyMap<number, number>) => (a: number, b: number) =>
      (known.get(a) ?? 0) - (known.get(b) ?? 0);
    const waiting = Map.groupBy(ids, id => this.#accountOf(id) ?? 0);
    const accounts = [...waiting.keys()].toSorted(lastOf(this.#accounts)).slice(0, vehiclesAtOnce);
    const queues = accounts.map(account => (waiting.get(account) ?? []).toSorted(lastOf(this.#vehicles)));
    const taken = accounts.map((): number[] => []);
    let left = vehiclesAtOnce;
    for (let round = 0; left > 0 && queues.some(queue => queue.length > round); round++) {
      for (const [nth, queue] of queues.entries()) {
        const id = queue[round];
        if (id === undefined || left === 0) continue;
        taken[nth]?.push(id);
        left--;
      }
    }
    for (const account of accounts) this.#accounts.set(account, this.#turn);
    const share = fixesAtOnce / Math.max(1, accounts.length);
    return taken.flatMap(some =>
      some.map(id => {
        this.#vehicles.set(id, this.#turn);
        return { id, limit: Math.ceil(share / some.length) };
      }),
    );
  }

  #forgetOthers(ids: readonly number[]): void {
    const vehicles = new Set(ids);
    const accounts = new Set(ids.map(id => this.#accountOf(id) ?? 0));
    for (const id of this.#vehicles.keys()) if (!vehicles.has(id)) this.#vehicles.delete(id);
    for (const id of this.#accounts.keys()) if (!accounts.has(id)) this.#accounts.delete(id);
  }
}
