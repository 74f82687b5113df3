import { type finishPasskey, passkeyNameSchema, passwordProofSchema, type RouteAnswer } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../base/chunks/load-chunk.ts';
import { PasskeyCancelled } from '../../../base/passkey-support.ts';
import { deviceName } from '../../../format/user-agent.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { TextField } from '../../../ui/TextField.tsx';

interface Props {
  readonly onDone: (answer: RouteAnswer<typeof finishPasskey> | Record<string, never>) => void;
  readonly onCancel: () => void;
}

const schema = passwordProofSchema.extend({ name: passkeyNameSchema });

/**
 * Adds a passkey for this device: the user names it and enters the password, then the browser asks for fingerprint,
 * face or PIN.
 */
export function AddPasskey({ onDone, onCancel }: Props) {
  const { t } = useTranslation(['profile', 'forms']);
  const form = useForm({
    schema,
    initial: { name: deviceName(navigator.userAgent), password: '' },
    save: async ({ password, name }) => {
      try {
        return await (await loadChunk(() => import('../../../base/passkeys.ts'))).makePasskey(password, name);
      } catch (error) {
        // A user who closed the browser's prompt stays here and may try again.
        if (error instanceof PasskeyCancelled) return null;
        throw error;
      }
    },
    onSaved: answer => answer && onDone(answer),
    problemFields: { 'wrong-password': 'password' },
  });
  return (
    <FormFrame form={form}>
      <p>{t('passkey.begin')}</p>
      <TextField {...form.text('name')} label={t('passkey.name')} hint={t('passkey.nameHint')} autoComplete="off" />
      <PasswordField
        {...form.text('password')}
        label={t('currentPassword')}
        autoComplete="current-password"
        showLabel={t('forms:showPassword')}
        data-autofocus
      />
      <DialogActions>
        <Button onClick={onCancel}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('next')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
