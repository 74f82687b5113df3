import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import { METRIC } from '../../../format/measure.ts';
import { FOLLOW_PARAMETER } from '../../../paths.ts';
import { formatSearch, parseSearch, type SearchToken } from '../../../search-tokens/search-text.ts';

export const SORTS = ['name', 'status', 'speed', 'age'] as const;
export type Sort = (typeof SORTS)[number];

export const LIST_TABS = ['vehicles', 'drivers', 'places'] as const;
export type ListTab = (typeof LIST_TABS)[number];

export const CARD_TABS = ['now', 'today', 'alerts', 'commands', 'hours', 'raw'] as const;
export type CardTab = (typeof CARD_TABS)[number];

/** What the address contains: enough to send someone the same view. Vehicles are given by IMEI, which never changes. */
export interface View {
  readonly list: ListTab;
  readonly query: string;
  readonly tokens: readonly SearchToken[];
  readonly statuses: ReadonlySet<VehicleStatus>;
  readonly sort: Sort;
  readonly current: string | null;
  readonly selected: readonly string[];
  readonly tab: CardTab;
  /** The map shows the current vehicle instead of all. */
  readonly only: boolean;
  /** Up to four selected vehicles, each on its own map. */
  readonly compares: boolean;
}

/** A view as given by an address. `selected` is null if the address names none: the selection then stays as it is. */
export type AddressedView = Omit<View, 'selected'> & {
  readonly selected: readonly string[] | null;
  /** Set only by links; the page never writes it to its address. */
  readonly follows: boolean;
};

export const DEFAULT_VIEW: View = {
  list: 'vehicles',
  query: '',
  tokens: [],
  statuses: new Set(),
  sort: 'name',
  current: null,
  selected: [],
  tab: 'now',
  only: false,
  compares: false,
};

const IMEI = /^\d{15}$/;
/** A whole folder would make the address too long. */
const SELECTED_IN_ADDRESS = 30;

/** Reads an address. Unknown or impossible values fall back to the default. */
export function viewOf(parameters: URLSearchParams): AddressedView {
  const listed = (name: string): string[] => (parameters.get(name) ?? '').split(',').filter(Boolean);
  const chosen = new Set<string>(listed('status'));
  const vehicle = parameters.get('vehicle');
  const current = vehicle !== null && IMEI.test(vehicle) ? vehicle : null;
  const selected = [...new Set(listed('selected'))].filter(imei => IMEI.test(imei));
  const shows = parameters.get('show');
  return {
    list: LIST_TABS.find(list => list === parameters.get('list')) ?? 'vehicles',
    query: parameters.get('q') ?? '',
    // Every limit in an address has its unit.
    tokens: parseSearch(parameters.get('filter') ?? '', METRIC).tokens,
    statuses: new Set(VEHICLE_STATUSES.filter(status => chosen.has(status))),
    sort: SORTS.find(sort => sort === parameters.get('sort')) ?? 'name',
    current,
    selected: parameters.has('selected') ? selected : null,
    tab: CARD_TABS.find(tab => tab === parameters.get('tab')) ?? 'now',
    only: shows === 'one' && current !== null,
    compares: shows === 'compare',
    follows: current !== null && parameters.get(FOLLOW_PARAMETER) === '1',
  };
}

/** The shortest address of a view: defaults are left out. */
export function parametersOf(view: View): URLSearchParams {
  const parameters = new URLSearchParams();
  const write = (name: string, value: string): void => {
    if (value !== '') parameters.set(name, value);
  };
  write('list', view.list === 'vehicles' ? '' : view.list);
  write('q', view.query);
  write('filter', formatSearch({ tokens: view.tokens, words: [] }));
  write('status', VEHICLE_STATUSES.filter(status => view.statuses.has(status)).join(','));
  write('sort', view.sort === 'name' ? '' : view.sort);
  write('vehicle', view.current ?? '');
  const others = view.selected.filter(imei => imei !== view.current);
  write('selected', others.length > SELECTED_IN_ADDRESS ? '' : others.join(','));
  write('tab', view.tab === 'now' || view.current === null ? '' : view.tab);
  write('show', view.compares ? 'compare' : view.only ? 'one' : '');
  return parameters;
}
