import type { DoNextKind, Overview, OverviewTile } from '@milepost/contract';
import { paths } from '../../paths.ts';

/** Tokens of the fleet's search: `status:idling folder:"North"`. */
const tokens = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' ');

const FLEET_SEARCH: Readonly<Record<Exclude<OverviewTile, 'alerts'>, string>> = {
  distance: 'today>0mi',
  utilisation: 'today>0mi',
  inUse: 'today>0mi',
  driving: 'status:moving',
  idleShare: 'idled>0m',
  stops: 'status:stopped',
  topSpeed: 'status:moving',
  known: 'status:outdated status:offline status:no-data',
  leftOut: 'status:no-gps',
};

/** The list behind each number, of the same folder. */
export function overviewLinks(folder: string | null) {
  const inFolder = folder === null ? null : `folder:"${folder.replaceAll('"', '')}"`;
  const fleet = (search: string): string => paths.fleet(tokens(search, inFolder));
  return {
    status: (status: string) => fleet(`status:${status}`),
    tile: (tile: OverviewTile) => (tile === 'alerts' ? paths.alerts() : fleet(FLEET_SEARCH[tile])),
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
