import { OPEN_PARAMETER } from '../paths.ts';

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** The state of a registry page that its URL stores, so that users can share the same list [product 1.0, Lists]. */
export interface RegistryView {
  readonly query: string;
  /** Chosen values by filter. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly sort: Sort | null;
  /** ID of the row whose drawer is open. */
  readonly open: string | null;
}

const QUERY = 'q';
const SORT = 'sort';

/** Reads the view from the URL's parameters. Filters that the page doesn't have are ignored. */
export function viewOf(parameters: URLSearchParams, filters: readonly string[]): RegistryView {
  const chosen = filters.map((name): [string, string[]] => {
    const values = (parameters.get(name) ?? '').split(',').filter(Boolean);
    return [name, [...new Set(values)]];
  });
  const sort = /^(-?)(\w[\w-]*)$/.exec(parameters.get(SORT) ?? '');
  return {
    query: parameters.get(QUERY) ?? '',
    filters: Object.fromEntries(chosen.filter(([, values]) => values.length > 0)),
    sort: sort?.[2] === undefined ? null : { column: sort[2], descending: sort[1] === '-' },
    open: parameters.get(OPEN_PARAMETER),
  };
}

/** Writes the view into the URL's parameters. Other parameters stay, and defaults are left out. */
export function withView(parameters: URLSearchParams, view: RegistryView, filters: readonly string[]): URLSearchParams {
  const written = new URLSearchParams(parameters);
  const write = (name: string, value: string): void => {
    if (value === '') written.delete(name);
    else written.set(name, value);
  };
  write(QUERY, view.query);
  for (const name of filters) write(name, (view.filters[name] ?? []).join(','));
  write(SORT, view.sort ? (view.sort.descending ? '-' : '') + view.sort.column : '');
  write(OPEN_PARAMETER, view.open ?? '');
  return written;
}

/** Adds a value to a filter, or removes it. */
export function toggled(filters: RegistryView['filters'], filter: string, value: string): RegistryView['filters'] {
  const before = filters[filter] ?? [];
  const after = before.includes(value) ? before.filter(one => one !== value) : [...before, value];
  const { [filter]: _, ...others } = filters;
  return after.length === 0 ? others : { ...others, [filter]: after };
}
