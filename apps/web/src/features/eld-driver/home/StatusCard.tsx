import type { MyDuty } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { lazyChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { clockFigure } from '../../../format/duration.ts';
import { homeMoment, homeTime } from '../../../logbook/home-time.ts';
import styles from './StatusCard.module.css';

const DAY_MS = 86_400_000;
/** Comes with the clocks: the buttons don't wait for the words. */
const LoggedPlace = lazyChunk(async () => (await import('./BelowButtons.tsx')).LoggedPlace);

/** The current status in its color, how long it has lasted, and where it began. */
export function StatusCard({ duty: { dutyLog, row }, now }: { readonly duty: MyDuty; readonly now: number }) {
  const { t } = useTranslation('eldDriver');
  const since = row.since === null ? null : Date.parse(row.since);
  const lastsMs = since === null ? 0 : Math.max(0, now - since);
  return (
    <section className={styles.card} data-duty={row.status} aria-label={t('statusLabel')}>
      <p>
        <b>{t(`status.${row.status}`)}</b>
        <Part>{row.place && <LoggedPlace place={row.place} />}</Part>
      </p>
      {since !== null && (
        <p>
          <b role="timer">{clockFigure(lastsMs / 1000)}</b>
          <span>
            {t('since', {
              time: lastsMs < DAY_MS ? homeTime(since, dutyLog.timezone) : homeMoment(since, dutyLog.timezone),
            })}
          </span>
        </p>
      )}
    </section>
  );
}
