import { cancelEmailChange, readEmail, type EmailState as State, sendEmailLink } from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatAge } from '../../../format/duration.ts';
import { useFromNow } from '../../../live/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from '../Card.module.css';

const MINUTE_MS = 60_000;
/** Under the user's key, so that it is reloaded whenever the user is. */
const QUERY_KEY = ['me', 'email'];

/** Whether the user's e-mail address is confirmed, which new one is still unconfirmed, and what to do about it. */
export function EmailState() {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const { data } = useQuery({ queryKey: QUERY_KEY, queryFn: () => call(readEmail), staleTime: 0 });
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (act: 'send' | 'cancel') => call(act === 'send' ? sendEmailLink : cancelEmailChange),
    onSuccess: (state, act) => {
      queryClient.setQueryData(QUERY_KEY, state);
      toast(act === 'send' ? t('email.sent', { email: state.pending?.email ?? '' }) : t('email.cancelled'));
    },
  });
  if (!data) return null;
  const { email, confirmed, pending, canSend } = data;
  if (!pending && (email === null || confirmed)) return null;
  return (
    <Notice tone={pending ? 'info' : 'warning'}>
      {pending ? (
        <Waiting email={email} pending={pending} />
      ) : (
        t(canSend ? 'email.unconfirmed' : 'email.cannotSend', { email })
      )}
      {canSend && (
        <div className={styles.noticeActions}>
          <Button busy={isPending && variables === 'send'} onClick={() => mutate('send')}>
            {t(pending ? 'email.again' : 'email.send')}
          </Button>
          {pending && (
            <Button busy={isPending && variables === 'cancel'} onClick={() => mutate('cancel')}>
              {t('email.cancel')}
            </Button>
          )}
        </div>
      )}
      {error && <p role="alert">{describeError(error).message}</p>}
    </Notice>
  );
}

function Waiting({
  email,
  pending,
}: {
  readonly email: string | null;
  readonly pending: NonNullable<State['pending']>;
}) {
  const { t } = useTranslation('profile');
  const sentMs = Date.parse(pending.sentAt);
  const age = useFromNow(now => (now - sentMs < MINUTE_MS ? '' : formatAge(now - sentMs)));
  return (
    <>
      {t('email.pending', { email: pending.email, when: age === '' ? t('email.now') : t('email.ago', { age }) })}{' '}
      {pending.email !== email && (email === null ? t('email.untilNone') : t('email.until', { email }))}
    </>
  );
}
