import { addressKey } from '../../http/rate-limit.ts';
import type { Limits } from './limits.ts';

/** Who stands at the door without having said who they are: so many altogether, and so many of one address. */
export class Crowd {
  readonly #limits: CrowdLimits;
  readonly #byAddress = new Map<string, number>();
  #size = 0;

  constructor(limits: CrowdLimits) {
    this.#limits = limits;
  }

  /** Answers how to leave again, which may be done more than once; null when there is no room. */
  enter(from: string): (() => void) | null {
    const address = addressKey(from);
    const neighbours = this.#byAddress.get(address) ?? 0;
    if (this.#size >= this.#limits.unnamedConnections || neighbours >= this.#limits.unnamedOfOneAddress) return null;
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

export type CrowdLimits = Pick<Limits, 'unnamedConnections' | 'unnamedOfOneAddress'>;
