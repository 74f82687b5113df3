import { type Days, isPeriod, type PeriodName, problemOf } from '../../../figures/period.ts';
import { METRIC } from '../../../format/measure.ts';
import { formatSearch, NO_SEARCH, parseSearch, type Search } from '../../../search-tokens/search-text.ts';
import {
  type ChosenColumn,
  COLUMN_IDS,
  type ColumnId,
  FIRST_COLUMN,
  MAX_WIDTH_PX,
  MIN_WIDTH_PX,
} from '../columns/column-ids.ts';

export const GROUPINGS = ['folder', 'status', 'driver', 'tag', 'none'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const LAYOUTS = ['table', 'board', 'wall'] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface Order {
  readonly column: ColumnId;
  readonly descending: boolean;
}

/** The page's whole state, as in its address and in saved views. */
export interface FleetView {
  readonly search: Search;
  readonly order: Order;
  readonly group: Grouping;
  readonly layout: Layout;
  /** Null: the default columns, as many as fit the window. */
  readonly columns: readonly ChosenColumn[] | null;
  /** The period of the figures. */
  readonly period: FleetPeriodChoice;
}

export interface FleetPeriodChoice {
  readonly name: PeriodName;
  /** The days of a custom period; empty for others. */
  readonly days: Days;
}

const NO_DAYS: Days = { from: '', to: '' };

export const DEFAULT_VIEW: FleetView = {
  search: NO_SEARCH,
  order: { column: 'unit', descending: false },
  group: 'folder',
  layout: 'table',
  columns: null,
  period: { name: 'today', days: NO_DAYS },
};

const PARAMETERS = ['q', 'sort', 'group', 'layout', 'columns', 'period', 'from', 'to'] as const;

/** Reads an address; unknown values fall back to the default. */
export function viewOf(parameters: URLSearchParams): FleetView {
  const one = <T extends string>(name: string, all: readonly T[], otherwise: T): T =>
    all.find(value => value === parameters.get(name)) ?? otherwise;
  return {
    // Every limit in an address has its unit.
    search: parseSearch(parameters.get('q') ?? '', METRIC),
    order: orderOf(parameters.get('sort')),
    group: one('group', GROUPINGS, DEFAULT_VIEW.group),
    layout: one('layout', LAYOUTS, DEFAULT_VIEW.layout),
    columns: columnsOf(parameters.get('columns')),
    period: periodOf(parameters),
  };
}

/** Writes a view into an address and keeps other parameters. Defaults are left out. */
export function withView(parameters: URLSearchParams, view: FleetView): URLSearchParams {
  const written = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(partsOf(view))) {
    if (value === '') written.delete(name);
    else written.set(name, value);
  }
  return written;
}

/** A view as a query string in canonical form: equal texts mean equal views. */
export const queryOf = (view: FleetView): string => withView(new URLSearchParams(), view).toString();

function partsOf({
  search,
  order,
  group,
  layout,
  columns,
  period,
}: FleetView): Record<(typeof PARAMETERS)[number], string> {
  const isDefaultOrder = order.column === DEFAULT_VIEW.order.column && !order.descending;
  return {
    q: formatSearch(search),
    sort: isDefaultOrder ? '' : `${order.descending ? '-' : ''}${order.column}`,
    group: group === DEFAULT_VIEW.group ? '' : group,
    layout: layout === DEFAULT_VIEW.layout ? '' : layout,
    columns: columns?.map(({ id, width }) => (width === undefined ? id : `${id}.${width}`)).join(',') ?? '',
    period: period.name === DEFAULT_VIEW.period.name ? '' : period.name,
    ...period.days,
  };
}

function periodOf(parameters: URLSearchParams): FleetPeriodChoice {
  const name = parameters.get('period');
  if (!isPeriod(name)) return DEFAULT_VIEW.period;
  if (name !== 'custom') return { name, days: NO_DAYS };
  const days = { from: parameters.get('from') ?? '', to: parameters.get('to') ?? '' };
  return problemOf(days) === null ? { name, days } : DEFAULT_VIEW.period;
}

function orderOf(text: string | null): Order {
  const [, minus, name] = /^(-?)([a-z]+)$/.exec(text ?? '') ?? [];
  const column = COLUMN_IDS.find(id => id === name);
  return column ? { column, descending: minus === '-' } : DEFAULT_VIEW.order;
}

function columnsOf(text: string | null): readonly ChosenColumn[] | null {
  const chosen = new Map<ColumnId, ChosenColumn>();
  for (const part of (text ?? '').split(',')) {
    const [name, width] = part.split('.');
    const id = COLUMN_IDS.find(id => id === name);
    if (!id || chosen.has(id)) continue;
    const px = width !== undefined && /^\d{1,4}$/.test(width) ? Number(width) : 0;
    chosen.set(id, px >= MIN_WIDTH_PX && px <= MAX_WIDTH_PX ? { id, width: px } : { id });
  }
  if (chosen.size === 0) return null;
  const first = chosen.get(FIRST_COLUMN) ?? { id: FIRST_COLUMN };
  chosen.delete(FIRST_COLUMN);
  return [first, ...chosen.values()];
}
