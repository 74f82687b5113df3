import {
  ROLES,
  type Role,
  SIGN_ON_PASSWORDS,
  type SignOn,
  type SignOnGroup,
  signOnInputSchema,
  updateSignOn,
} from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Card } from '../SectionFrame.tsx';
import { GroupRows } from './GroupRows.tsx';
import styles from './SignOn.module.css';
import { TryProvider } from './TryProvider.tsx';

type Settings = NonNullable<SignOn['settings']>;

/** No role for users in none of the groups. */
const REFUSED = '';

const valuesOf = (settings: Settings | null) => ({
  enabled: settings?.enabled ?? true,
  label: settings?.label ?? '',
  issuer: settings?.issuer ?? '',
  clientId: settings?.clientId ?? '',
  clientSecret: '',
  scopes: settings?.scopes ?? 'email profile',
  groupsClaim: settings?.groupsClaim ?? 'groups',
  groups: (settings?.groups ?? []) as readonly SignOnGroup[],
  defaultRole: (settings ? (settings.defaultRole ?? REFUSED) : 'viewer') as string,
  domains: settings?.domains.join(', ') ?? '',
  createUsers: settings?.createUsers ?? false,
  matchByEmail: settings?.matchByEmail ?? false,
  passwords: (settings?.passwords ?? 'everyone') as string,
  trustSecondFactor: settings?.trustSecondFactor ?? false,
  signOutToo: settings?.signOutToo ?? false,
});

interface Props {
  /** Null: set one up. */
  readonly settings: Settings | null;
  readonly onSaved: (signOn: SignOn) => void;
  readonly onRemove: () => void;
}

/** The provider, who may come in by it, and as what. */
export function SignOnForm({ settings, onSaved, onRemove }: Props) {
  const { t } = useTranslation(['signOn', 'settings', 'shell']);
  const form = useForm({
    schema: signOnInputSchema,
    initial: valuesOf(settings),
    toBody: ({ defaultRole, domains, ...rest }) => ({
      ...rest,
      defaultRole: defaultRole === REFUSED ? null : (defaultRole as Role),
      domains: domains.split(/[\s,;]+/).filter(domain => domain !== ''),
    }),
    save: body => call(updateSignOn, { body }),
    onSaved,
    // What was saved comes back as the server has it; the secret never does.
    held: answer => valuesOf(answer.settings),
  });
  return (
    <FormFrame form={form} guarded label={t('settings:sections.signOn')}>
      <Card title={t('provider.title')} text={t('provider.text')}>
        <div className={styles.stack}>
          <Switch {...form.flag('enabled')}>{t('provider.enabled')}</Switch>
          <TextField {...form.text('label')} label={t('provider.label')} hint={t('provider.labelHint')} />
          <TextField
            {...form.text('issuer')}
            type="url"
            spellCheck={false}
            label={t('provider.issuer')}
            hint={t('provider.issuerHint')}
          />
          <TryProvider issuer={form.values.issuer} />
          <div className={styles.pair}>
            <TextField
              {...form.text('clientId')}
              autoComplete="off"
              spellCheck={false}
              label={t('provider.clientId')}
            />
            <TextField
              {...form.text('clientSecret')}
              type="password"
              autoComplete="off"
              label={t('provider.clientSecret')}
              {...(settings?.hasSecret && { hint: t('provider.secretKept') })}
            />
          </div>
          <TextField
            {...form.text('scopes')}
            spellCheck={false}
            label={t('provider.scopes')}
            hint={t('provider.scopesHint')}
          />
          <Switch {...form.flag('signOutToo')} hint={t('provider.signOutHint')}>
            {t('provider.signOutToo')}
          </Switch>
        </div>
      </Card>
      <Card title={t('who.title')}>
        <div className={styles.stack}>
          <TextField
            {...form.text('domains')}
            spellCheck={false}
            label={t('who.domains')}
            hint={t('who.domainsHint')}
          />
          <Switch {...form.flag('createUsers')} hint={t('who.createHint')}>
            {t('who.create')}
          </Switch>
          <Switch {...form.flag('matchByEmail')} hint={t('who.matchHint')}>
            {t('who.match')}
          </Switch>
          <Switch {...form.flag('trustSecondFactor')} hint={t('who.factorHint')}>
            {t('who.factor')}
          </Switch>
          <SelectField
            {...form.text('passwords')}
            label={t('who.passwords')}
            hint={t('who.passwordsHint')}
            options={SIGN_ON_PASSWORDS.map(value => ({ value, label: t(`who.${value}`) }))}
          />
        </div>
      </Card>
      <Card title={t('roles.title')} text={t('roles.text')}>
        <div className={styles.stack}>
          <TextField
            {...form.text('groupsClaim')}
            spellCheck={false}
            label={t('roles.claim')}
            hint={t('roles.claimHint')}
          />
          <GroupRows
            groups={form.values.groups}
            onChange={groups => form.set('groups', groups)}
            error={form.messages.groups}
          />
          <SelectField
            {...form.text('defaultRole')}
            label={t('roles.otherwise')}
            options={[
              { value: REFUSED, label: t('roles.refused') },
              ...ROLES.map(role => ({ value: role, label: t(`shell:role.${role}`) })),
            ]}
          />
        </div>
      </Card>
      <SaveBar form={form}>
        {settings && (
          <Button variant="text" onClick={onRemove}>
            {t('remove.button')}
          </Button>
        )}
      </SaveBar>
    </FormFrame>
  );
}
