import { ALERT_KINDS, type Alert, SEVERITIES } from '@milepost/contract';
import { alertWords } from '../../alerts/alert-words.ts';
import type { RegistryView } from '../../registry/registry-url.ts';
import { matchesSearch } from '../../registry/search.ts';

/** The filters of the page, as its address names them; `state` says which of the two lists. */
export const ALERT_FILTERS = ['state', 'severity', 'kind'] as const;

export const FILTER_VALUES = { severity: SEVERITIES, kind: ALERT_KINDS } as const;

export function matchesAlert(alert: Alert, { query, filters }: Pick<RegistryView, 'query' | 'filters'>): boolean {
  const { address, deviceName, driver, imei, kind, severity } = alert;
  const fits = (filters.severity?.includes(severity) ?? true) && (filters.kind?.includes(kind) ?? true);
  return fits && matchesSearch(query, [deviceName, imei, driver?.name ?? null, address, alertWords(alert)]);
}
