import {
  controlRulesChangeSchema,
  may,
  type RouteAnswer,
  readControlRules,
  updateControlRules,
} from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatDate, isoDateOf } from '../../../format/date.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { Card } from '../SectionFrame.tsx';

const QUERY = ['control-rules'] as const;
type Rules = RouteAnswer<typeof readControlRules>;

/** Whether dangerous commands need a second person, what that means here, and the switch for owners. */
export function SecondPersonRule({ isSet }: { readonly isSet: boolean }) {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({ queryKey: QUERY, queryFn: () => call(readControlRules) });
  const maySwitch = useSession(({ me }) => me !== null && may(me, 'owners.write'));
  if (!data) return <ReadState error={error} onRetry={() => void refetch()} />;
  return (
    <Card title={t('commands.second.title')} text={t('commands.second.text')}>
      <Meaning rules={data} />
      {maySwitch && isSet ? (
        <RuleForm key={String(data.secondPerson)} rules={data} />
      ) : (
        <Switch
          checked={data.secondPerson}
          disabled
          hint={t(maySwitch ? 'commands.second.noPassword' : 'commands.second.ownerOnly')}
        >
          {t('commands.second.switch')}
        </Switch>
      )}
    </Card>
  );
}

function Meaning({ rules: { secondPerson, people, changedAt, changedBy } }: { readonly rules: Rules }) {
  const { t } = useTranslation('settings');
  const changed =
    changedAt !== null && changedBy !== null
      ? t('commands.second.changedBy', { who: changedBy, date: formatDate(isoDateOf(Date.parse(changedAt))) })
      : '';
  if (!secondPerson) return <Notice tone="warning">{`${t('commands.second.off')} ${changed}`}</Notice>;
  if (people < 2) return <Notice>{`${t('commands.second.alone')} ${changed}`}</Notice>;
  const meaning = `${t('commands.second.people', { count: people })} ${t('commands.second.nobodyElse')}`;
  return <Notice tone="ok">{`${meaning} ${changed}`}</Notice>;
}

function RuleForm({ rules }: { readonly rules: Rules }) {
  const { t } = useTranslation(['settings', 'forms']);
  const queries = useQueryClient();
  const form = useForm({
    schema: controlRulesChangeSchema,
    initial: { secondPerson: rules.secondPerson, controlPassword: '' },
    save: body => call(updateControlRules, { body }),
    held: ({ secondPerson }) => ({ secondPerson, controlPassword: '' }),
    onSaved: saved => {
      queries.setQueryData(QUERY, saved);
      toast(t('commands.second.saved'));
    },
    problemFields: {
      'control-password-wrong': 'controlPassword',
      'control-password-missing': 'controlPassword',
      'controls-locked': 'controlPassword',
    },
  });
  return (
    <FormFrame form={form} guarded label={t('commands.second.title')}>
      <Switch {...form.flag('secondPerson')}>{t('commands.second.switch')}</Switch>
      {form.values.secondPerson !== rules.secondPerson && (
        <>
          <PasswordField
            {...form.text('controlPassword')}
            label={t('commands.password')}
            autoComplete="off"
            showLabel={t('commands.show')}
          />
          <DialogActions>
            <Button type="submit" variant="primary" busy={form.saving}>
              {t('forms:save')}
            </Button>
          </DialogActions>
        </>
      )}
    </FormFrame>
  );
}
