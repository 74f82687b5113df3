import { readdirSync, readFileSync } from 'node:fs';
import { FIELD_PROBLEMS, PROBLEMS, RULE_TEXTS } from '@milepost/contract';
import { describe, expect, it } from 'vitest';

/** Words that nobody in a dispatch office says, each with the word to use instead. CONTRIBUTING.md has the reasons. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\bpapers\b/i, 'documents'],
  [/\bmonogram\b/i, 'avatar or initials'],
  [/\bstrangers?\b/i, 'unknown tracker, people who are not signed in'],
  [/\bsomebody\b/i, 'someone, or the role: a dispatcher, a user'],
  [/\bwhoever\b/i, 'anyone who, or the role'],
  [/\b(by itself|by themselves|of itself)\b/i, 'automatically'],
  [/\b(is|are|was|were) told\b/i, 'notified, or say who sees what'],
  [/\b(from|of) then on\b/i, 'from now on, or say when'],
  [/\bis there\.$/i, 'created, added'],
  [/\b(nothing|nobody) (waits|is called|has to)\b/i, 'no open alerts, no results, optional'],
  [/\bthe same again\b/i, 'repeat password'],
  [/\b(you|they|it|role|people|person) may\b(?! be\b)/i, 'can'],
  [/\bwhat (it|they|you|one) (may|has|have|asks?)\b/i, 'permissions, or the thing itself'],
  [/\b(do|does) not know\b/i, 'don’t recognize'],
  [/\bis a stranger\b|\bholds?\.$/i, 'is valid, stays in use'],
];

const folders = ['en-US/', '../../../../packages/contract/src/texts/en-US/'].map(
  path => new URL(path, import.meta.url),
);

function* sentences(tree: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof tree === 'string') yield [path, tree];
  else for (const [key, value] of Object.entries(tree as object)) yield* sentences(value, `${path}.${key}`);
}

const shown = [
  ...folders.flatMap(folder =>
    readdirSync(folder)
      .filter(file => file.endsWith('.json'))
      .flatMap(file => [...sentences(JSON.parse(readFileSync(new URL(file, folder), 'utf8')), file)]),
  ),
  ...sentences(
    Object.fromEntries(Object.entries(PROBLEMS).map(([code, { title }]) => [code, title])),
    'problems of the API',
  ),
  ...sentences(FIELD_PROBLEMS, 'field problems of the API'),
  ...sentences(RULE_TEXTS['en-US'], 'sentences of rules'),
];

describe('the English texts', () => {
  it.each(INSTEAD)('say %s in plainer words: %s', word => {
    expect(shown.filter(([, text]) => word.test(text))).toEqual([]);
  });
});
