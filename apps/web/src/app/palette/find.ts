import UFuzzy from '@leeoniya/ufuzzy';

/** A searchable item: its visible text and its other names. */
export interface Findable {
  readonly title: string;
  /** Shown after the title and searched too. */
  readonly subtitle: string;
  /** Searched but not shown: other names, numbers. */
  readonly keywords: string;
}

/** Matching parts of a text as pairs of positions, start and end. */
export type Ranges = readonly number[];

export interface Hit<T> {
  readonly item: T;
  readonly title: Ranges;
  readonly subtitle: Ranges;
}

/** Tolerates one wrong, missing or swapped letter per word. Words may come in any order. */
const fuzzy = new UFuzzy({ intraMode: 1 });
/** Up to this many words are tried in every order. Six words would have 720 orders. */
const ANY_ORDER = 3;
/** Only this many matches are ranked. With more, users keep typing. */
const MOST_RANKED = 1000;
const GAP = '  ';

/** A list prepared for searching. Create one per list. */
export class FindIndex<T extends Findable> {
  readonly #items: readonly T[];
  readonly #texts: string[];
  /** Each found item's title and other names, without accents. */
  readonly #names: (readonly string[])[] = [];

  constructor(items: readonly T[]) {
    this.#items = items;
    this.#texts = UFuzzy.latinize(
      items.map(({ title, subtitle, keywords }) => `${title}${GAP}${subtitle}${GAP}${keywords}`),
    );
  }

  /** The best matches, in order. */
  find(query: string, limit: number): readonly Hit<T>[] {
    const needle = UFuzzy.latinize(query.trim());
    if (needle === '') return [];
    const [indexes, info, order] = fuzzy.search(this.#texts, needle, ANY_ORDER, MOST_RANKED);
    if (!indexes) return [];
    const found =
      info && order
        ? order.map((at): Found => [info.idx[at] ?? -1, info.ranges[at] ?? []])
        : indexes.map((index): Found => [index, []]);
    const bare = withoutMarks(needle);
    const nearest = found.toSorted(([a], [b]) => this.#distance(a, bare) - this.#distance(b, bare));
    return nearest.slice(0, limit).flatMap(([index, ranges]) => this.#hit(index, ranges));
  }

  /**
   * Rank of a match: 0 for the exact name; 1 for a plate, number or person; 2 if the name starts with it; 3 for all
   * others.
   */
  #distance(index: number, bare: string): number {
    const names = this.#names[index] ?? namesOf(this.#items[index], this.#texts[index] ?? '');
    this.#names[index] = names;
    const [title = '', ...others] = names;
    if (title === bare) return 0;
    if (others.includes(bare)) return 1;
    return title.startsWith(bare) ? 2 : 3;
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

type Found = readonly [index: number, ranges: Ranges];

const withoutMarks = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** An item's names. `text` is the item's text without accents, divided in the same places. */
function namesOf(item: Findable | undefined, text: string): readonly string[] {
  if (!item) return [];
  const [title = '', subtitle = '', keywords = ''] = text.split(GAP);
  return [title, ...subtitle.split(' · '), ...keywords.split(' ')].map(withoutMarks).filter(Boolean);
}

/** The ranges inside one part of the text, relative to its start. */
function within(ranges: Ranges, from: number, to: number): Ranges {
  const inside: number[] = [];
  for (let at = 0; at + 1 < ranges.length; at += 2) {
    const start = Math.max(ranges[at] ?? 0, from);
    const end = Math.min(ranges[at + 1] ?? 0, to);
    if (start < end) inside.push(start - from, end - from);
  }
  return inside;
}
