import type { Place } from '@milepost/geo';
import { mapInTurns } from '../../workers/turns.ts';

/** Finds towns by name: `chic`, `new york`, `springfield il`. */
export type TownSearch = (query: string, limit: number) => Promise<readonly Place[]>;

interface Named {
  readonly place: Place;
  /** Name and region without accents and in lowercase, words separated by spaces: `springfield il`. */
  readonly name: string;
  readonly full: string;
}

/** How well a name matches: all of it, its beginning, or the beginning of one of its words. */
const ranks = { whole: 0, beginning: 1, word: 2 } as const;

/** Names are normalized at the first search. Runs in turns, since a search looks at 135,000 towns. */
export function townSearch(places: readonly Place[]): TownSearch {
  let named: Promise<readonly Named[]> | null = null;
  return async (query, limit) => {
    named ??= mapInTurns(places, place => {
      const name = plain(place.name);
      return { place, name, full: `${name} ${plain(place.region)}` };
    });
    const wanted = plain(query);
    if (wanted === '') return [];
    const found: { readonly place: Place; readonly rank: number }[] = [];
    await mapInTurns(await named, ({ place, name, full }) => {
      const rank = rankOf(name, full, wanted);
      if (rank !== null) found.push({ place, rank });
    });
    return found
      .sort((a, b) => a.rank - b.rank || b.place.population - a.place.population)
      .slice(0, limit)
      .map(({ place }) => place);
  };
}

function rankOf(name: string, full: string, wanted: string): number | null {
  if (name === wanted || full === wanted) return ranks.whole;
  if (full.startsWith(wanted)) return ranks.beginning;
  return name.includes(` ${wanted}`) ? ranks.word : null;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
