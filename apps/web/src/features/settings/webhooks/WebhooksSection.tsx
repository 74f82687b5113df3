import type { Webhook } from '@milepost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Card, SectionFrame } from '../SectionFrame.tsx';
import { useWebhooks } from './queries.ts';
import { SecretShown } from './SecretShown.tsx';
import { WebhookCard } from './WebhookCard.tsx';
import { WebhookForm } from './WebhookForm.tsx';

/** The account's webhooks: where alerts are sent, and the outcome of each delivery. */
export function Component() {
  const { t } = useTranslation(['webhooks', 'settings', 'forms']);
  const { data, error, refetch } = useWebhooks();
  const [adding, setAdding] = useState(false);
  const [edited, setEdited] = useState<Webhook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => {
    setAdding(false);
    setEdited(null);
    setSecret(null);
  };
  const title = t(secret !== null ? 'secret.title' : edited ? 'editTitle' : 'add');
  return (
    <SectionFrame title={t('settings:sections.webhooks')}>
      <Card title={t('title')} text={t('lead')}>
        <div>
          <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        </div>
        {data?.length === 0 && <p>{t('none')}</p>}
        {!data && <ReadState error={error} onRetry={() => void refetch()} />}
      </Card>
      {data?.map(webhook => (
        <WebhookCard
          key={webhook.id}
          webhook={webhook}
          isAlone={data.length === 1}
          onEdit={() => setEdited(webhook)}
          onSecret={setSecret}
        />
      ))}
      <Dialog
        open={adding || edited !== null || secret !== null}
        onClose={close}
        title={title}
        closeLabel={t('forms:close')}
      >
        {secret !== null ? (
          <SecretShown secret={secret} onClose={close} />
        ) : (
          <WebhookForm
            key={edited?.id}
            webhook={edited}
            onClose={close}
            onSaved={made => (made === null ? close() : setSecret(made))}
          />
        )}
      </Dialog>
    </SectionFrame>
  );
}
