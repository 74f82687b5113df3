import { may, type Permission } from '@milepost/contract';
import {
  IconAddressBook,
  IconBell,
  IconChartHistogram,
  IconListDetails,
  IconMap2,
  IconSettings,
  IconTruck,
  IconUsers,
} from '@tabler/icons-react';
import { paths } from '../../paths.ts';
import { useSession } from '../session/session.ts';

interface Place {
  readonly key: 'dashboard' | 'fleet' | 'overview' | 'alerts' | 'assets' | 'personal' | 'users' | 'settings';
  readonly path: string;
  readonly Icon: typeof IconMap2;
  readonly chord: readonly string[];
  /** Without it the page is not shown; the server refuses its calls. */
  readonly permission: Permission | null;
  /** At the rail's foot, apart from the daily work. */
  readonly foot?: true;
  /** In the phone's bottom bar; the others are behind "More". */
  readonly phone?: true;
  /** Not in the rail: the header has it. */
  readonly inHeader?: true;
}

/** The pages of the rail and the bottom bar, in order. A page stands here only once it exists. */
export const NAVIGATION: readonly Place[] = [
  { key: 'dashboard', path: paths.dashboard(), Icon: IconMap2, chord: ['g', 'd'], permission: null, phone: true },
  {
    key: 'fleet',
    path: paths.fleet(),
    Icon: IconListDetails,
    chord: ['g', 'f'],
    permission: 'vehicles.read',
    phone: true,
  },
  {
    key: 'overview',
    path: paths.overview(),
    Icon: IconChartHistogram,
    chord: ['g', 'o'],
    permission: 'organisation.read',
  },
  {
    key: 'alerts',
    path: paths.alerts(),
    Icon: IconBell,
    chord: ['g', 'l'],
    permission: 'alerts.read',
    phone: true,
    inHeader: true,
  },
  { key: 'assets', path: paths.assets(), Icon: IconTruck, chord: ['g', 'a'], permission: 'vehicles.read', phone: true },
  { key: 'personal', path: paths.personal(), Icon: IconAddressBook, chord: ['g', 'p'], permission: null },
  { key: 'users', path: paths.users(), Icon: IconUsers, chord: ['g', 'u'], permission: 'users.read', foot: true },
  {
    key: 'settings',
    path: paths.settings(),
    Icon: IconSettings,
    chord: ['g', 's'],
    permission: 'settings.read',
    foot: true,
  },
];

/** The pages that the signed-in user may open. */
export function useNavigation(): readonly Place[] {
  const me = useSession(session => session.me);
  return NAVIGATION.filter(({ permission }) => permission === null || (me !== null && may(me, permission)));
}
