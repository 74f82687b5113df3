/** Suggested user name: `t.banks` for Tyrell Banks. */
export function userNameFor(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words[0]?.[0]}.${last}` : last;
}
