import { ADDRESS_SEARCHES_A_MINUTE, findAddresses, findTowns } from '@milepost/contract';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { openAddressSearch } from './address-search.ts';
import type { Places } from './places.ts';

/** How many towns a search returns. */
const TOWNS = 6;

/** Searches for places: towns of the server's own data, and addresses of the service it was given. */
export function registerPlaces(
  http: Http,
  { config, counters, log }: Pick<Context, 'config' | 'counters' | 'log'>,
  places: Places,
): void {
  const searchAddresses = openAddressSearch(config.geocoderUrl, { log, version: config.version });
  const searches = counters.counter('address search', { points: ADDRESS_SEARCHES_A_MINUTE, duration: 60 });

  http.handle(findTowns, async ({ query }) =>
    (await places.findTowns(query.q, TOWNS)).map(({ name, region, lat, lon }) => ({ name, region, lat, lon })),
  );
  http.handle(findAddresses, async ({ query, session }) => {
    await searches.consume(session.userId).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-requests', refusal.msBeforeNext) : refusal;
    });
    const { addresses, service } = await searchAddresses(query.q, query.language);
    return { service, addresses: [...addresses] };
  });
}
