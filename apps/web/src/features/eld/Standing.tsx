import { type BoardRow, may } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { useSession } from '../../base/session/session.ts';
import { momentInSentence } from '../../logbook/home-time.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './Standing.module.css';

const DismissSignInDialog = lazyPart(async () => (await import('./desk/DismissSignInDialog.tsx')).DismissSignInDialog);

interface Props {
  readonly standing: BoardRow['standing'];
  readonly timeZone: string;
}

/** Says of a log that nothing is recorded, since when and why; nothing if it is. */
export function StandingLog({ standing, timeZone }: Props) {
  const { t } = useTranslation('eld');
  if (standing === null) return null;
  return (
    <Notice tone="critical" role="status">
      {t('standing.log', {
        time: momentInSentence(Date.parse(standing.since), timeZone),
        why: t(`standing.why.${standing.why}`),
      })}
    </Notice>
  );
}

/** The drivers for whom nothing is recorded, each with the way to their log, and to a sign-in that will never come. */
export function StandingDrivers({ rows }: { readonly rows: readonly BoardRow[] }) {
  const { t } = useTranslation('eld');
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const [dismissed, setDismissed] = useState<BoardRow | null>(null);
  return (
    <>
      {rows.map(
        row =>
          row.standing && (
            <Notice key={row.driverId} tone="critical" role="status">
              {t(row.standing.signIn === null ? 'standing.of' : 'standing.signIn', {
                name: row.name,
                vehicle: row.standing.signIn ?? '',
                time: momentInSentence(Date.parse(row.standing.since), row.timeZone),
                why: t(`standing.why.${row.standing.why}`),
              })}
              <span className={styles.ways}>
                <Link to={paths.eldLog(row.driverId)}>{t('roster.openLog')}</Link>
                {mayWrite && row.standing.signIn !== null && (
                  <Button
                    variant="text"
                    aria-label={t('standing.dismiss.of', { name: row.name })}
                    onClick={() => setDismissed(row)}
                  >
                    {t('standing.dismiss.open')}
                  </Button>
                )}
              </span>
            </Notice>
          ),
      )}
      {dismissed && <DismissSignInDialog driver={dismissed} onClose={() => setDismissed(null)} />}
    </>
  );
}
