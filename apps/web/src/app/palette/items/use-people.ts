import { listDrivers, may } from '@milepost/contract';
import { IconSteeringWheel, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { DRIVERS_KEY } from '../../../organisation/driver-list.ts';
import { paths } from '../../../paths.ts';
import { useMyUsers } from '../../../people/my-users.ts';
import type { PaletteItem } from '../item.ts';

/** Drivers and users, if this user may see them. */
export function usePeople(): readonly PaletteItem[] {
  const { t } = useTranslation(['palette', 'shell']);
  const navigate = useNavigate();
  const me = useSession(session => session.me);
  const seesDrivers = me !== null && may(me, 'drivers.read');
  const seesUsers = me !== null && may(me, 'users.read');
  const { data: drivers } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    enabled: seesDrivers,
  });
  const users = useMyUsers(state => state.allMyUsers ?? state.known);
  return useMemo(
    () => [
      ...(seesDrivers ? (drivers ?? []) : [])
        .filter(({ archived }) => !archived)
        .map(
          (driver): PaletteItem => ({
            id: `driver:${driver.id}`,
            group: 'people',
            Icon: IconSteeringWheel,
            title: driver.name,
            subtitle: t('driver'),
            keywords: [driver.phone, driver.email].filter(Boolean).join(' '),
            run: () => void navigate(paths.opened(paths.personal(), driver.id)),
          }),
        ),
      ...(seesUsers ? users : []).map(
        (user): PaletteItem => ({
          id: `user:${user.id}`,
          group: 'people',
          Icon: IconUser,
          title: user.displayName,
          subtitle: `${t('user')} · ${user.userName}`,
          keywords: '',
          run: () => void navigate(paths.opened(paths.users(), user.id)),
        }),
      ),
    ],
    [drivers, users, seesDrivers, seesUsers, navigate, t],
  );
}
