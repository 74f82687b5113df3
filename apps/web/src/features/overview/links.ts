import type { DoNextKind, OutcomeTile, Overview, OverviewTile } from '@milepost/contract';
import type { Days, PeriodName } from '../../figures/period.ts';
import type { Tile } from '../../figures/tile-words.ts';
import { paths } from '../../paths.ts';
import { formatToken } from '../../search-tokens/search-text.ts';

/** A search for the fleet page: `status:idling folder:"North"`. */
const tokens = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' ');

/** Token for a group and its contents, named by its path from the top. */
const within = (field: 'folder' | 'department', path: readonly string[]): string | null =>
  path.length === 0 ? null : formatToken({ kind: 'word', field, not: false, values: [path.join('/')] });

interface Rows {
  readonly search?: string;
  /** Sorted by this column, descending. */
  readonly sort: string;
}

/** The rows behind a figure, sorted by how much they contribute. */
const ROWS: Readonly<Record<OverviewTile, Rows>> = {
  distance: { search: 'today>0mi', sort: 'today' },
  utilisation: { sort: 'inuse' },
  inUse: { sort: 'inuse' },
  driving: { search: 'driven>0m', sort: 'driven' },
  idleShare: { search: 'engine>0m', sort: 'idled' },
  stops: { search: 'stops>0', sort: 'stops' },
  topSpeed: { search: 'topspeed>0mph', sort: 'topspeed' },
  known: { sort: 'tracked' },
  leftOut: { sort: 'doubts' },
  alerts: { search: 'began>0', sort: 'began' },
};

/** How the report of a tile is grouped. */
const GROUPED: Partial<Readonly<Record<OutcomeTile, string>>> = {
  speeding: 'vehicle',
  onTime: 'driver',
  violations: 'driver',
  temperature: 'vehicle',
};

export interface Shown {
  /** Names from the top down. */
  readonly folder: readonly string[];
  readonly department: readonly string[];
  /** Empty for the whole fleet. */
  readonly folderId: string;
  readonly period: PeriodName;
  readonly days: Days;
}

/** Links to the list behind each number, with the same vehicles and days. */
export function overviewLinks({ folder, folderId, department, period, days }: Shown) {
  const fleet = (search = '', view: Readonly<Record<string, string>> = {}): string =>
    paths.fleet(tokens(search, within('folder', folder), within('department', department)), view);
  const ofPeriod: Readonly<Record<string, string>> =
    period === 'custom' ? { period, ...days } : period === 'today' ? {} : { period };
  const rowsOf = ({ search, sort }: Rows): string => fleet(search, { sort: `-${sort}`, group: 'none', ...ofPeriod });
  return {
    /** Null if a department is chosen, because reports can't be limited to departments. */
    detention:
      department.length > 0
        ? null
        : paths.reports(
            'detention',
            [`from=${days.from}`, `to=${days.to}`, folderId && `folders=${folderId}`, 'group=geofence', 'compare=1']
              .filter(Boolean)
              .join('&'),
          ),
    status: (status: string) => fleet(`status:${status}`),
    tile: (tile: Tile | { readonly key: OverviewTile }): string => {
      if ('report' in tile) {
        const { key, from, to } = tile.report;
        const parts: (string | undefined)[] = [`from=${from}`, `to=${to}`, folderId && `folders=${folderId}`];
        const group = GROUPED[tile.key];
        parts.push(group && `group=${group}`, 'compare=1');
        return paths.reports(key, parts.filter(Boolean).join('&'));
      }
      return rowsOf(ROWS[tile.key]);
    },
    doNext: ({ kind, about, count }: Overview['doNext'][number]): string => {
      const [first] = about;
      const alone = count === 1 && first?.deviceId ? paths.opened(paths.assets(), first.deviceId) : null;
      const several: Readonly<Record<DoNextKind, string>> = {
        criticalAlerts: paths.alerts(),
        warningAlerts: paths.alerts(),
        documentsEnded: `${paths.assets()}?documents=ended`,
        documentsEnding: `${paths.assets()}?documents=ending`,
        driverDocumentsEnded: paths.personal(),
        driverDocumentsEnding: paths.personal(),
        subscriptionsOver: `${paths.assets()}?subscription=over`,
        subscriptionsEnding: `${paths.assets()}?subscription=ending`,
        silent: fleet('status:offline'),
        neverHeard: fleet('status:no-data'),
        // Over the same days. The table has no time by day, but nobody idled an hour a day and less in all.
        idled: rowsOf({ search: 'idled>60m', sort: 'idled' }),
        gpsDoubts: alone ?? rowsOf(ROWS.leftOut),
        noDriver: fleet('status:moving driver:none'),
      };
      return several[kind];
    },
  };
}
