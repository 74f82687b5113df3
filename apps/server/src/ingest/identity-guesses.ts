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

  missed(address: string | null, identity: string, now: number): void {
    if (address === null) return;
    const key = addressKey(address);
    const known = this.#guessers.get(key);
    const guesser = known && known.until > now ? known : { until: now + WINDOW_MS, identities: new Set<string>() };
    if (guesser.identities.size < GUESSES) guesser.identities.add(identity);
    this.#guessers.delete(key);
    this.#guessers.set(key, guesser);
    const [oldest] = this.#guessers.keys();
    if (this.#guessers.size > MAX_ADDRESSES && oldest !== undefined) this.#guessers.delete(oldest);
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
