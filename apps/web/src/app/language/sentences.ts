/**
 * Problems and what is wrong with a field come as English sentences, from the contract's schemas or from the server.
 * Another language has them by their English wording, with `{name}` where a number or a name stands.
 */
export type Sentences = Readonly<Record<string, string>>;

interface Pattern {
  readonly matches: RegExp;
  readonly names: readonly string[];
  readonly translation: string;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const PLACE = /\{(\w+)\}/g;

let exact: Sentences = {};
let patterns: readonly Pattern[] = [];

/** The sentences of the language that is spoken from now on; none for English. */
export function setSentences(sentences: Sentences): void {
  exact = sentences;
  patterns = Object.entries(sentences)
    .filter(([english]) => english.includes('{'))
    .map(([english, translation]) => ({
      matches: new RegExp(`^${english.split(PLACE).map(partOf).join('')}$`),
      names: [...english.matchAll(PLACE)].map(([, name = '']) => name),
      translation,
    }));
}

/** Texts stand between the names of places. A count is a number, anything else what stands there. */
function partOf(part: string, at: number): string {
  if (at % 2 === 0) return escaped(part);
  return part.length === 1 ? '([\\d,.]+)' : '(.+)';
}

/** A sentence in the language that is spoken; one that it does not know stays English rather than be lost. */
export function inLanguage(sentence: string): string {
  const known = exact[sentence];
  if (known !== undefined) return known;
  for (const { matches, names, translation } of patterns) {
    const found = matches.exec(sentence);
    // What stands inside may be words as well: "4 minutes".
    const inside = (name: string): string => found?.[names.indexOf(name) + 1] ?? '';
    if (found) return translation.replace(PLACE, (_, name: string) => inLanguage(inside(name)));
  }
  return sentence;
}
