const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word of a search is in one of the texts, whatever the case and the accents. */
export function matchesSearch(query: string, texts: readonly (string | null | undefined)[]): boolean {
  const all = plain(texts.filter(Boolean).join('\n'));
  return plain(query)
    .split(/\s+/)
    .every(word => all.includes(word));
}
