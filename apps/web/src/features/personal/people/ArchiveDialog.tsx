import { type Driver, updateDriver } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { listOf } from '../../../format/locale.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';

interface Props {
  readonly people: readonly Driver[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Archives drivers: their card and vehicle become free, the history stays. */
export function ArchiveDialog({ people, onClose, onDone }: Props) {
  const { t } = useTranslation(['personal', 'forms']);
  const words = { count: people.length, name: people[0]?.name ?? '' };
  const signedIn = people.filter(({ vehicle }) => vehicle?.source === 'signed-in');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      for (const { id } of people) await call(updateDriver, { params: { id }, body: { archived: true } });
    },
    onSuccess: () => {
      toast(t('archive.done', words));
      onDone();
    },
    // Some may have been archived before one failed.
    onSettled: () => void changedHere(['driver', ...people.map(({ id }) => id)]),
  });
  return (
    <Dialog open onClose={onClose} title={t('archive.title', words)} closeLabel={t('forms:close')}>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {signedIn.length > 0 && (
        <Notice tone="warning">{t('archive.signedIn', { names: listOf(signedIn.map(({ name }) => name)) })}</Notice>
      )}
      <p>{t('archive.text', words)}</p>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('forms:cancel')}
        </Button>
        <Button variant="primary" busy={isPending} onClick={() => mutate()}>
          {t('archive.action')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
