import {
  may,
  type NotificationSettings,
  notificationSettingsSchema,
  updateNotificationSettings,
} from '@milepost/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { KindTable } from '../../../notifications/KindTable.tsx';
import { QuietFields } from '../../../notifications/QuietFields.tsx';
import { quietBody, quietValues } from '../../../notifications/quiet-values.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from '../SettingsForm.module.css';
import { NOTIFICATIONS_QUERY, type NotificationsAnswer } from './notification-settings.ts';

/** The suggested number of minutes. */
const A_QUARTER = '15';

const valuesOf = (settings: NotificationSettings) => ({
  mail: settings.mail,
  kinds: settings.kinds,
  quiet: settings.quietFrom !== null,
  ...quietValues(settings),
  escalates: settings.escalateAfterMinutes !== null,
  escalateAfterMinutes: String(settings.escalateAfterMinutes ?? A_QUARTER),
});

const bodyOf = ({ mail, kinds, quiet, escalates, escalateAfterMinutes, ...times }: ReturnType<typeof valuesOf>) => ({
  ...{ mail, kinds, ...quietBody(times, quiet) },
  escalateAfterMinutes: escalates ? Number(escalateAfterMinutes) : null,
});

/** The organization's settings for alert e-mails. */
export function NotificationsForm({ answer }: { readonly answer: NotificationsAnswer }) {
  const { t } = useTranslation(['notifications', 'forms', 'settings']);
  const queries = useQueryClient();
  const writable = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const form = useForm({
    schema: notificationSettingsSchema,
    initial: valuesOf(answer.settings),
    toBody: bodyOf,
    save: body => call(updateNotificationSettings, { body }),
    onSaved: saved => {
      queries.setQueryData(NOTIFICATIONS_QUERY, saved);
      toast(t('forms:saved'));
    },
  });
  const { mail, kinds, quiet, escalates } = form.values;
  return (
    <FormFrame form={form} guarded label={t('settings:sections.notifications')}>
      <fieldset className={styles.fields} disabled={!writable}>
        <Card title={t('mail.title')} text={t('mail.text')}>
          <Switch {...form.flag('mail')}>{t('mail.switch')}</Switch>
          {!answer.delivery.works && <Notice tone="warning">{t('mail.noServer')}</Notice>}
        </Card>
        {mail && (
          <>
            <Card title={t('kinds.title')} text={t('kinds.text')}>
              <KindTable
                chosen={kinds}
                onChoose={chosen => form.set('kinds', chosen)}
                label={t('kinds.title')}
                disabled={!writable}
              />
            </Card>
            <Card title={t('quiet.title')} text={t('quiet.text')}>
              <Switch {...form.flag('quiet')}>{t('quiet.switch')}</Switch>
              {quiet && <QuietFields form={form} zone={answer.timeZone} />}
            </Card>
            <Card title={t('escalation.title')} text={t('escalation.text')}>
              <Switch {...form.flag('escalates')}>{t('escalation.switch')}</Switch>
              {escalates && (
                <div className={styles.short}>
                  <TextField
                    {...form.text('escalateAfterMinutes')}
                    type="number"
                    inputMode="numeric"
                    label={t('escalation.minutes')}
                  />
                </div>
              )}
            </Card>
          </>
        )}
      </fieldset>
      {writable && <SaveBar form={form} />}
    </FormFrame>
  );
}
