import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';

export const SORTS = ['name', 'status', 'speed', 'age'] as const;
export type Sort = (typeof SORTS)[number];

export const CARD_TABS = ['now', 'today', 'raw'] as const;
export type CardTab = (typeof CARD_TABS)[number];

/** What the address holds: enough to send someone the same view. Vehicles by their IMEI, which never changes. */
export interface View {
  readonly query: string;
  readonly statuses: ReadonlySet<VehicleStatus>;
  readonly sort: Sort;
  readonly current: string | null;
  readonly selected: readonly string[];
  readonly tab: CardTab;
}

export const DEFAULT_VIEW: View = {
  query: '',
  statuses: new Set(),
  sort: 'name',
  current: null,
  selected: [],
  tab: 'now',
};

const IMEI = /^\d{15}$/;

/** Reads an address; what it does not know, or cannot be, is left at its default. */
export function viewOf(parameters: URLSearchParams): View {
  const listed = (name: string): string[] => (parameters.get(name) ?? '').split(',').filter(Boolean);
  const chosen = new Set<string>(listed('status'));
  const current = parameters.get('vehicle');
  const selected = [...new Set(listed('selected'))].filter(imei => IMEI.test(imei));
  return {
    query: parameters.get('q') ?? '',
    statuses: new Set(VEHICLE_STATUSES.filter(status => chosen.has(status))),
    sort: SORTS.find(sort => sort === parameters.get('sort')) ?? 'name',
    current: current !== null && IMEI.test(current) ? current : null,
    selected,
    tab: CARD_TABS.find(tab => tab === parameters.get('tab')) ?? 'now',
  };
}

/** The shortest address of a view: what is at its default is not written. */
export function parametersOf(view: View): URLSearchParams {
  const parameters = new URLSearchParams();
  const write = (name: string, value: string): void => {
    if (value !== '') parameters.set(name, value);
  };
  write('q', view.query);
  write('status', VEHICLE_STATUSES.filter(status => view.statuses.has(status)).join(','));
  write('sort', view.sort === 'name' ? '' : view.sort);
  write('vehicle', view.current ?? '');
  write('selected', view.selected.filter(imei => imei !== view.current).join(','));
  write('tab', view.tab === 'now' || view.current === null ? '' : view.tab);
  return parameters;
}
