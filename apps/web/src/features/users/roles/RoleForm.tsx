import {
  createRole,
  deleteRole,
  mayGive as mayGiveTo,
  newRoleSchema,
  PERMISSIONS,
  PERMISSIONS_OF_ROLE,
  type Permission,
  ROLES,
  updateRole,
} from '@milepost/contract';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { changedValues } from '../../../forms/field-messages.ts';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { AREAS } from '../../../people/areas.ts';
import { useRefreshUsers } from '../../../people/my-users.ts';
import { InspectorBody, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import type { RoleChoice } from '../user-values.ts';
import styles from './RolesDrawer.module.css';

/** Roles a custom role can be based on. The owner role has every right and can't be changed. */
const BASES = ROLES.filter(role => role !== 'owner');

/** One of the account's custom roles: its name, the role it is based on, and its permissions. */
export function RoleForm({ role, onDone }: { readonly role: RoleChoice | null; readonly onDone: () => void }) {
  const { t } = useTranslation(['users', 'people', 'shell']);
  const me = useSession(session => session.me);
  const refresh = useRefreshUsers();
  const initial = {
    name: role?.name ?? '',
    basedOn: (role?.basedOn ?? 'dispatcher') as string,
    permissions: role?.permissions ?? PERMISSIONS_OF_ROLE.dispatcher,
  };
  const form = useForm({
    schema: newRoleSchema,
    initial,
    save: body =>
      role
        ? call(updateRole, { params: { id: role.id }, body: changedValues(initial, body) })
        : call(createRole, { body }),
    onSaved: ({ name }) => {
      void refresh();
      toast(t('done.save', { name }));
      onDone();
    },
    problemFields: { 'role-name-taken': 'name' },
  });
  const remove = useMutation({
    mutationFn: () => call(deleteRole, { params: { id: role?.id ?? '' } }),
    onSuccess: () => {
      void refresh();
      toast(t('done.delete', { name: role?.name ?? '' }));
      onDone();
    },
  });
  const { permissions, basedOn } = form.values;
  const mayGive = (permission: Permission) => me !== null && mayGiveTo(me, permission);

  function toggle(permission: Permission): void {
    // In the server's order, so that ticking a box and unticking it again is no change.
    const next = PERMISSIONS.filter(one => permissions.includes(one) !== (one === permission));
    form.set('permissions', next);
  }

  function base(on: string): void {
    form.set('basedOn', on);
    const [known] = BASES.filter(one => one === on);
    if (known) form.set('permissions', PERMISSIONS_OF_ROLE[known].filter(mayGive));
  }

  return (
    <FormFrame form={form} guarded={!remove.isPending && !remove.isSuccess}>
      <InspectorBody>
        {remove.error && (
          <Notice tone="critical" role="alert">
            {describeError(remove.error).message}
          </Notice>
        )}
        <TextField {...form.text('name')} label={t('roles.name')} autoComplete="off" />
        <SelectField
          {...form.text('basedOn')}
          label={t('roles.basedOn')}
          hint={basedOn === 'driver' ? t('roles.driverHint') : undefined}
          onChange={event => base(event.currentTarget.value)}
          options={BASES.map(value => ({ value, label: t(`shell:role.${value}`) }))}
        />
        <fieldset className={styles.areas}>
          <legend>{t('roles.permissions')}</legend>
          {AREAS.map(area => (
            <div key={area.id} className={styles.area}>
              <span>{t(`people:areas.${area.id}`)}</span>
              <span className={styles.boxes}>
                {(
                  [
                    [area.see, t('people:see')],
                    [area.assign, t('people:assign')],
                    [area.change, t('people:do')],
                  ] as const
                ).map(
                  ([permission, label]) =>
                    permission && (
                      <Checkbox
                        key={permission}
                        name={permission === 'vehicles.read' ? 'permissions' : undefined}
                        checked={permissions.includes(permission)}
                        disabled={!mayGive(permission)}
                        aria-label={`${t(`people:areas.${area.id}`)}: ${label}`}
                        onChange={() => toggle(permission)}
                      >
                        {label}
                      </Checkbox>
                    ),
                )}
              </span>
            </div>
          ))}
        </fieldset>
        <Notice>{t('onlyWhatYouHold')}</Notice>
      </InspectorBody>
      <InspectorFoot>
        <SaveBar form={form}>
          {role && (
            <Button
              icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
              busy={remove.isPending}
              disabled={role.users > 0}
              onClick={() => remove.mutate()}
            >
              {t('roles.delete')}
            </Button>
          )}
        </SaveBar>
      </InspectorFoot>
    </FormFrame>
  );
}
