import { isLimited, permissionsOf } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import type { Form } from '../../forms/use-form.ts';
import { PermissionTable } from '../../people/PermissionTable.tsx';
import { ScopeField } from '../../people/ScopeField.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './UsersPage.module.css';
import { useRoles } from './UsersToolbar.tsx';
import type { UserValues } from './user-values.ts';

interface Props<V extends UserValues> {
  readonly form: Form<V>;
  readonly disabled?: boolean;
}

interface PersonProps<V extends UserValues> extends Props<V> {
  /** An address that the user has not confirmed yet. */
  readonly pendingEmail?: string | null;
}

/** Name, user name and e-mail address. */
export function PersonFields<V extends UserValues>({
  form: given,
  pendingEmail = null,
  disabled = false,
}: PersonProps<V>) {
  const form = given as unknown as Form<UserValues>;
  const { t } = useTranslation(['users', 'forms']);
  const optional = t('forms:optional');
  return (
    <div className={styles.stack}>
      <TextField {...form.text('displayName')} label={t('fields.displayName')} autoComplete="off" disabled={disabled} />
      <TextField
        {...form.text('userName')}
        label={t('fields.userName')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={disabled}
      />
      <TextField
        {...form.text('email')}
        label={t('fields.email')}
        optional={optional}
        hint={pendingEmail === null ? t('fields.emailHint') : t('fields.emailPending', { email: pendingEmail })}
        type="email"
        autoComplete="off"
        disabled={disabled}
      />
      <TextField
        {...form.text('phone')}
        label={t('fields.phone')}
        optional={optional}
        type="tel"
        autoComplete="off"
        disabled={disabled}
      />
    </div>
  );
}

/** What the user may see and do, and for how long. */
export function AccessFields<V extends UserValues>({ form: given, disabled = false }: Props<V>) {
  const form = given as unknown as Form<UserValues>;
  const { t } = useTranslation(['users', 'shell']);
  const roles = useRoles().data ?? [];
  const isLimitedMe = useSession(({ me }) => me !== null && isLimited(me));
  const { roleId, scope, lastDay } = form.values;
  const role = roles.find(({ id }) => id === roleId);
  const nameOf = (id: string): string => {
    const found = roles.find(one => one.id === id);
    return found && !found.builtIn ? found.name : t(`shell:role.${found?.basedOn ?? 'viewer'}`);
  };
  return (
    <div className={styles.stack}>
      <SelectField
        {...form.text('roleId')}
        label={t('columns.role')}
        options={roles.map(({ id, grantable }) => ({
          value: id,
          label: nameOf(id),
          disabled: !grantable && id !== roleId,
        }))}
        error={form.messages.role ?? form.messages.customRoleId}
        disabled={disabled}
      />
      {role?.basedOn === 'driver' && <Notice>{t('driverSees')}</Notice>}
      <ScopeField
        value={scope}
        onChange={value => form.set('scope', value)}
        error={form.messages.scope}
        disabled={disabled}
        isLimited={isLimitedMe}
      />
      {role && (
        <PermissionTable
          title={t('may', { role: nameOf(roleId) })}
          permissions={permissionsOf({ role: role.basedOn, permissions: role.permissions, scope, readOnly: false })}
        />
      )}
      <Notice>{t('onlyWhatYouHold')}</Notice>
      <AccessEnds
        value={lastDay}
        onChange={value => form.set('lastDay', value)}
        error={form.messages.expiresAt}
        disabled={disabled}
      />
    </div>
  );
}

function AccessEnds({
  value,
  onChange,
  error,
  disabled,
}: {
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly error: string | undefined;
  readonly disabled: boolean;
}) {
  const { t } = useTranslation('users');
  const [on, setOn] = useState(value !== '');
  return (
    <div>
      <Switch
        checked={on}
        value={on ? '' : t('ends.never')}
        disabled={disabled}
        onChange={event => {
          setOn(event.currentTarget.checked);
          if (!event.currentTarget.checked) onChange('');
        }}
      >
        {t('ends.title')}
      </Switch>
      {on && (
        <TextField
          name="expiresAt"
          label={t('ends.lastDay')}
          type="date"
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          error={error}
          disabled={disabled}
        />
      )}
    </div>
  );
}
