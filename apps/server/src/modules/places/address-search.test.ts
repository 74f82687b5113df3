import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openAddressSearch } from './address-search.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise(done => server.close(done));
});

const warned: object[] = [];
const parts = { log: { warn: (of: object) => warned.push(of) } as never, version: '1.0' };

/** A service on this machine, and what it was asked. */
async function serve(answer: (url: URL, response: ServerResponse) => void): Promise<{ url: string; asked: URL[] }> {
  const asked: URL[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push(url);
    answer(url, response);
  });
  servers.push(server);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
const json = (response: ServerResponse, body: unknown): void => void response.end(JSON.stringify(body));
const missing = (response: ServerResponse): void => void response.writeHead(404).end();

const nominatim = [
  { lat: '41.88653', lon: '-87.6573', display_name: '1200, West Fulton Market, Chicago, Illinois, United States' },
  { lat: '41.9', lon: '-87.7', display_name: 'Fulton Market, Chicago' },
  { lat: '97', lon: '0', display_name: 'Nowhere' },
];
const photon = {
  type: 'FeatureCollection',
  features: [
    {
      geometry: { type: 'Point', coordinates: [-87.6573, 41.88653] },
      properties: { housenumber: '1200', street: 'West Fulton Market', city: 'Chicago', state: 'Illinois' },
    },
    {
      geometry: { type: 'Point', coordinates: [-87.7, 41.9] },
      properties: { name: 'Fulton Market', city: 'Chicago', county: 'Chicago' },
    },
  ],
};

describe('addresses', () => {
  it('are found with Nominatim, once for the same words, and only where a place can be', async () => {
    const { asked, url } = await serve((at, response) =>
      at.pathname === '/search' ? json(response, nominatim) : missing(response),
    );
    const search = openAddressSearch(url, parts);
    const found = await search('1200 W Fulton', 'fr');
    expect(found).toEqual({
      service: 'answered',
      addresses: [
        { name: '1200 West Fulton Market', region: 'Chicago, Illinois, United States', lat: 41.88653, lon: -87.6573 },
        { name: 'Fulton Market', region: 'Chicago', lat: 41.9, lon: -87.7 },
      ],
    });
    expect(await search(' 1200  w FULTON'.trim(), 'fr')).toEqual(found);
    expect(asked.map(({ search: query }) => query)).toEqual([
      '?q=1200+W+Fulton&limit=6&format=jsonv2&accept-language=fr',
    ]);
  });

  it.each(['', '/', '/geo', '/geo/api'])('are found with Photon at %j', async path => {
    const root = path.replace(/\/(api)?$/, '');
    const { asked, url } = await serve((at, response) =>
      at.pathname === `${root}/api` ? json(response, photon) : missing(response),
    );
    const search = openAddressSearch(`${url}${path}`, parts);
    for (const query of ['fulton', 'market']) {
      expect(await search(query, 'es')).toEqual({
        service: 'answered',
        addresses: [
          { name: '1200 West Fulton Market', region: 'Chicago, Illinois', lat: 41.88653, lon: -87.6573 },
          { name: 'Fulton Market', region: 'Chicago', lat: 41.9, lon: -87.7 },
        ],
      });
    }
    // Which of the two it is, is asked once.
    expect(asked.filter(({ pathname }) => pathname.endsWith('/search')).length).toBeLessThanOrEqual(1);
    expect(asked.at(-1)?.searchParams.get('lang')).toBe('en');
  });

  it('that could not be asked for are not "none": an error, too much, another site, or no answer', async () => {
    const troubles: ((response: ServerResponse) => void)[] = [
      response => void response.writeHead(500).end(),
      response => void response.end('<html>'),
      response => json(response, { error: 'quota' }),
      response => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      response => void response.end(`["${'x'.repeat(600 * 1024)}"]`),
    ];
    for (const trouble of troubles) {
      const { asked, url } = await serve((_, response) => trouble(response));
      const search = openAddressSearch(url, parts);
      expect(await search('fulton', 'en-US')).toEqual({ service: 'unavailable', addresses: [] });
      const tries = asked.length;
      // It is left in peace for a moment.
      expect(await search('market', 'en-US')).toEqual({ service: 'unavailable', addresses: [] });
      expect(asked.length).toBe(tries);
    }
    expect(JSON.stringify(warned)).not.toMatch(/fulton|quota|html/);
  });

  it('are looked for nowhere without a service', async () => {
    expect(await openAddressSearch(null, parts)('fulton', 'en-US')).toEqual({ service: 'none', addresses: [] });
  });

  it('never throws, whatever a service answers', { timeout: 60_000 }, async () => {
    let body: unknown = null;
    const { url } = await serve((_, response) => json(response, body));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json().map(text => JSON.parse(text) as unknown),
          fc.constant(nominatim),
        ),
        async any => {
          body = any;
          const { addresses, service } = await openAddressSearch(url, parts)('fulton', 'en-US');
          expect(service === 'answered' || addresses.length === 0).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
