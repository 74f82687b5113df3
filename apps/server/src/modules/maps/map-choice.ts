import { type BaseMap, type MapChoice, type NewMapChoice, newMapChoiceSchema } from '@milepost/contract';
import type { Config } from '../../config/config.ts';
import type { Databases } from '../../db/database.ts';
import { originOf } from '../../http/map-hosts.ts';
import type { MapFiles } from './map-files.ts';

/** Free, without an account or a key: https://openfreemap.org. */
const OPENFREEMAP = {
  url: 'https://tiles.openfreemap.org/styles/positron',
  darkUrl: 'https://tiles.openfreemap.org/styles/dark',
  attribution: 'OpenFreeMap © OpenMapTiles, data from OpenStreetMap',
};

/** The stored choice, including its key; null if there is none. */
export type StoredChoice = NewMapChoice;

export const BUILT_IN: StoredChoice = { kind: 'built-in' };

/** The operator's choice; null if there is none, or if a later version wrote one that this version can't read. */
export async function readChoice(db: Databases): Promise<StoredChoice | null> {
  const row = await db.system.selectFrom('map_setting').select('choice').executeTakeFirst();
  return row ? (newMapChoiceSchema.safeParse(row.choice).data ?? null) : null;
}

/** MAP_STYLE_URL and MAP_TILE_URL as a choice; null if neither is set. */
export function environmentChoice({ styleUrl, tileUrl }: Config['map']): StoredChoice | null {
  if (styleUrl !== null) {
    const hosts = tileUrl === null ? [] : [tileUrl];
    return { kind: 'style', url: styleUrl, darkUrl: null, attribution: null, key: null, hosts };
  }
  return tileUrl === null ? null : { kind: 'tiles', url: tileUrl, attribution: null, key: null };
}

/** A new choice; if it has no key, the stored key is kept. */
export function withKeptKey(choice: NewMapChoice, before: StoredChoice | null): StoredChoice {
  if (!('attribution' in choice) || choice.key !== undefined) return choice;
  const kept = before && before.kind === choice.kind && 'key' in before ? before.key : null;
  return { ...choice, key: kept ?? null };
}

export function publicChoice(choice: StoredChoice): MapChoice {
  if (!('attribution' in choice)) return choice;
  const { key, ...told } = choice;
  return { ...told, hasKey: typeof key === 'string' };
}

/** The base map for pages. If its file is missing or invalid, the built-in map is used. */
export async function baseMapOf(choice: StoredChoice, files: MapFiles): Promise<BaseMap> {
  switch (choice.kind) {
    case 'built-in':
      return { kind: 'built-in' };
    case 'openfreemap':
      return { kind: 'style', ...OPENFREEMAP, hosts: originsOf(choice) };
    case 'file': {
      const file = await files.find(choice.name);
      if (!file?.bounds || file.fault !== null) return { kind: 'built-in' };
      const { name, version, bounds, attribution } = file;
      return { kind: 'file', name, version, bounds, attribution };
    }
    case 'style': {
      const darkUrl = choice.darkUrl === null ? null : keyed(choice.darkUrl, choice.key);
      return {
        kind: 'style',
        url: keyed(choice.url, choice.key),
        darkUrl,
        attribution: choice.attribution,
        hosts: originsOf(choice),
      };
    }
    case 'tiles':
      return {
        kind: 'tiles',
        url: keyed(choice.url, choice.key),
        attribution: choice.attribution,
        hosts: originsOf(choice),
      };
  }
}

const keyed = (url: string, key: string | null | undefined): string =>
  url.replaceAll('{key}', () => encodeURIComponent(key ?? ''));

/** The base map for visitors who are not signed in, without addresses that could contain a key. */
export const forVisitors = (map: BaseMap): BaseMap =>
  (map.kind === 'style' && ![map.url, map.darkUrl ?? ''].some(holdsMore)) ||
  (map.kind === 'tiles' && !holdsMore(map.url))
    ? map
    : { kind: 'built-in' };

/** Whether an address has a query, or a long part in its path that may be a key. */
const holdsMore = (url: string): boolean =>
  url.includes('?') || /\/[\w-]{16,}(\/|$)/.test(url.replace(/^https?:\/\//, ''));

/** The origins that pages load the map from. */
export const originsOf = (choice: StoredChoice): string[] => [
  ...new Set(addressesOf(choice).flatMap(each => originOf(each) ?? [])),
];

function addressesOf(choice: StoredChoice): readonly string[] {
  switch (choice.kind) {
    case 'openfreemap':
      return [OPENFREEMAP.url];
    case 'style':
      return [choice.url, ...(choice.darkUrl === null ? [] : [choice.darkUrl]), ...choice.hosts];
    case 'tiles':
      return [choice.url];
    default:
      return [];
  }
}
