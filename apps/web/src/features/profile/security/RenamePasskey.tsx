import { passkeyChangeSchema, renamePasskey } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { TextField } from '../../../ui/TextField.tsx';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly onDone: (answer: object) => void;
  readonly onCancel: () => void;
}

export function RenamePasskey({ id, name, onDone, onCancel }: Props) {
  const { t } = useTranslation(['profile', 'forms']);
  const form = useForm({
    schema: passkeyChangeSchema,
    initial: { name },
    save: body => call(renamePasskey, { params: { id }, body }),
    onSaved: onDone,
  });
  return (
    <FormFrame form={form}>
      <TextField {...form.text('name')} label={t('passkey.name')} autoComplete="off" data-autofocus />
      <DialogActions>
        <Button onClick={onCancel}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('forms:save')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
