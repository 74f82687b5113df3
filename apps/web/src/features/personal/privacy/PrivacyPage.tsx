import { may, type RouteAnswer, readDriver, readMyPrivacy } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { formatMoment } from '../../../format/time.ts';
import { LEDGER_OF, paths } from '../../../paths.ts';
import { Looks } from '../../../privacy/Looks.tsx';
import { ReadState } from '../../../registry/ReadState.tsx';
import { BackHead } from '../../../ui/BackHead.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import styles from './PrivacyPage.module.css';
import { PrivateTime } from './PrivateTime.tsx';

type MyPrivacy = RouteAnswer<typeof readMyPrivacy>;

const ASK_EVERY_MS = 60_000;

/** A driver's own privacy; for users who may read the audit log, with a driver in the address, that driver's ledger. */
export function Component() {
  const { t } = useTranslation(['privacy', 'shell']);
  const me = useSession(session => session.me);
  const driverId = useSearchParams()[0].get(LEDGER_OF);
  if (me === null) return null;
  const isOther = driverId !== null && may(me, 'audit.read');
  return (
    <div className={styles.page} data-page="flow">
      <title>{t('shell:appTitle', { page: t(isOther ? 'ledger' : 'title') })}</title>
      {isOther ? <LedgerOf driverId={driverId} /> : <Mine />}
    </div>
  );
}

function LedgerOf({ driverId }: { readonly driverId: string }) {
  const { t } = useTranslation('privacy');
  const { data, error, refetch } = useQuery({
    queryKey: ['driver', driverId],
    queryFn: () => call(readDriver, { params: { id: driverId } }),
  });
  const name = data?.name;
  return (
    <>
      <BackHead
        title={name === undefined ? t('ledger') : t('ledgerOf', { name })}
        back={paths.settings('privacy')}
        backLabel={t('backToSettings')}
      />
      {name === undefined ? (
        <ReadState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Notice tone="info">{t('readingIsNoted', { name })}</Notice>
          <section className={styles.card} aria-labelledby="who-looked">
            <h2 id="who-looked">{t('whoLooked')}</h2>
            <Looks driverId={driverId} />
          </section>
        </>
      )}
    </>
  );
}

function Mine() {
  const { t } = useTranslation('privacy');
  const { data, error, refetch } = useQuery({
    queryKey: ['my-privacy'],
    queryFn: () => call(readMyPrivacy),
    refetchInterval: ASK_EVERY_MS,
  });
  return (
    <>
      <BackHead title={t('title')} back={`${paths.personal()}?view=mine`} backLabel={t('back')} />
      {data === undefined && <ReadState error={error} onRetry={() => void refetch()} />}
      {data?.driver === null && <p className={styles.card}>{t('noDriver')}</p>}
      {data?.driver && (
        <div className={styles.columns}>
          <section className={styles.card} aria-labelledby="who-looked">
            <h2 id="who-looked">{t('whoLooked')}</h2>
            <p className={styles.text}>{t('whoLookedText', { count: data.keepLooksDays })}</p>
            <Looks />
          </section>
          <div className={styles.side}>
            <PrivateTime time={data.privateTime} />
            <WhoSees privacy={data} />
            <Recorded privacy={data} hasCard={data.driver.hasCard} />
          </div>
        </div>
      )}
    </>
  );
}

function WhoSees({ privacy: { links, vehicle, viewers } }: { readonly privacy: MyPrivacy }) {
  const { t } = useTranslation(['privacy', 'shell']);
  const nowMs = Date.now();
  return (
    <section className={styles.card} aria-labelledby="who-sees">
      <h2 id="who-sees">{t('whoSees')}</h2>
      <p className={styles.text}>
        {vehicle ? (
          <>
            {t('whoSeesIn')} <Plate>{vehicle.deviceName}</Plate>
          </>
        ) : (
          t('whoSeesNoVehicle')
        )}
      </p>
      <ul className={styles.people}>
        {viewers.map(({ apiTokens, id, name, role, through }) => (
          <li key={id}>
            <b>{name}</b>
            <span>
              {t(`shell:role.${role}`)} · {t(`through.${through}`)}
              {apiTokens > 0 && ` · ${t('apiTokens', { count: apiTokens })}`}
            </span>
          </li>
        ))}
      </ul>
      {viewers.length === 0 && <p>{t('nobodySees')}</p>}
      <h3>{t('links')}</h3>
      {links.length === 0 && <p>{t('noLinks')}</p>}
      <ul className={styles.people}>
        {links.map(({ createdBy, expiresAt, id, name, showTrail, startsAt }) => {
          const isPlanned = Date.parse(startsAt) > nowMs;
          return (
            <li key={id}>
              <b>
                {name ?? t('unnamedLink')}{' '}
                <Chip tone={isPlanned ? 'neutral' : 'info'}>{t(isPlanned ? 'linkPlanned' : 'linkOpen')}</Chip>
              </b>
              <span>
                {t('linkBy', { name: createdBy, end: formatMoment(Date.parse(expiresAt), nowMs) })}
                {isPlanned && ` · ${t('linkFrom', { start: formatMoment(Date.parse(startsAt), nowMs) })}`}
                {showTrail && ` · ${t('linkTrail')}`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Recorded({ privacy, hasCard }: { readonly privacy: MyPrivacy; readonly hasCard: boolean }) {
  const { t } = useTranslation('privacy');
  const { keepLooksDays, keepPositionsDays } = privacy;
  return (
    <section className={styles.card} aria-labelledby="recorded">
      <h2 id="recorded">{t('recorded')}</h2>
      <ul className={styles.list}>
        <li>{t('stored')}</li>
        <li>{t(hasCard ? 'card' : 'noCard')}</li>
        <li>{keepPositionsDays === null ? t('keptForEver') : t('kept', { count: keepPositionsDays })}</li>
        <li>{t('logKept')}</li>
        <li>{t('ledgerKept', { count: keepLooksDays })}</li>
      </ul>
      <h3>{t('notRecorded')}</h3>
      <ul className={styles.list}>
        <li>{t('notOwn')}</li>
        <li>{t('notSums')}</li>
      </ul>
    </section>
  );
}
