/** The hosts of the chosen map, which the pages' policy lets them load from; another choice holds for the next page. */
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

/** The host of an address, `{s}` as any sub-domain; null for what is no plain host: nothing else may be in the policy. */
export function originOf(address: string): string | null {
  const match = /^(https?):\/\/([^/?#]+)/i.exec(address);
  if (!match) return null;
  const origin = `${match[1]?.toLowerCase()}://${(match[2] ?? '').replace(/^\{[\w-]+\}\./, '*.')}`;
  return /^https?:\/\/(\*\.)?[\w.:[\]-]+$/.test(origin) ? origin : null;
}
