import type { BoardRow } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { homeMoment } from '../../logbook/home-time.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../../ui/Notice.tsx';

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
        time: homeMoment(Date.parse(standing.since), timeZone),
        why: t(`standing.why.${standing.why}`),
      })}
    </Notice>
  );
}

/** The drivers for whom nothing is recorded, each with the way to their log. */
export function StandingDrivers({ rows }: { readonly rows: readonly BoardRow[] }) {
  const { t } = useTranslation('eld');
  return rows.map(
    ({ driverId, name, standing, timeZone }) =>
      standing && (
        <Notice key={driverId} tone="critical" role="status">
          {t(standing.signIn === null ? 'standing.of' : 'standing.signIn', {
            name,
            vehicle: standing.signIn ?? '',
            time: homeMoment(Date.parse(standing.since), timeZone),
            why: t(`standing.why.${standing.why}`),
          })}{' '}
          <Link to={paths.eldLog(driverId)}>{t('roster.openLog')}</Link>
        </Notice>
      ),
  );
}
