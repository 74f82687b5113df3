import { deleteWebhook, renewWebhookSecret, testWebhook, updateWebhook, type Webhook } from '@milepost/contract';
import { IconChevronDown, IconChevronUp, IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { RemoveDialog } from '../../../ui/RemoveDialog.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { Card } from '../SectionFrame.tsx';
import { Deliveries } from './Deliveries.tsx';
import { useOutcome } from './outcome.ts';
import { useRefresh } from './queries.ts';
import styles from './Webhooks.module.css';

interface Props {
  readonly webhook: Webhook;
  /** It is the account's only webhook. */
  readonly isAlone: boolean;
  readonly onEdit: () => void;
  readonly onSecret: (secret: string) => void;
}

const refused = (error: Error): void => toast(describeError(error).message, 'error');

/** A webhook: what is sent to it, whether that works, and each delivery. */
export function WebhookCard({ webhook, isAlone, onEdit, onSecret }: Props) {
  const { t } = useTranslation(['webhooks', 'alerts', 'forms']);
  const { enabled, failed, failing, id, kinds, lastDeliveredAt, name, needsAddress, severities, url, waiting } =
    webhook;
  const now = useNow();
  const refresh = useRefresh();
  const outcomeOf = useOutcome();
  const [isOpen, setOpen] = useState(isAlone);
  const [asked, setAsked] = useState<'delete' | 'secret' | null>(null);
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  const params = { id };
  const turn = useMutation({
    mutationFn: (on: boolean) => call(updateWebhook, { params, body: { enabled: on } }),
    onError: refused,
    onSettled: refresh,
  });
  const test = useMutation({ mutationFn: () => call(testWebhook, { params }), onSettled: refresh });
  const renew = useMutation({
    mutationFn: () => call(renewWebhookSecret, { params }),
    onSuccess: ({ secret }) => {
      setAsked(null);
      onSecret(secret);
    },
    onError: refused,
  });
  const remove = useMutation({
    mutationFn: () => call(deleteWebhook, { params }),
    onSuccess: async () => {
      setAsked(null);
      await refresh();
      toast(t('deleted', { name }));
    },
  });
  const which = [
    severities.map(severity => t(`alerts:severity.${severity}`)).join(', '),
    kinds === null ? t('everyKind') : kinds.map(kind => t(`alerts:kind.${kind}`)).join(', '),
  ].join(' · ');
  return (
    <Card title={name} text={<code className={styles.url}>{url}</code>}>
      <Switch
        checked={turn.isPending ? turn.variables : enabled}
        disabled={turn.isPending}
        onChange={event => turn.mutate(event.currentTarget.checked)}
        aria-label={t('onNamed', { name })}
      >
        {t('on')}
      </Switch>
      {needsAddress && <Notice tone="warning">{t('needsAddress')}</Notice>}
      {enabled && failing && (
        <Notice tone="critical">
          {t('failing', {
            time: formatMoment(Date.parse(failing.at), now),
            outcome: outcomeOf({ ...failing, tookMs: null }),
          })}
        </Notice>
      )}
      <FactList
        facts={[
          [t('alerts'), which],
          [t('lastDelivered'), lastDeliveredAt === null ? t('never') : formatMoment(Date.parse(lastDeliveredAt), now)],
          [t('waiting'), waiting > 0 && t('count', { count: waiting })],
          [t('failed'), failed > 0 && t('count', { count: failed })],
        ]}
      />
      <div className={styles.actions}>
        <Button
          busy={test.isPending}
          icon={<IconSend size={16} stroke={1.75} aria-hidden />}
          onClick={() => test.mutate()}
          aria-label={t('testNamed', { name })}
        >
          {t('test')}
        </Button>
        <Button onClick={onEdit} aria-label={t('editNamed', { name })}>
          {t('edit')}
        </Button>
        <Button onClick={() => setAsked('secret')} aria-label={t('secret.replaceNamed', { name })}>
          {t('secret.replace')}
        </Button>
        <Button onClick={() => setAsked('delete')} aria-label={t('deleteNamed', { name })}>
          {t('delete')}
        </Button>
        <Button
          icon={<Chevron size={16} stroke={1.75} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          aria-label={t('deliveries.of', { name })}
        >
          {t('deliveries.title')}
        </Button>
      </div>
      <div className={styles.outcome}>
        <div role="status">
          {test.error && <Notice tone="critical">{describeError(test.error).message}</Notice>}
          {!test.isPending && test.data && (
            <Notice tone={test.data.state === 'delivered' ? 'ok' : 'warning'}>
              {t(test.data.state === 'delivered' ? 'testDelivered' : 'testFailed', { outcome: outcomeOf(test.data) })}
            </Notice>
          )}
        </div>
      </div>
      {isOpen && <Deliveries webhook={webhook} />}
      <Dialog
        open={asked === 'secret'}
        onClose={() => setAsked(null)}
        role="alertdialog"
        title={t('secret.replaceNamed', { name })}
        closeLabel={t('forms:close')}
      >
        <p className={styles.question}>{t('secret.replaceText')}</p>
        <DialogActions>
          <Button onClick={() => setAsked(null)}>{t('forms:cancel')}</Button>
          <Button variant="primary" busy={renew.isPending} onClick={() => renew.mutate()} data-autofocus>
            {t('secret.replace')}
          </Button>
        </DialogActions>
      </Dialog>
      {asked === 'delete' && (
        <RemoveDialog
          open
          onClose={() => setAsked(null)}
          onConfirm={() => remove.mutate()}
          title={t('deleteNamed', { name })}
          word={name}
          wordLabel={t('deleteWord', { name })}
          confirmLabel={t('delete')}
          cancelLabel={t('forms:cancel')}
          closeLabel={t('forms:close')}
          busy={remove.isPending}
          error={remove.error ? describeError(remove.error).message : undefined}
        >
          <p>{t('deleteText')}</p>
        </RemoveDialog>
      )}
    </Card>
  );
}
