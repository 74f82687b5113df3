import { addressKey } from '../limits/rate-limit.ts';

/** How many unknown identities an address can send in ten minutes; a depot may have a few new trackers. */
const GUESSES = 60;
const WINDOW_MS = 600_000;
const MAX_ADDRESSES = 10_000;

interface Guesser {
  readonly until: number;
  readonly identities: Set<string>;
}

/**
 * After a few guesses, a sender learns nothing more: every further identity is answered like one that nobody has. A
 * vehicle whose tracker was let in from that address before is not taken for a guess.
 */
export class IdentityGuesses {
  readonly #guessers = new Map<string, Guesser>();
  readonly #cameFrom = new Map<number, string>();
  readonly #told: (key: string, identity: string) => void;

  /** `told`: of each guess that counts here first, for the other nodes. */
  constructor(told: (key: string, identity: string) => void = () => {}) {
    this.#told = told;
  }

  missed(address: string | null, identity: string, now: number): void {
    if (address === null) return;
    const key = addressKey(address);
    if (this.count(key, identity, now)) this.#told(key, identity);
  }

  /** By an address's key. True if it was not counted yet. */
  count(key: string, identity: string, now: number): boolean {
    const known = this.#guessers.get(key);
    const guesser = known && known.until > now ? known : { until: now + WINDOW_MS, identities: new Set<string>() };
    const isNew = guesser.identities.size < GUESSES && !guesser.identities.has(identity);
    if (isNew) guesser.identities.add(identity);
    this.#guessers.delete(key);
    this.#guessers.set(key, guesser);
    const [oldest] = this.#guessers.keys();
    if (this.#guessers.size > MAX_ADDRESSES && oldest !== undefined) this.#guessers.delete(oldest);
    return isNew;
  }

  /** Whether the named vehicle is accepted. */
  allows(address: string | null, vehicleId: number, now: number): boolean {
    if (address === null) return true;
    const guesser = this.#guessers.size === 0 ? undefined : this.#guessers.get(addressKey(address));
    const isGuesser = guesser !== undefined && guesser.until > now && guesser.identities.size >= GUESSES;
    if (isGuesser) return this.#cameFrom.get(vehicleId) === address;
    this.#cameFrom.set(vehicleId, address);
    return true;
  }
}
