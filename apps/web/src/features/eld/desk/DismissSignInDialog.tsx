import { type BoardRow, dismissSignIn, reasonSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';

interface Props {
  readonly driver: Pick<BoardRow, 'driverId' | 'name'>;
  readonly onClose: () => void;
}

const schema = z.object({ reason: reasonSchema });

/** Takes the sign-in of a lost phone off the board. A phone that comes back brings it back. */
export function DismissSignInDialog({ driver: { driverId, name }, onClose }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const refresh = useRefresh();
  const form = useForm({
    schema,
    initial: { reason: '' },
    save: body => call(dismissSignIn, { params: { driverId }, body }),
    onSaved: () => {
      toast(t('standing.dismiss.done', { name }));
      void refresh();
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('standing.dismiss.title', { name })} closeLabel={t('forms:close')}>
      <FormFrame form={form}>
        <p>{t('standing.dismiss.text')}</p>
        <TextField
          {...form.text('reason')}
          label={t('standing.dismiss.reason')}
          hint={t('standing.dismiss.hint')}
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button variant="primary" type="submit" busy={form.saving}>
            {t('standing.dismiss.action')}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
