/**
 * Two letters for a name: from a person's first and last word, from an organization's first two words, or the start of
 * a single word.
 */
export function initials(name: string, kind: 'person' | 'organisation'): string {
  const words = name.split(/[\s._-]+/u).filter(word => /^[\p{L}\p{N}]/u.test(word));
  const [first, second] = [words[0], kind === 'person' ? words.at(-1) : words[1]];
  if (first === undefined) return '?';
  const letters = second === undefined || words.length === 1 ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
}
