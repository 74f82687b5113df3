import { mailHandedFile } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';

/** Sends a file that was made to the address that the officer names. */
export function MailFile({ id }: { readonly id: string }) {
  const { t } = useTranslation('eldDriverMore');
  const [to, setTo] = useState('');
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ readonly tone: 'ok' | 'critical'; readonly text: string } | null>(null);

  async function send(): Promise<void> {
    setBusy(true);
    setResult(null);
    try {
      const { outcome } = await call(mailHandedFile, { params: { id }, body: { to: to.trim() } });
      setResult(
        outcome === 'sent'
          ? { tone: 'ok', text: t('roadside.sent', { address: to.trim() }) }
          : { tone: 'critical', text: t(`roadside.mailFailed.${outcome}`) },
      );
    } catch (failure) {
      setResult({ tone: 'critical', text: describeError(failure).message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      className={`${styles.form} ${styles.apart}`}
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        label={t('roadside.mail')}
        hint={t('roadside.mailHint')}
        type="email"
        value={to}
        required
        autoComplete="off"
        onChange={event => setTo(event.target.value)}
      />
      {result && (
        <Notice tone={result.tone} role="status">
          {result.text}
        </Notice>
      )}
      <Button type="submit" size="large" wide busy={busy}>
        {t('roadside.send')}
      </Button>
    </form>
  );
}
