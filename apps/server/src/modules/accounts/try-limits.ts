import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../../app-error.ts';
import type { Counter, Counters } from '../../db/counters.ts';
import { addressKey } from '../../limits/rate-limit.ts';

/**
 * How secrets are kept from being guessed (ASVS 5.0 6.1.1, 6.3.1, 6.6.3): passwords at sign-in and of `is_old`, one-time
 * codes, control passwords. Tries are counted before the secret is looked at, so that many at once gain nothing, by
 * three keys:
 * - a user from one address: five tries in 15 minutes, then a delay that doubles from one minute to an hour;
 * - an address, for all users: 50 in 15 minutes;
 * - a user, from all addresses: 100 in 15 minutes, except from an address where they were right before, so that
 *   others can't lock them out.
 */
const WINDOW_S = 15 * 60;
const TRIES: Tries = { pair: 5, address: 50, name: 100 };
const FIRST_DELAY_S = 60;
const LONGEST_DELAY_S = 3600;
/** After a day without wrong tries, delays start short again. */
const MEMORY_S = 24 * 3600;
const KNOWN_PAIRS = 10_000;

export interface Tries {
  readonly pair: number;
  readonly address: number;
  readonly name: number;
}

/** One instance for each kind of secret, which `kind` tells from the others. `name` identifies the user: a user name as typed, or an ID. */
export interface TryLimits {
  /**
   * Counts a try; throws `too-many-tries` if there were too many. `isKnown`: the caller knows that this user was
   * right from this address before.
   */
  count(name: string, address: string, isKnown?: boolean): Promise<void>;
  /** The secret was right: forgets the name's tries from this address and does not count this one. */
  forgive(name: string, address: string): Promise<void>;
}

export function createTryLimits(counters: Counters, kind: string, tries: Partial<Tries> = {}): TryLimits {
  const points = { ...TRIES, ...tries };
  const pairs = new GrowingLimit(counters, `${kind} pair`, points.pair);
  const addresses = new GrowingLimit(counters, `${kind} address`, points.address);
  const names = new GrowingLimit(counters, `${kind} name`, points.name);
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
      // People of one office sign in from one address, so correct sign-ins don't count against it.
      await addresses.giveBack(where);
      if (!known.has(pair)) await names.giveBack(who);
      if (known.size >= KNOWN_PAIRS) known.clear();
      known.add(pair);
      await pairs.forget(pair);
    },
  };
}

/** For links, which name no user: tries are counted by address only, so nobody can block someone else's link. */
export interface AddressLimits {
  /** Counts a try; throws `too-many-tries` if there were too many. */
  count(address: string): Promise<void>;
  /** The link was right: does not count this try. */
  forgive(address: string): Promise<void>;
}

export function createAddressLimits(counters: Counters, kind: string, points: number): AddressLimits {
  const addresses = new GrowingLimit(counters, `${kind} address`, points);
  return {
    count: address => addresses.count(addressKey(address)),
    forgive: address => addresses.giveBack(addressKey(address)),
  };
}

/** Allows a number of tries in a window, then a delay that doubles each time the limit is reached again. */
class GrowingLimit {
  readonly #tries: Counter;
  readonly #earned: Counter;

  constructor(counters: Counters, name: string, points: number) {
    this.#tries = counters.counter(name, { points, duration: WINDOW_S });
    this.#earned = counters.counter(`${name} delays`, { points: Number.MAX_SAFE_INTEGER, duration: MEMORY_S });
  }

  async count(key: string): Promise<void> {
    const tries = await this.#tries.consume(key).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-tries', refusal.msBeforeNext) : refusal;
    });
    if (tries.remainingPoints > 0) return;
    // The last try of the window is still allowed; the ones after it must wait.
    const { consumedPoints: times } = await this.#earned.penalty(key, 1);
    await this.#tries.block(key, Math.min(LONGEST_DELAY_S, FIRST_DELAY_S * 2 ** (times - 1)));
  }

  /** Takes one try back. A delay that has started stays. */
  async giveBack(key: string): Promise<void> {
    const tries = await this.#tries.get(key);
    if (tries && tries.remainingPoints > 0) await this.#tries.reward(key, 1);
  }

  async forget(key: string): Promise<void> {
    await this.#tries.delete(key);
    await this.#earned.delete(key);
  }
}
