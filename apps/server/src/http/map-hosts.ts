/** The hosts of the chosen map, which the page policy allows; a new choice applies from the next page load. */
export interface MapHosts {
  allow(origins: readonly string[]): void;
  origins(): readonly string[];
}

export function createMapHosts(): MapHosts {
  let allowed: readonly string[] = [];
  return {
    allow: origins => {
      allowed = origins;
    },
    origins: () => allowed,
  };
}

/** The host of an address, with `{s}` as any subdomain; null if it is not a plain host, as only those go into the policy. */
export function originOf(address: string): string | null {
  const match = /^(https?):\/\/([^/?#]+)/i.exec(address);
  if (!match) return null;
  const origin = `${match[1]?.toLowerCase()}://${(match[2] ?? '').replace(/^\{[\w-]+\}\./, '*.')}`;
  return /^https?:\/\/(\*\.)?[\w.:[\]-]+$/.test(origin) ? origin : null;
}
