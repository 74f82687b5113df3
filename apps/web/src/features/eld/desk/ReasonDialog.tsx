import { reasonSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';

interface Props {
  readonly title: string;
  /** What it does, above the field. */
  readonly text?: string;
  readonly label: string;
  readonly hint: string;
  readonly action: string;
  /** The message when it is saved. */
  readonly done: string;
  readonly save: (body: { readonly reason: string }) => Promise<unknown>;
  readonly onClose: () => void;
}

const schema = z.object({ reason: reasonSchema });

/** Asks for 4 to 60 characters that are kept with the log. */
export function ReasonDialog({ title, text, label, hint, action, done, save, onClose }: Props) {
  const { t } = useTranslation('forms');
  const refresh = useRefresh();
  const form = useForm({
    schema,
    initial: { reason: '' },
    save,
    onSaved: () => {
      toast(done);
      void refresh();
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('close')}>
      <FormFrame form={form}>
        {text && <p>{text}</p>}
        <TextField
          {...form.text('reason')}
          label={label}
          hint={hint}
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" busy={form.saving}>
            {action}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
