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

/** What is stored: with its key, null where there is none. */
export type StoredChoice = NewMapChoice;

export const BUILT_IN: StoredChoice = { kind: 'built-in' };

/** What the operator chose; null where nobody did, or a later version wrote what this one can't read. */
export async function readChoice(db: Databases): Promise<StoredChoice | null> {
  const row = await db.system.selectFrom('map_setting').select('choice').executeTakeFirst();
  return row ? (newMapChoiceSchema.safeParse(row.choice).data ?? null) : null;
}

/** MAP_STYLE_URL and MAP_TILE_URL as a choice; null where neither is set. */
export function environmentChoice({ styleUrl, tileUrl }: Config['map']): StoredChoice | null {
  if (styleUrl !== null) {
    const hosts = tileUrl === null ? [] : [tileUrl];
    return { kind: 'style', url: styleUrl, darkUrl: null, attribution: null, key: null, hosts };
  }
  return tileUrl === null ? null : { kind: 'tiles', url: tileUrl, attribution: null, key: null };
}

/** A new choice with the key that is kept where none was sent. */
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

/** As pages draw it. A file that is gone, or is none, is the built-in map. */
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

/** What people who are not signed in may be told: no address that could hold somebody's key. */
export const forVisitors = (map: BaseMap): BaseMap =>
  (map.kind === 'style' && ![map.url, map.darkUrl ?? ''].some(holdsMore)) ||
  (map.kind === 'tiles' && !holdsMore(map.url))
    ? map
    : { kind: 'built-in' };

/** A query, or a long part of the path that no person would write. */
const holdsMore = (url: string): boolean =>
  url.includes('?') || /\/[\w-]{16,}(\/|$)/.test(url.replace(/^https?:\/\//, ''));

/** Hosts that pages load from. */
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
