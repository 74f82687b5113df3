import {
  type NotificationChoice,
  notificationChoiceSchema,
  QUIET_CHOICES,
  updateMyNotifications,
} from '@milepost/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { KindTable } from '../../../notifications/KindTable.tsx';
import { MY_NOTIFICATIONS_QUERY, type MyNotifications } from '../../../notifications/my-notifications.ts';
import { QuietFields } from '../../../notifications/QuietFields.tsx';
import { quietBody, quietValues } from '../../../notifications/quiet-values.ts';
import { ReceivedFacts } from '../../../notifications/ReceivedFacts.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Card.module.css';
import { Card } from '../Card.tsx';

const WHOSE = ['organisation', 'own'] as const;

/** The suggested number of alerts. */
const TWENTY = '20';

const valuesOf = ({ choice, organisation }: Pick<MyNotifications, 'choice' | 'organisation'>) => ({
  which: choice.kinds === null ? 'organisation' : 'own',
  kinds: choice.kinds ?? organisation.kinds,
  escalations: choice.escalations,
  quiet: choice.quiet as string,
  limits: choice.dailyLimit !== null,
  dailyLimit: String(choice.dailyLimit ?? TWENTY),
  ...quietValues(choice),
});

const bodyOf = ({ which, kinds, escalations, quiet, limits, dailyLimit, ...times }: ReturnType<typeof valuesOf>) => ({
  kinds: which === 'own' ? kinds : null,
  escalations,
  quiet: quiet as NotificationChoice['quiet'],
  ...quietBody(times, quiet === 'own'),
  dailyLimit: limits ? Number(dailyLimit) : null,
});

export function ChoiceForm({ answer }: { readonly answer: MyNotifications }) {
  const { t } = useTranslation(['notifications', 'forms']);
  const queries = useQueryClient();
  const { getsEscalations, mayReadAlerts, organisation, organisationTimeZone, timeZone } = answer;
  const form = useForm({
    schema: notificationChoiceSchema,
    initial: valuesOf(answer),
    toBody: bodyOf,
    save: body => call(updateMyNotifications, { body }),
    onSaved: saved => {
      queries.setQueryData(MY_NOTIFICATIONS_QUERY, saved);
      toast(t('forms:saved'));
    },
  });
  const { which, kinds, limits, quiet } = form.values;
  const isOwn = which === 'own';
  const { quietFrom: from, quietTo: to } = organisation;
  const organisationHours =
    from === null || to === null ? t('mine.noQuiet') : t('mine.quiet', { from, to, zone: organisationTimeZone });
  return (
    <FormFrame form={form} guarded label={t(mayReadAlerts ? 'mine.title' : 'quiet.title')}>
      {mayReadAlerts && (
        <Card title={t('mine.title')} lead={t('mine.lead')}>
          <div className={styles.fields}>
            <SelectField
              {...form.text('which')}
              label={t('mine.which')}
              options={WHOSE.map(value => ({ value, label: t(`mine.whose.${value}`) }))}
            />
          </div>
          <KindTable
            chosen={isOwn ? kinds : organisation.kinds}
            onChoose={chosen => form.set('kinds', chosen)}
            label={t('mine.title')}
            disabled={!isOwn}
          />
          {getsEscalations && (
            <Switch {...form.flag('escalations')} hint={t('mine.escalationsHint')}>
              {t('mine.escalations')}
            </Switch>
          )}
        </Card>
      )}
      <Card title={t('quiet.title')} lead={t(mayReadAlerts ? 'quiet.text' : 'quiet.textLog')}>
        <div className={styles.fields}>
          <SelectField
            {...form.text('quiet')}
            label={t('mine.when')}
            options={QUIET_CHOICES.map(value => ({ value, label: t(`mine.whenChoices.${value}`) }))}
            hint={quiet === 'organisation' && organisationHours}
          />
        </div>
        {quiet === 'own' && <QuietFields form={form} zone={timeZone} ofAlerts={mayReadAlerts} />}
      </Card>
      {mayReadAlerts && (
        <Card title={t('limit.title')} lead={t('limit.lead')}>
          <Switch {...form.flag('limits')} hint={t('limit.hint')}>
            {t('limit.switch')}
          </Switch>
          {limits && (
            <div className={styles.fields}>
              <TextField {...form.text('dailyLimit')} type="number" inputMode="numeric" label={t('limit.most')} />
            </div>
          )}
          <ReceivedFacts today={answer.today} received={answer.received} />
        </Card>
      )}
      <SaveBar form={form} />
    </FormFrame>
  );
}
