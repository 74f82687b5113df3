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
  readonly save: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

const schema = z.object({ text: reasonSchema });

/** Adds a remark to a record: 4 to 60 characters, stored with the log. */
export function AnnotateDialog({ title, save, onClose }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const refresh = useRefresh();
  const form = useForm({
    schema,
    initial: { text: '' },
    save: ({ text }) => save(text),
    onSaved: () => {
      toast(t('annotate.done'));
      void refresh();
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('forms:close')}>
      <FormFrame form={form}>
        <TextField
          {...form.text('text')}
          label={t('annotate.text')}
          hint={t('annotate.hint')}
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button variant="primary" type="submit" busy={form.saving}>
            {t('annotate.action')}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
