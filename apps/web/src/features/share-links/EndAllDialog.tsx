import { revokeSharesBy } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { toast } from '../../base/toasts/toast.ts';
import { Question } from '../../forms/Question.tsx';
import { useRefreshShares } from '../../sharing/use-shares.ts';

/** The user whose links are ended, and the number of their active links. */
export interface Maker {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

/** Asks for confirmation before ending all links of a user. */
export function EndAllDialog({ maker, onClose }: { readonly maker: Maker; readonly onClose: () => void }) {
  const { t } = useTranslation('shareLinks');
  const refresh = useRefreshShares();
  const { id, name, count } = maker;
  return (
    <Question
      title={t('endAll', { name, count })}
      action={t('endAllAction', { count })}
      act={() => call(revokeSharesBy, { query: { createdBy: id } })}
      onDone={({ shares }) => {
        toast(t('endedAll', { count: shares.length }));
        refresh();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t('endAllText', { name, count })}</p>
    </Question>
  );
}
