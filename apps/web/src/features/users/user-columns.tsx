import type { User } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Picture } from '../../people/Picture.tsx';
import type { RegistryColumn } from '../../registry/columns.ts';
import { RoleChip, ScopeText, SecondFactor, Seen, StateChip } from './UserFacts.tsx';
import styles from './UsersPage.module.css';

/** The columns of the users' table, in order. */
export function useUserColumns(nowMs: number): readonly RegistryColumn<User>[] {
  const { t } = useTranslation('users');
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('columns.name'),
        sortBy: ({ displayName }) => displayName,
        cell: ({ displayName, userName, image }) => (
          <>
            <Picture name={displayName} image={image} />
            <span className={styles.name}>
              <b>{displayName}</b>
              <span>{userName}</span>
            </span>
          </>
        ),
      },
      { id: 'role', header: t('columns.role'), sortBy: ({ role }) => role, cell: user => <RoleChip user={user} /> },
      { id: 'scope', header: t('columns.scope'), from: 1024, cell: user => <ScopeText user={user} /> },
      { id: 'factor', header: t('columns.factor'), from: 1024, cell: user => <SecondFactor user={user} /> },
      {
        id: 'seen',
        header: t('columns.seen'),
        sortBy: ({ lastSeenAt }) => (lastSeenAt === null ? null : Date.parse(lastSeenAt)),
        cell: user => <Seen user={user} nowMs={nowMs} />,
      },
      {
        id: 'sessions',
        header: t('columns.sessions'),
        align: 'end',
        from: 1440,
        sortBy: ({ sessions }) => sessions,
        cell: ({ sessions }) => sessions,
      },
      { id: 'state', header: t('columns.state'), cell: user => <StateChip user={user} nowMs={nowMs} /> },
    ],
    [t, nowMs],
  );
}
