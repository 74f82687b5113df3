import { may } from '@milepost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../app/session/session.ts';
import { MayTable } from '../../../people/MayTable.tsx';
import { Inspector, InspectorBody } from '../../../registry/Inspector.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useRoles } from '../UsersToolbar.tsx';
import type { RoleChoice } from '../user-values.ts';
import { RoleForm } from './RoleForm.tsx';
import styles from './RolesDrawer.module.css';

/** The roles: what each may do, how many have it, and those of the account's own making. */
export function RolesDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['users', 'shell']);
  const me = useSession(session => session.me);
  const roles = useRoles().data ?? [];
  const [edited, setEdited] = useState<RoleChoice | 'new' | null>(null);
  const mayWrite = me !== null && may(me, 'roles.write');
  if (edited !== null) {
    const role = edited === 'new' ? null : edited;
    return (
      <Inspector
        id={`role-${role?.id ?? 'new'}`}
        title={role?.name ?? t('roles.new')}
        subtitle={role && t('roles.users', { count: role.users })}
        onClose={() => setEdited(null)}
      >
        <RoleForm role={role} onDone={() => setEdited(null)} />
      </Inspector>
    );
  }
  return (
    <Inspector id="roles" title={t('roles.title')} subtitle={t('roles.lead')} onClose={onClose}>
      <InspectorBody>
        {mayWrite && (
          <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setEdited('new')}>
            {t('roles.new')}
          </Button>
        )}
        {roles.map(role => {
          const name = role.builtIn ? t(`shell:role.${role.basedOn}`) : role.name;
          return (
            <details key={role.id} className={styles.role} name="roles">
              <summary>
                <b>{name}</b>
                <span>{t('roles.users', { count: role.users })}</span>
              </summary>
              <MayTable title={t('may', { role: name })} permissions={role.permissions} />
              {!role.builtIn && mayWrite && (
                <Button onClick={() => setEdited(role)} aria-label={t('roles.editNamed', { name })}>
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
