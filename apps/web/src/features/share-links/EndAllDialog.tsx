import { revokeSharesBy } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useRefreshShares } from '../../sharing/use-shares.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** The user whose links are ended, and the number of their active links. */
export interface Maker {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

/** Asks for confirmation before ending all links of a user. */
export function EndAllDialog({ maker, onClose }: { readonly maker: Maker; readonly onClose: () => void }) {
  const { t } = useTranslation(['shareLinks', 'forms']);
  const refresh = useRefreshShares();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(revokeSharesBy, { query: { createdBy: maker.id } }),
    onSuccess: ({ shares }) => {
      toast(t('endedAll', { count: shares.length }));
      refresh();
      onClose();
    },
  });
  const { name, count } = maker;
  return (
    <Dialog open onClose={onClose} title={t('endAll', { name, count })} closeLabel={t('forms:close')}>
      <p>{t('endAllText', { name, count })}</p>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('forms:cancel')}
        </Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          {t('endAllAction', { count })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
