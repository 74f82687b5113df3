import { may, type Permission } from '@milepost/contract';
import {
  IconAddressBook,
  IconBell,
  IconChartHistogram,
  IconClipboardCheck,
  IconClockHour4,
  IconListCheck,
  IconListDetails,
  IconMap2,
  IconPlayerTrackNext,
  IconPolygon,
  IconReportAnalytics,
  IconSettings,
  IconShare2,
  IconTruck,
  IconUsers,
} from '@tabler/icons-react';
import { paths } from '../paths.ts';
import { useSession } from './session/session.ts';

interface Place {
  readonly key:
    | 'dashboard'
    | 'fleet'
    | 'dispatch'
    | 'overview'
    | 'reports'
    | 'replay'
    | 'alerts'
    | 'geofence'
    | 'rules'
    | 'assets'
    | 'personal'
    | 'eld'
    | 'shareLinks'
    | 'users'
    | 'settings';
  readonly path: string;
  readonly Icon: typeof IconMap2;
  readonly chord: readonly string[];
  /**
   * Users need one of these permissions to see the page; the server refuses its calls otherwise. Null if everyone can
   * open it.
   */
  readonly permissions: readonly Permission[] | null;
  /** Shown at the bottom of the rail, apart from the daily work. */
  readonly foot?: true;
  /** Shown in the phone's bottom bar. The other pages are behind "More". */
  readonly phone?: true;
  /** Linked from the header instead of the rail. */
  readonly inHeader?: true;
}

/** The pages of the rail and the bottom bar, in order. */
const NAVIGATION: readonly Place[] = [
  { key: 'dashboard', path: paths.dashboard(), Icon: IconMap2, chord: ['g', 'd'], permissions: null, phone: true },
  {
    key: 'fleet',
    path: paths.fleet(),
    Icon: IconListDetails,
    chord: ['g', 'f'],
    permissions: ['vehicles.read'],
    phone: true,
  },
  {
    key: 'dispatch',
    path: paths.dispatch(),
    Icon: IconClipboardCheck,
    chord: ['g', 'i'],
    permissions: ['tasks.read'],
  },
  {
    key: 'overview',
    path: paths.overview(),
    Icon: IconChartHistogram,
    chord: ['g', 'o'],
    permissions: ['organisation.read'],
  },
  {
    key: 'reports',
    path: paths.reports(),
    Icon: IconReportAnalytics,
    chord: ['g', 'r'],
    permissions: ['vehicles.read'],
  },
  {
    key: 'replay',
    path: paths.replay(),
    Icon: IconPlayerTrackNext,
    chord: ['g', 'y'],
    permissions: ['vehicles.read'],
  },
  {
    key: 'alerts',
    path: paths.alerts(),
    Icon: IconBell,
    chord: ['g', 't'],
    permissions: ['alerts.read'],
    phone: true,
    inHeader: true,
  },
  {
    key: 'geofence',
    path: paths.geofence(),
    Icon: IconPolygon,
    chord: ['g', 'e'],
    permissions: ['geofences.read'],
  },
  {
    key: 'rules',
    path: paths.rules(),
    Icon: IconListCheck,
    chord: ['g', 'n'],
    permissions: ['rules.read'],
  },
  {
    key: 'assets',
    path: paths.assets(),
    Icon: IconTruck,
    chord: ['g', 'a'],
    permissions: ['vehicles.read'],
    phone: true,
  },
  { key: 'personal', path: paths.personal(), Icon: IconAddressBook, chord: ['g', 'p'], permissions: null },
  { key: 'eld', path: paths.eld(), Icon: IconClockHour4, chord: ['g', 'l'], permissions: ['logbook.read'] },
  {
    key: 'shareLinks',
    path: paths.shareLinks(),
    Icon: IconShare2,
    chord: ['g', 'k'],
    permissions: ['shares.read', 'shares.write'],
  },
  { key: 'users', path: paths.users(), Icon: IconUsers, chord: ['g', 'u'], permissions: ['users.read'], foot: true },
  {
    key: 'settings',
    path: paths.settings(),
    Icon: IconSettings,
    chord: ['g', 's'],
    permissions: ['settings.read'],
    foot: true,
  },
];

/** The pages that the signed-in user may open. */
export function useNavigation(): readonly Place[] {
  const me = useSession(session => session.me);
  const places = NAVIGATION.filter(
    ({ permissions }) => permissions === null || (me !== null && permissions.some(one => may(me, one))),
  );
  return me?.role === 'driver' ? ownFirst(places) : places;
}

/**
 * Puts a driver's own pages first, also in the phone's bar: the log, which every driver can open, then the personal
 * page.
 */
function ownFirst(places: readonly Place[]): readonly Place[] {
  const isOwn = ({ key }: Place): boolean => key === 'eld' || key === 'personal';
  const own = NAVIGATION.filter(isOwn).map(place => ({ ...place, phone: true as const }));
  // The bar has room for five.
  const others = places.flatMap(({ phone, ...place }) =>
    isOwn(place) ? [] : [{ ...place, ...(phone && place.key !== 'assets' && { phone }) }],
  );
  return [...own.toReversed(), ...others];
}
