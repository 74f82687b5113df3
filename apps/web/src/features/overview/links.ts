import type { DoNextKind, Overview, OverviewTile } from '@milepost/contract';
import { paths } from '../../paths.ts';

/** Tokens of the fleet's search: `status:idling folder:"North"`. */
const tokens = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' ');

interface Rows {
  readonly search: string;
  readonly sort: string;
}

/** The rows that a figure of today is the sum of. The fleet’s list has no column for the others, nor for other days. */
const ROWS_OF_TODAY: Partial<Readonly<Record<OverviewTile, Rows>>> = {
  distance: { search: 'today>0mi', sort: '-today' },
  utilisation: { search: 'today>0mi', sort: '-today' },
  inUse: { search: 'today>0mi', sort: '-today' },
  idleShare: { search: 'idled>0m', sort: '-idled' },
};

/** The list behind each number, of the same folder and the same days; null where no list has just those rows. */
export function overviewLinks(folder: string | null, isToday: boolean) {
  const inFolder = folder === null ? null : `folder:"${folder.replaceAll('"', '')}"`;
  const fleet = (search: string, sort?: string): string => paths.fleet(tokens(search, inFolder), sort);
  return {
    status: (status: string) => fleet(`status:${status}`),
    tile: (tile: OverviewTile): string | null => {
      if (tile === 'alerts') return paths.alerts();
      const rows = isToday ? ROWS_OF_TODAY[tile] : undefined;
      return rows ? fleet(rows.search, rows.sort) : null;
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
        idled: fleet('idled>0m'),
        gpsDoubts: alone ?? fleet('status:no-gps'),
        noDriver: fleet('status:moving driver:none'),
      };
      return several[kind];
    },
  };
}
