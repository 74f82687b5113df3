import { may } from '@milepost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../base/session/session.ts';
import { PermissionTable } from '../../../people/PermissionTable.tsx';
import { Inspector, InspectorBody } from '../../../registry/Inspector.tsx';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useRoles } from '../UsersToolbar.tsx';
import { NEW_ROLE, openedRole, ROLES, roleOf } from './opened-role.ts';
import { RoleForm } from './RoleForm.tsx';
import styles from './RolesDrawer.module.css';

interface Props {
  /** What is open, from the address, so that leaving a form warns about unsaved changes. */
  readonly open: string;
  readonly onOpen: (open: string) => void;
  readonly onClose: () => void;
}

/** The roles with their permissions and number of users, including custom roles. */
export function RolesDrawer({ open, onOpen, onClose }: Props) {
  const { t } = useTranslation(['users', 'shell']);
  const me = useSession(session => session.me);
  const { data: roles, error, refetch } = useRoles();
  const mayWrite = me !== null && may(me, 'roles.write');
  const role = mayWrite && roles ? roleOf(open, roles) : undefined;
  if (role || (open === NEW_ROLE && mayWrite)) {
    const back = () => onOpen(ROLES);
    return (
      <Inspector
        id={open}
        title={role?.name ?? t('roles.new')}
        subtitle={role && t('roles.users', { count: role.users })}
        onClose={back}
      >
        <RoleForm key={open} role={role ?? null} onDone={back} />
      </Inspector>
    );
  }
  return (
    <Inspector id={ROLES} title={t('roles.title')} subtitle={t('roles.lead')} onClose={onClose}>
      <InspectorBody>
        {mayWrite && (
          <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => onOpen(NEW_ROLE)}>
            {t('roles.new')}
          </Button>
        )}
        {!roles && error && <ReadState error={error} onRetry={() => void refetch()} />}
        {roles?.map(one => {
          const name = one.builtIn ? t(`shell:role.${one.basedOn}`) : one.name;
          return (
            <details key={one.id} className={styles.role} name="roles">
              <summary>
                <b>{name}</b>
                <span>{t('roles.users', { count: one.users })}</span>
              </summary>
              <PermissionTable title={t('may', { role: name })} permissions={one.permissions} />
              {!one.builtIn && mayWrite && (
                <Button onClick={() => onOpen(openedRole(one))} aria-label={t('roles.editNamed', { name })}>
                  {t('roles.edit')}
                </Button>
              )}
            </details>
          );
        })}
      </InspectorBody>
    </Inspector>
  );
}
