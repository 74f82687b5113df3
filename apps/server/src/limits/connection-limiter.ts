import { addressKey } from './rate-limit.ts';

/** Counts unidentified connections, in total and per address. */
export class ConnectionLimiter {
  readonly #limits: ConnectionLimits;
  readonly #byAddress = new Map<string, number>();
  #size = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Returns a function that releases the connection's slot (safe to call twice), or null if the limit is reached. */
  enter(from: string): (() => void) | null {
    const address = addressKey(from);
    const neighbours = this.#byAddress.get(address) ?? 0;
    if (this.#size >= this.#limits.unidentified || neighbours >= this.#limits.unidentifiedPerAddress) return null;
    this.#size++;
    this.#byAddress.set(address, neighbours + 1);
    let isHere = true;
    return () => {
      if (!isHere) return;
      isHere = false;
      this.#size--;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    };
  }
}

/** The most unidentified connections, in total and from one address. */
export interface ConnectionLimits {
  readonly unidentified: number;
  readonly unidentifiedPerAddress: number;
}
