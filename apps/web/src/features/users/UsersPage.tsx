import { may, type User } from '@milepost/contract';
import { IconShieldHalf, IconUserPlus } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { useMinute } from '../../live/view.ts';
import { useMyUsers, useReadUsers } from '../../people/my-users.ts';
import { RegistryPage } from '../../registry/RegistryPage.tsx';
import { RegistryState } from '../../registry/RegistryState.tsx';
import { RegistryTable } from '../../registry/RegistryTable.tsx';
import { useRegistry } from '../../registry/use-registry.ts';
import { Button } from '../../ui/Button.tsx';
import { type UserAction, UserDialogs } from './actions/UserDialogs.tsx';
import { UserMenu } from './actions/UserMenu.tsx';
import { LatestChanges } from './LatestChanges.tsx';
import { isOfRoles, ROLES } from './roles/opened-role.ts';
import { RoleChip, SecondFactor, Seen, StateChip } from './UserFacts.tsx';
import { UsersToolbar } from './UsersToolbar.tsx';
import { useUserColumns } from './user-columns.tsx';
import { matchesUser, USER_FILTERS } from './user-filter.ts';

const AddUserDrawer = lazyPart(async () => (await import('./add/AddUserDrawer.tsx')).AddUserDrawer);
const UserDrawer = lazyPart(async () => (await import('./edit/UserDrawer.tsx')).UserDrawer);
const RolesDrawer = lazyPart(async () => (await import('./roles/RolesDrawer.tsx')).RolesDrawer);

/** Opened in the address beside the list, in place of a user's id. */
const ADD = 'new';
const NOBODY: readonly User[] = [];

/** `/users`: the account's other users, what they may see and do, and the latest changes [R2.09]. */
export function Component() {
  const { t } = useTranslation(['users', 'shell']);
  const me = useSession(session => session.me);
  const users = useMyUsers(state => state.allMyUsers);
  const { error, refetch } = useReadUsers();
  const registry = useRegistry(USER_FILTERS);
  const minute = useMinute();
  const columns = useUserColumns(minute);
  const [action, setAction] = useState<UserAction | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const mayWrite = me !== null && may(me, 'users.write');
  const { query, filters } = registry;
  const rows = useMemo(
    () => (users ?? NOBODY).filter(user => matchesUser(user, { query, filters }, minute)),
    [users, query, filters, minute],
  );
  const opened = users?.find(({ id }) => id === registry.open) ?? null;
  const close = () => registry.openRow(null);
  useShortcuts([{ keys: ['/'], label: t('search'), group: t('title'), run: () => search.current?.focus() }]);

  const add = mayWrite && (
    <Button
      variant="primary"
      icon={<IconUserPlus size={16} stroke={1.75} aria-hidden />}
      onClick={() => registry.openRow(ADD)}
    >
      {t('add.action')}
    </Button>
  );
  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <RegistryPage
        title={t('title')}
        count={users && t('count', { count: users.length })}
        actions={
          <>
            <Button
              icon={<IconShieldHalf size={16} stroke={1.75} aria-hidden />}
              onClick={() => registry.openRow(ROLES)}
            >
              {t('roles.title')}
            </Button>
            {add}
          </>
        }
        toolbar={<UsersToolbar registry={registry} users={users ?? undefined} searchRef={search} nowMs={minute} />}
        below={me && may(me, 'audit.read') && <LatestChanges />}
        inspector={
          registry.open === ADD && mayWrite ? (
            <AddUserDrawer onClose={close} />
          ) : isOfRoles(registry.open) ? (
            <RolesDrawer open={registry.open} onOpen={registry.openRow} onClose={close} />
          ) : (
            opened && <UserDrawer key={opened.id} user={opened} onClose={close} onAction={setAction} />
          )
        }
      >
        {rows.length === 0 ? (
          <RegistryState
            total={users?.length}
            error={error}
            onRetry={() => void refetch()}
            onClear={registry.clear}
            empty={{ title: t('empty.title'), text: t('empty.text'), action: add }}
          />
        ) : (
          <RegistryTable
            label={t('title')}
            rows={rows}
            columns={columns}
            idOf={user => user.id}
            nameOf={user => user.displayName}
            sort={registry.sort ?? { column: 'name', descending: false }}
            onSort={registry.sortBy}
            open={registry.open}
            onOpen={registry.openRow}
            card={user => <UserCard user={user} nowMs={minute} />}
            {...(mayWrite && { menu: (user: User) => <UserMenu user={user} onAction={setAction} /> })}
          />
        )}
      </RegistryPage>
      <UserDialogs action={action} onClose={() => setAction(null)} onDeleted={close} />
    </>
  );
}

/** What a phone shows below a user's name. */
function UserCard({ user, nowMs }: { readonly user: User; readonly nowMs: number }) {
  return (
    <>
      <RoleChip user={user} />
      <StateChip user={user} nowMs={nowMs} />
      <SecondFactor user={user} />
      <Seen user={user} nowMs={nowMs} />
    </>
  );
}
