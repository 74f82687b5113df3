import { may, revokeShare, type Share } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useRefreshShares } from '../use-shares.ts';
import styles from './ShareLinks.module.css';
import { isOver, useShareWords } from './share-words.ts';

const ChangeEnd = lazyPart(async () => (await import('./ChangeEnd.tsx')).ChangeEnd);

/** Changes when a link ends, or ends it now. Nothing for a link that has ended. */
export function LinkActions({ share }: { readonly share: Share }) {
  const { t } = useTranslation(['sharing', 'forms']);
  const title = useShareWords().titleOf(share);
  const mayShare = useSession(({ me }) => me !== null && may(me, 'shares.write'));
  const refresh = useRefreshShares();
  const [doing, setDoing] = useState<'changing' | 'ending' | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  // The focused button is about to be removed, so move the focus to this element.
  const leave = (): void => {
    frame.current?.focus();
    setDoing(null);
  };
  const end = useMutation({
    mutationFn: () => call(revokeShare, { params: { id: share.id } }),
    onSuccess: () => {
      leave();
      toast(t('ended'));
      refresh();
    },
  });
  if (!mayShare) return null;
  return (
    <div ref={frame} tabIndex={-1} className={styles.frame}>
      {doing === 'changing' && <ChangeEnd share={share} onDone={leave} />}
      {doing === 'ending' && (
        <div className={styles.ask}>
          <p role="alert">{t('endText')}</p>
          {end.error && <Notice tone="critical">{describeError(end.error).message}</Notice>}
          <div className={styles.actions}>
            <Button onClick={leave} autoFocus>
              {t('forms:cancel')}
            </Button>
            <Button variant="danger" busy={end.isPending} onClick={() => end.mutate()}>
              {t('end')}
            </Button>
          </div>
        </div>
      )}
      {doing === null && !isOver(share) && (
        <div className={styles.actions}>
          {share.hidden === 0 && (
            <Button onClick={() => setDoing('changing')} aria-label={t('changeEndOf', { title })}>
              {t('changeEnd')}
            </Button>
          )}
          <Button onClick={() => setDoing('ending')} aria-label={t('endOf', { title })}>
            {t('end')}
          </Button>
        </div>
      )}
    </div>
  );
}
