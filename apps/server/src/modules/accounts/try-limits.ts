import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../../http/app-error.ts';
import { addressKey } from '../../http/rate-limit.ts';

/**
 * How secrets are kept from being guessed (ASVS 5.0 6.1.1, 6.3.1, 6.6.3): passwords at sign-in and of `is_old`, one-time
 * codes, control passwords. Tries are counted before the secret is looked at, so that many at once gain nothing, by
 * three keys:
 * - a user from one address: five tries in 15 minutes, then a delay that doubles from one minute to an hour;
 * - an address, for all users: 50 in 15 minutes;
 * - a user, from all addresses: 100 in 15 minutes, except from an address where they were right before, so that
 *   a stranger can't lock them out.
 */
const WINDOW_S = 15 * 60;
const TRIES: Tries = { pair: 5, address: 50, name: 100 };
const FIRST_DELAY_S = 60;
const LONGEST_DELAY_S = 3600;
/** A quiet day ends the growing. */
const MEMORY_S = 24 * 3600;
const KNOWN_PAIRS = 10_000;

export interface Tries {
  readonly pair: number;
  readonly address: number;
  readonly name: number;
}

/** One instance for each kind of secret. `name` is the user: a user name as typed, or an id. */
export interface TryLimits {
  /**
   * Counts a try; throws `too-many-tries` when there were too many. `isKnown`: they were right from this address before,
   * as is known elsewhere.
   */
  count(name: string, address: string, isKnown?: boolean): Promise<void>;
  /** The secret was right: the name's tries from this address are forgotten, and this one was none. */
  forgive(name: string, address: string): Promise<void>;
}

export function createTryLimits(tries: Partial<Tries> = {}): TryLimits {
  const points = { ...TRIES, ...tries };
  const pairs = new GrowingLimit(points.pair);
  const addresses = new GrowingLimit(points.address);
  const names = new GrowingLimit(points.name);
  const known = new Set<string>();

  const keys = (name: string, address: string) => {
    const who = name.toLowerCase();
    const where = addressKey(address);
    return { who, where, pair: `${where} ${who}` };
  };

  return {
    count: async (name, address, isKnown = false) => {
      const { who, where, pair } = keys(name, address);
      await addresses.count(where);
      await pairs.count(pair);
      if (!isKnown && !known.has(pair)) await names.count(who);
    },
    forgive: async (name, address) => {
      const { who, where, pair } = keys(name, address);
      // People of one office, who come from one address in the morning, are no guessers.
      await addresses.giveBack(where);
      if (!known.has(pair)) await names.giveBack(who);
      if (known.size >= KNOWN_PAIRS) known.clear();
      known.add(pair);
      await pairs.forget(pair);
    },
  };
}

/** For a link: it names nobody, so only where it comes from is counted, and no stranger keeps others from theirs. */
export interface AddressLimits {
  /** Counts a try; throws `too-many-tries` when there were too many. */
  count(address: string): Promise<void>;
  /** The link was right: this try was none. */
  forgive(address: string): Promise<void>;
}

export function createAddressLimits(points: number): AddressLimits {
  const addresses = new GrowingLimit(points);
  return {
    count: address => addresses.count(addressKey(address)),
    forgive: address => addresses.giveBack(addressKey(address)),
  };
}

/** A number of tries in a window, then a delay that doubles each time it is earned again. */
class GrowingLimit {
  readonly #tries: RateLimiterMemory;
  readonly #earned: RateLimiterMemory;

  constructor(points: number) {
    this.#tries = new RateLimiterMemory({ points, duration: WINDOW_S });
    this.#earned = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: MEMORY_S });
  }

  async count(key: string): Promise<void> {
    const tries = await this.#tries.consume(key).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-tries', refusal.msBeforeNext) : refusal;
    });
    if (tries.remainingPoints > 0) return;
    // The last try of the window is still looked at; what comes after it waits.
    const { consumedPoints: times } = await this.#earned.penalty(key, 1);
    await this.#tries.block(key, Math.min(LONGEST_DELAY_S, FIRST_DELAY_S * 2 ** (times - 1)));
  }

  /** One try was none. A delay that was earned stays. */
  async giveBack(key: string): Promise<void> {
    const tries = await this.#tries.get(key);
    if (tries && tries.remainingPoints > 0) await this.#tries.reward(key, 1);
  }

  async forget(key: string): Promise<void> {
    await this.#tries.delete(key);
    await this.#earned.delete(key);
  }
}
