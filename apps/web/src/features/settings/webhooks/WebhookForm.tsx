import {
  ALERT_KINDS,
  type AlertKind,
  createWebhook,
  newWebhookSchema,
  SEVERITIES,
  type Severity,
  updateWebhook,
  type Webhook,
} from '@milepost/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from './queries.ts';
import styles from './Webhooks.module.css';

interface Props {
  /** Null: add a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** `secret` is that of a new webhook. */
  readonly onSaved: (secret: string | null) => void;
}

const valuesOf = (webhook: Webhook | null) => ({
  name: webhook?.name ?? '',
  // The host alone is no address.
  url: webhook === null || webhook.needsAddress ? '' : webhook.url,
  severities: webhook?.severities ?? (['critical', 'warning'] as readonly Severity[]),
  allKinds: webhook === null || webhook.kinds === null,
  kinds: webhook?.kinds ?? ([] as readonly AlertKind[]),
  enabled: webhook?.enabled ?? true,
});

/** Where to send alerts, and which. */
export function WebhookForm({ webhook, onClose, onSaved }: Props) {
  const { t } = useTranslation(['webhooks', 'alerts', 'forms']);
  const refresh = useRefresh();
  const form = useForm({
    schema: newWebhookSchema,
    initial: valuesOf(webhook),
    toBody: ({ allKinds, kinds, ...values }) => ({ ...values, kinds: allKinds ? null : kinds }),
    save: async body => {
      if (webhook === null) return (await call(createWebhook, { body })).secret;
      await call(updateWebhook, { params: { id: webhook.id }, body });
      return null;
    },
    onSaved: secret => {
      void refresh();
      if (secret === null) toast(t('forms:saved'));
      onSaved(secret);
    },
    problemFields: { 'webhook-name-taken': 'name' },
  });
  const { allKinds, kinds, severities } = form.values;
  const toggled = <T,>(all: readonly T[], chosen: readonly T[], one: T): T[] =>
    all.filter(each => (each === one ? !chosen.includes(one) : chosen.includes(each)));
  return (
    <FormFrame form={form}>
      <TextField {...form.text('name')} label={t('name')} hint={t('nameHint')} data-autofocus />
      <TextField {...form.text('url')} type="url" inputMode="url" label={t('url')} hint={t('urlHint')} />
      <Choices legend={t('severities')} field="severities" error={form.messages.severities}>
        {SEVERITIES.map(severity => (
          <Checkbox
            key={severity}
            data-field="severities"
            checked={severities.includes(severity)}
            onChange={() => form.set('severities', toggled(SEVERITIES, severities, severity))}
          >
            {t(`alerts:severity.${severity}`)}
          </Checkbox>
        ))}
      </Choices>
      <Switch {...form.flag('allKinds')} hint={t('allKindsHint')}>
        {t('allKinds')}
      </Switch>
      {!allKinds && (
        <Choices legend={t('kinds')} field="kinds" error={form.messages.kinds}>
          {ALERT_KINDS.map(kind => (
            <Checkbox
              key={kind}
              data-field="kinds"
              checked={kinds.includes(kind)}
              onChange={() => form.set('kinds', toggled(ALERT_KINDS, kinds, kind))}
            >
              {t(`alerts:kind.${kind}`)}
            </Checkbox>
          ))}
        </Choices>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t(webhook === null ? 'add' : 'forms:save')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}

interface ChoicesProps {
  readonly legend: string;
  readonly field: string;
  readonly error: string | undefined;
  readonly children: ReactNode;
}

function Choices({ legend, field, error, children }: ChoicesProps) {
  const errorId = `${field}-error`;
  return (
    <fieldset className={styles.choices} aria-describedby={error ? errorId : undefined}>
      <legend>{legend}</legend>
      <div>{children}</div>
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
