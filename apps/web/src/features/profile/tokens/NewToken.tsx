import { createApiToken, may, newApiTokenSchema, type Permission, TOKEN_SCOPES } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { AREAS, permissionsOfArea } from '../../../people/areas.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './NewToken.module.css';
import { type NewSecretProps, ShownOnce } from './SecretsCard.tsx';

const DAYS = [30, 90, 365, 730] as const;

/** Creates a token: name, permissions and expiry. The token is then shown once. */
export function NewToken({ onMade, onClose }: NewSecretProps) {
  const { t } = useTranslation(['profile', 'forms', 'people']);
  const me = useSession(session => session.me);
  const [token, setToken] = useState<string | null>(null);
  const form = useForm({
    schema: newApiTokenSchema,
    initial: { name: '', scopes: [] as readonly Permission[], expiresInDays: '90', password: '' },
    toBody: values => ({ ...values, expiresInDays: Number(values.expiresInDays) }),
    save: body => call(createApiToken, { body }),
    onSaved: made => {
      setToken(made.token);
      void onMade();
    },
    problemFields: { 'wrong-password': 'password', 'more-than-you-hold': 'scopes' },
  });
  if (token !== null) return <ShownOnce kind="tokens" secret={token} onClose={onClose} />;
  const { scopes } = form.values;
  const offered = AREAS.map(area => ({
    id: area.id,
    permissions: permissionsOfArea(area).filter(
      permission => TOKEN_SCOPES.includes(permission) && me !== null && may(me, permission),
    ),
  })).filter(({ permissions }) => permissions.length > 0);
  const error = form.messages.scopes;
  return (
    <FormFrame form={form}>
      <TextField {...form.text('name')} label={t('tokens.name')} hint={t('tokens.nameHint')} data-autofocus />
      <SelectField
        {...form.text('expiresInDays')}
        label={t('tokens.expires')}
        options={DAYS.map(days => ({ value: String(days), label: t(`tokens.days.${days}`) }))}
      />
      <fieldset className={styles.scopes} aria-describedby={error ? 'scopes-error' : undefined}>
        <legend>{t('tokens.scopes')}</legend>
        {offered.map(({ id, permissions }) => (
          <div key={id}>
            <span>{t(`people:areas.${id}`)}</span>
            {permissions.map(permission => {
              const label = t(kindOf(permission));
              return (
                <Checkbox
                  key={permission}
                  data-field="scopes"
                  aria-label={`${t(`people:areas.${id}`)}: ${label}`}
                  checked={scopes.includes(permission)}
                  onChange={() =>
                    form.set(
                      'scopes',
                      scopes.includes(permission) ? scopes.filter(one => one !== permission) : [...scopes, permission],
                    )
                  }
                >
                  {label}
                </Checkbox>
              );
            })}
          </div>
        ))}
        {error && (
          <p id="scopes-error" className={styles.error}>
            {error}
          </p>
        )}
      </fieldset>
      <PasswordField
        {...form.text('password')}
        label={t('currentPassword')}
        autoComplete="current-password"
        showLabel={t('forms:showPassword')}
      />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('tokens.make')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}

/** `commands.read` sends something out, so it is listed under "do". */
function kindOf(permission: Permission): 'people:see' | 'people:do' | 'people:assign' {
  const area = AREAS.find(one => permissionsOfArea(one).includes(permission));
  if (area?.see === permission) return 'people:see';
  return area?.assign === permission ? 'people:assign' : 'people:do';
}
