import UFuzzy from '@leeoniya/ufuzzy';

/** What can be found: what is shown of it, and what else it is known by. */
export interface Findable {
  readonly title: string;
  /** Shown behind the title; found, too. */
  readonly subtitle: string;
  /** Not shown: other names, numbers. */
  readonly keywords: string;
}

/** From where to where a text matches, pairs of positions. */
export type Ranges = readonly number[];

export interface Hit<T> {
  readonly item: T;
  readonly title: Ranges;
  readonly subtitle: Ranges;
}

/** One wrong, missing or swapped letter in a word is forgiven; words may come in any order. */
const fuzzy = new UFuzzy({ intraMode: 1 });
/** Up to so many words are tried in every order; a sixth of them would be 720. */
const ANY_ORDER = 3;
/** So many matches are put in order; whoever finds more types on. */
const MOST_RANKED = 1000;
const GAP = '  ';

/** The texts of a list, ready to be searched; made once a list. */
export class FindIndex<T extends Findable> {
  readonly #items: readonly T[];
  readonly #texts: string[];

  constructor(items: readonly T[]) {
    this.#items = items;
    this.#texts = UFuzzy.latinize(
      items.map(({ title, subtitle, keywords }) => `${title}${GAP}${subtitle}${GAP}${keywords}`),
    );
  }

  /** The best matches, best first. */
  find(query: string, limit: number): readonly Hit<T>[] {
    const needle = UFuzzy.latinize(query.trim());
    if (needle === '') return [];
    const [indexes, info, order] = fuzzy.search(this.#texts, needle, ANY_ORDER, MOST_RANKED);
    if (!indexes) return [];
    if (!info || !order) return indexes.slice(0, limit).flatMap(index => this.#hit(index, []));
    return order.slice(0, limit).flatMap(at => this.#hit(info.idx[at] ?? -1, info.ranges[at] ?? []));
  }

  #hit(index: number, ranges: Ranges): Hit<T>[] {
    const item = this.#items[index];
    if (!item) return [];
    const after = item.title.length + GAP.length;
    return [
      {
        item,
        title: within(ranges, 0, item.title.length),
        subtitle: within(ranges, after, after + item.subtitle.length),
      },
    ];
  }
}

/** The ranges inside a part of the text, counted from its beginning. */
function within(ranges: Ranges, from: number, to: number): Ranges {
  const inside: number[] = [];
  for (let at = 0; at + 1 < ranges.length; at += 2) {
    const start = Math.max(ranges[at] ?? 0, from);
    const end = Math.min(ranges[at + 1] ?? 0, to);
    if (start < end) inside.push(start - from, end - from);
  }
  return inside;
}
