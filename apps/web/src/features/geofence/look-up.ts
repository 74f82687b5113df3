import { ProblemError } from '@milepost/client';
import { ADDRESS_SEARCHES_A_MINUTE, type Address, type findAddresses, type Town } from '@milepost/contract';
import type { z } from 'zod';
import { findAddress } from './find-address.ts';
import { type Doubt, matchAddress } from './match-address.ts';

/** Where an address of a file is, and what it was taken for. */
export interface Located {
  readonly at: Pick<Address, 'name' | 'region' | 'lat' | 'lon'>;
  readonly isTown: boolean;
  readonly doubt: Doubt | null;
}

/** `none`: nothing is there by that name; `noService`: only towns can be found here; `away`: the service doesn't answer. */
export type Unlocated = 'none' | 'noService' | 'away';

export interface LookUpParts {
  readonly findTowns: (name: string) => Promise<readonly Town[]>;
  readonly findAddresses: (text: string) => Promise<z.output<typeof findAddresses.response>>;
  readonly rest: (ms: number) => Promise<void>;
}

/** One after the other, and a little less often than a user may search, so that typing still finds something. */
const PACE_MS = Math.ceil((60_000 / ADDRESS_SEARCHES_A_MINUTE) * 1.2);
/** A service that doesn't answer is left in peace for longer than the server does, so many times in all. */
const AWAY_MS = 16_000;
const AWAY_TRIES = 3;
const QUERY_MAX = 200;

/**
 * Looks up addresses, each only once: towns on the server, and everything else with its address service if it has one.
 */
export function createLookUp({ findAddresses: ask, findTowns, rest }: LookUpParts) {
  const known = new Map<string, Promise<Located | Unlocated>>();
  let hasService = true;
  let triesLeft = AWAY_TRIES;
  let isFirst = true;

  const asked = async (text: string) => {
    for (;;) {
      if (!isFirst) await rest(PACE_MS);
      isFirst = false;
      try {
        return await ask(text.slice(0, QUERY_MAX));
      } catch (failure) {
        if (!(failure instanceof ProblemError) || failure.code !== 'too-many-requests') throw failure;
        await rest(Number(failure.params.waitS ?? 1) * 1000);
      }
    }
  };

  const locate = async (text: string): Promise<Located | Unlocated> => {
    const town = await findAddress(text, findTowns);
    if (town) return { at: town, isTown: true, doubt: null };
    while (hasService) {
      if (triesLeft === 0) return 'away';
      const { addresses, service } = await asked(text);
      if (service === 'none') hasService = false;
      else if (service === 'answered') {
        const match = matchAddress(text, addresses);
        return match ? { at: match.address, isTown: false, doubt: match.doubt } : 'none';
      } else {
        triesLeft--;
        if (triesLeft > 0) await rest(AWAY_MS);
      }
    }
    return 'noService';
  };

  return (text: string): Promise<Located | Unlocated> => {
    const key = text.trim().toLowerCase().replace(/\s+/g, ' ');
    const before = known.get(key);
    if (before) return before;
    const located = locate(text.trim());
    known.set(key, located);
    return located;
  };
}
