import type { createShare, RouteAnswer } from '@milepost/contract';
import { IconShare2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../../format/time.ts';
import { CopyLine } from '../../forms/CopyLine.tsx';
import { Button } from '../../ui/Button.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './Dialog.module.css';

export type Made = RouteAnswer<typeof createShare>;

/** The new link, shown only once. The user can copy it or, where the system supports it, share it with another app. */
export function MadeLink({ made: { share, url }, onDone }: { readonly made: Made; readonly onDone: () => void }) {
  const { t } = useTranslation('sharing');
  const until = formatMoment(Date.parse(share.expiresAt), Date.now());
  const handOn = (): void => {
    // Rejects when the user closes the system's share sheet, which isn't an error.
    navigator.share({ title: share.name ?? t('sheetTitle'), url }).catch(() => {});
  };
  return (
    <div className={styles.made}>
      <Notice tone="ok" role="status">
        {share.state === 'planned'
          ? t('madeFor', { from: formatMoment(Date.parse(share.startsAt), Date.now()), until })
          : t('made', { until })}
      </Notice>
      <CopyLine text={url} label={t('copy')} copied={t('copied')} />
      <p className={styles.hint}>{t('once')}</p>
      <DialogActions>
        {'share' in navigator && (
          <Button icon={<IconShare2 size={16} stroke={1.75} aria-hidden />} onClick={handOn}>
            {t('handOn')}
          </Button>
        )}
        <Button variant="primary" onClick={onDone} data-autofocus>
          {t('done')}
        </Button>
      </DialogActions>
    </div>
  );
}
