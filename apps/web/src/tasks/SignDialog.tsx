import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';
import { Notice } from '../ui/Notice.tsx';
import { TextField } from '../ui/TextField.tsx';
import { SignaturePad } from './SignaturePad.tsx';

interface SignProps {
  readonly signedBy: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSign: (picture: Blob, name: string) => void;
  readonly onClose: () => void;
}

/** The name and the signature of the person who takes the delivery. */
export function SignDialog({ signedBy, busy, error, onSign, onClose }: SignProps) {
  const { t } = useTranslation(['tasks', 'forms']);
  const [name, setName] = useState(signedBy);
  const [isEmpty, setEmpty] = useState(false);
  const drawn = useRef<(() => Promise<Blob | null>) | null>(null);
  async function sign(): Promise<void> {
    const picture = await drawn.current?.();
    setEmpty(!picture);
    if (picture) onSign(picture, name.trim());
  }
  return (
    <Dialog open onClose={onClose} title={t('mine.signTitle')} closeLabel={t('forms:close')}>
      {(error || isEmpty) && (
        <Notice tone="critical" role="alert">
          {error ? describeError(error).message : t('mine.needsSignature')}
        </Notice>
      )}
      <TextField
        label={t('mine.signName')}
        value={name}
        maxLength={80}
        autoComplete="off"
        onChange={event => setName(event.currentTarget.value)}
        data-autofocus
      />
      <SignaturePad label={t('mine.signTitle')} clearLabel={t('mine.clear')} picture={drawn} />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button variant="primary" busy={busy} disabled={name.trim() === ''} onClick={() => void sign()}>
          {t('mine.sign')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
