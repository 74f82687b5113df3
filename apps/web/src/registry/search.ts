const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word of the query occurs in one of the texts, ignoring case and accents. */
export function matchesSearch(query: string, texts: readonly (string | null | undefined)[]): boolean {
  const all = plain(texts.filter(Boolean).join('\n'));
  return plain(query)
    .split(/\s+/)
    .every(word => all.includes(word));
}
