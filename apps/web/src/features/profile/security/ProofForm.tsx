import { passwordProofSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';

interface Props<A> {
  /** Explains what will happen. */
  readonly text: string;
  readonly submit: string;
  readonly run: (proof: { readonly password: string }) => Promise<A>;
  readonly onDone: (answer: A) => void;
  readonly onCancel: () => void;
}

/** Asks for the password again before something that only the account's user may do. */
export function ProofForm<A>({ text, submit, run, onDone, onCancel }: Props<A>) {
  const { t } = useTranslation(['profile', 'forms']);
  const form = useForm({
    schema: passwordProofSchema,
    initial: { password: '' },
    save: run,
    onSaved: onDone,
    problemFields: { 'wrong-password': 'password' },
  });
  return (
    <FormFrame form={form}>
      <p>{text}</p>
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
          {submit}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
