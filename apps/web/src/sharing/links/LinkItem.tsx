import { may, revokeShare, type Share } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/api.ts';
import { describeError } from '../../app/describe-error.ts';
import { useSession } from '../../app/session/session.ts';
import { toast } from '../../app/toasts/toast.ts';
import { formatCount } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, type ChipTone } from '../../ui/Chip.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useRefreshShares } from '../use-shares.ts';
import { ChangeEnd } from './ChangeEnd.tsx';
import styles from './ShareLinks.module.css';

const TONES: Readonly<Record<Share['state'], ChipTone>> = {
  planned: 'info',
  open: 'live',
  ended: 'neutral',
  revoked: 'neutral',
};

/** One link: what it shows, who made it, how often it was looked at, and how it is ended. */
export function LinkItem({ share }: { readonly share: Share }) {
  const { t } = useTranslation(['sharing', 'forms']);
  const mayShare = useSession(({ me }) => me !== null && may(me, 'shares.write'));
  const refresh = useRefreshShares();
  const [doing, setDoing] = useState<'changing' | 'ending' | null>(null);
  const end = useMutation({
    mutationFn: () => call(revokeShare, { params: { id: share.id } }),
    onSuccess: () => {
      setDoing(null);
      toast(t('ended'));
      refresh();
    },
  });
  const names = [
    ...share.vehicles.map(({ deviceName }) => deviceName),
    ...(share.hidden > 0 ? [t('hidden', { count: share.hidden })] : []),
  ].join(', ');
  const title = share.name ?? (names || t('noVehicles'));
  const moment = (iso: string) => formatMoment(Date.parse(iso), Date.now());
  const isOver = share.state === 'ended' || share.state === 'revoked';
  return (
    <li className={styles.link} data-over={isOver || undefined}>
      <div className={styles.head}>
        <b>{title}</b>
        <Chip tone={TONES[share.state]}>{t(`state.${share.state}`)}</Chip>
      </div>
      {share.name !== null && <p>{names || t('noVehicles')}</p>}
      <p>
        {t('window', { from: moment(share.startsAt), until: moment(share.revokedAt ?? share.expiresAt) })}
        {' · '}
        {t('by', { name: share.createdBy.name })}
      </p>
      <p>
        {share.lastViewedAt === null
          ? t('neverViewed')
          : t('viewed', { count: share.views, views: formatCount(share.views), last: moment(share.lastViewedAt) })}
      </p>
      {!isOver && mayShare && doing === null && (
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
      {doing === 'changing' && <ChangeEnd share={share} onDone={() => setDoing(null)} />}
      {doing === 'ending' && (
        <div className={styles.ask}>
          <p role="alert">{t('endText')}</p>
          {end.error && <Notice tone="critical">{describeError(end.error).message}</Notice>}
          <div className={styles.actions}>
            <Button onClick={() => setDoing(null)} autoFocus>
              {t('forms:cancel')}
            </Button>
            <Button variant="danger" busy={end.isPending} onClick={() => end.mutate()}>
              {t('end')}
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}
