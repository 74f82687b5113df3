import type { SHARE_STATES, Share } from '@milepost/contract';
import type { RegistryView } from '../../registry/registry-url.ts';
import { matchesSearch } from '../../registry/search.ts';

/** The filters by their names in the address; `by` contains user ids. */
export const LINK_FILTERS = ['state', 'by'] as const;

/** Active ones first, then upcoming, then ended. */
const ORDER: readonly Share['state'][] = [
  'open',
  'planned',
  'ended',
  'revoked',
] satisfies (typeof SHARE_STATES)[number][];

export const rankOfState = (state: Share['state']): number => ORDER.indexOf(state);

export function matchesLink(share: Share, { query, filters }: Pick<RegistryView, 'query' | 'filters'>): boolean {
  const { createdBy, name, note, state, vehicles } = share;
  const fits = (filters.state?.includes(state) ?? true) && (filters.by?.includes(createdBy.id) ?? true);
  return fits && matchesSearch(query, [name, note, createdBy.name, ...vehicles.map(({ deviceName }) => deviceName)]);
}
