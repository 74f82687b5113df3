import { confirmTotp, type RouteAnswer, startTotp, totpConfirmationSchema } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { ProofForm } from './ProofForm.tsx';
import styles from './Security.module.css';

interface Props {
  readonly onDone: (answer: RouteAnswer<typeof confirmTotp>) => void;
  readonly onCancel: () => void;
}

/** Sets up an authenticator app in three steps: password, QR code, and a code from the app. */
export function SetUpTotp({ onDone, onCancel }: Props) {
  const { t } = useTranslation('profile');
  const [begun, setBegun] = useState<RouteAnswer<typeof startTotp> | null>(null);
  if (begun) return <Confirm begun={begun} onDone={onDone} onCancel={onCancel} />;
  return (
    <ProofForm
      text={t('totp.begin')}
      submit={t('next')}
      run={body => call(startTotp, { body })}
      onDone={setBegun}
      onCancel={onCancel}
    />
  );
}

function Confirm({ begun, onDone, onCancel }: Props & { readonly begun: RouteAnswer<typeof startTotp> }) {
  const { t } = useTranslation(['profile', 'forms']);
  const form = useForm({
    schema: totpConfirmationSchema,
    initial: { code: '' },
    save: body => call(confirmTotp, { body }),
    onSaved: onDone,
    problemFields: { 'wrong-code': 'code' },
  });
  return (
    <FormFrame form={form}>
      <p>{t('totp.scan')}</p>
      <QrCode text={begun.uri} label={t('totp.qr')} />
      <details className={styles.byHand}>
        <summary>{t('totp.byHand')}</summary>
        <CopyLine text={inGroups(begun.secret)} label={t('totp.copy')} copied={t('totp.copied')} />
      </details>
      <TextField
        {...form.text('code')}
        label={t('totp.code')}
        hint={t('totp.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={7}
        autoFocus
      />
      <DialogActions>
        <Button onClick={onCancel}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('totp.finish')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}

/** Four letters at a time are easier to type. */
const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;
