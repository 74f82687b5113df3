import { type Address, numeric } from '@milepost/contract';
import type { Logger } from 'pino';
import { z } from 'zod';

/** Finds addresses with a service of one's own: Nominatim or Photon, found out at the first search. */
export type AddressSearch = (query: string, language: string) => Promise<FoundAddresses>;

export interface FoundAddresses {
  readonly service: 'none' | 'answered' | 'unavailable';
  readonly addresses: readonly Address[];
}

const LIMIT = 6;
const PATIENCE_MS = 4000;
/** Six places are a few kilobytes. */
const ANSWER_MAX_BYTES = 512 * 1024;
const KEPT_ANSWERS = 1000;
const KEPT_MS = 3_600_000;
/** While a service is down, users needn't wait for it each time. */
const DOWN_MS = 15_000;

const NONE: FoundAddresses = { service: 'none', addresses: [] };
const UNAVAILABLE: FoundAddresses = { service: 'unavailable', addresses: [] };

const coordinate = numeric(z.number());
const placed = (lat: number, lon: number): boolean => Math.abs(lat) <= 90 && Math.abs(lon) <= 180;

/** https://nominatim.org/release-docs/latest/api/Output/, `jsonv2`. */
const nominatimSchema = z.array(
  z.object({ lat: coordinate, lon: coordinate, display_name: z.string().min(1).max(1000) }),
);

const text = z.string().max(300).optional();
/** https://github.com/komoot/photon, GeoJSON. */
const photonSchema = z.object({
  features: z.array(
    z.object({
      geometry: z.object({ coordinates: z.tuple([coordinate, coordinate]) }),
      properties: z.object({
        ...{ name: text, housenumber: text, street: text, district: text, city: text, county: text },
        ...{ state: text, country: text },
      }),
    }),
  ),
});

interface Service {
  readonly path: string;
  readonly parameters: (language: string) => Readonly<Record<string, string>>;
  /** Throws if this is not an answer of the service. */
  readonly read: (answer: unknown) => readonly Address[];
}

const NOMINATIM: Service = {
  path: 'search',
  parameters: language => ({ format: 'jsonv2', 'accept-language': language }),
  read: answer =>
    nominatimSchema.parse(answer).map(({ display_name, lat, lon }) => {
      // `1200, West Fulton Market, Chicago, …`: a house number is a part of its own.
      const parts = display_name.split(', ');
      const ofName = /^\d+\w?$/.test(parts[0] ?? '') && parts.length > 1 ? 2 : 1;
      return { name: parts.slice(0, ofName).join(' '), region: parts.slice(ofName).join(', '), lat, lon };
    }),
};

const PHOTON: Service = {
  path: 'api',
  // Photon answers 400 for a language that it was not set up with; these two it always has.
  parameters: language => ({ lang: language.startsWith('fr') ? 'fr' : 'en' }),
  read: answer =>
    photonSchema.parse(answer).features.flatMap(({ geometry, properties: at }) => {
      const [lon, lat] = geometry.coordinates;
      const street = [at.housenumber, at.street].filter(Boolean).join(' ');
      const named = [at.name, street, at.district, at.city, at.county, at.state, at.country].filter(one => !!one);
      const [name, ...around] = [...new Set(named)] as string[];
      return name === undefined ? [] : [{ name, region: around.join(', '), lat, lon }];
    }),
};

class ServiceError extends Error {}
const NO_ANSWER = 'GEOCODER_URL did not answer as Nominatim or Photon do';

/** `url`: where the service is, with or without the path of its search; null if there is none. */
export function openAddressSearch(
  url: string | null,
  { log, version }: { readonly log: Pick<Logger, 'warn'>; readonly version: string },
): AddressSearch {
  if (url === null) return async () => NONE;
  const known = servicesAt(url);
  let working: (typeof known)[number] | null = null;
  let downUntilMs = 0;
  const kept = new Map<string, { readonly untilMs: number; readonly found: Promise<FoundAddresses> }>();

  const ask = async ({ at, service }: (typeof known)[number], query: string, language: string) => {
    const asked = new URL(at);
    const parameters = { q: query, limit: String(LIMIT), ...service.parameters(language) };
    for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value);
    const response = await fetch(asked, {
      headers: { accept: 'application/json', 'user-agent': `Milepost/${version}` },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new ServiceError(`The service answered ${response.status}`);
    return service.read(JSON.parse(await readText(response))).filter(({ lat, lon }) => placed(lat, lon));
  };

  const search = async (query: string, language: string): Promise<FoundAddresses> => {
    if (Date.now() < downUntilMs) return UNAVAILABLE;
    let trouble: unknown;
    for (const one of working ? [working] : known) {
      try {
        const addresses = await ask(one, query, language);
        working = one;
        return { service: 'answered', addresses: addresses.slice(0, LIMIT) };
      } catch (error) {
        trouble = error;
      }
    }
    working = null;
    downUntilMs = Date.now() + DOWN_MS;
    // Without the query and the answer, which say where someone is going.
    log.warn(
      { reason: trouble instanceof ServiceError ? trouble.message : String((trouble as Error).name) },
      NO_ANSWER,
    );
    return UNAVAILABLE;
  };

  return async (query, language) => {
    const key = `${language} ${query.toLowerCase().replace(/\s+/g, ' ')}`;
    const before = kept.get(key);
    if (before && before.untilMs > Date.now()) return before.found;
    const found = search(query, language);
    // Clearing the whole cache costs less than tracking what was used last.
    if (kept.size >= KEPT_ANSWERS) kept.clear();
    kept.set(key, { untilMs: Date.now() + KEPT_MS, found });
    if ((await found).service === 'unavailable') kept.delete(key);
    return found;
  };
}

/** The searches that may be behind an address, which may name one of them. */
function servicesAt(url: string): readonly { readonly at: URL; readonly service: Service }[] {
  const base = new URL(url);
  base.search = '';
  const path = base.pathname.replace(/\/+$/, '');
  const named = [NOMINATIM, PHOTON].find(service => path.endsWith(`/${service.path}`));
  const root = named ? path.slice(0, -named.path.length - 1) : path;
  return (named ? [named] : [NOMINATIM, PHOTON]).map(service => {
    const at = new URL(base);
    at.pathname = `${root}/${service.path}`;
    return { at, service };
  });
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_MAX_BYTES) throw new ServiceError('The answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
