import type { ReportPage, SomeVehicles } from '@milepost/contract';
import { Fragment } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '../../format/locale.ts';
import { paths } from '../../paths.ts';
import { Plate } from '../../ui/Plate.tsx';
import { momentWords } from './cell-words.ts';
import styles from './ReportsPage.module.css';

/** Number of vehicles named here; the server sends more. */
const NAMED = 5;

/** What the report is based on and what may be missing: it must never look complete when it isn't (I7). */
export function Completeness({ page }: { readonly page: ReportPage }) {
  const { t } = useTranslation('reports');
  const { behind, isOfPositions, late, passing, silent, until, vehicles, zone } = page;
  return (
    <footer className={styles.foot}>
      <p>
        {t(isOfPositions ? 'until' : 'asOf', { time: momentWords(until, zone) })}{' '}
        {t('zone', { zone: zone.replaceAll('_', ' ') })}
        {' · '}
        {t('vehicles', { count: vehicles, n: formatCount(vehicles) })}
        {' · '}
        {t('sameLink')}
      </p>
      {behind > 0 && <p>{t('behind', { count: behind })}</p>}
      {passing > 0 && <p>{t('passing', { count: passing })}</p>}
      {late.count > 0 && (
        <p>
          <Trans t={t} i18nKey="late" count={late.count} components={{ list: <Named of={late} zone={zone} /> }} />
        </p>
      )}
      {silent.count > 0 && silent.count < vehicles && (
        <p>
          <Trans t={t} i18nKey="silent" count={silent.count} components={{ list: <Named of={silent} zone={zone} /> }} />
        </p>
      )}
    </footer>
  );
}

/** Vehicles with links to their pages and the times of their last reports. */
export function Named({ of, zone }: { readonly of: SomeVehicles; readonly zone: string }) {
  const { t } = useTranslation('reports');
  const named = of.vehicles.slice(0, NAMED);
  return (
    <>
      {named.map(({ deviceId, name, lastAt }, nth) => (
        <Fragment key={deviceId}>
          {nth > 0 && ', '}
          <Link to={paths.opened(paths.assets(), deviceId)} className={styles.named}>
            <Plate>{name}</Plate>
          </Link>{' '}
          {lastAt === null ? t('never') : t('lastAt', { time: momentWords(lastAt, zone) })}
        </Fragment>
      ))}
      {of.count > named.length &&
        ` ${t('others', { count: of.count - named.length, n: formatCount(of.count - named.length) })}`}
    </>
  );
}
