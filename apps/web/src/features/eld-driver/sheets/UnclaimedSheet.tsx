import type { MyDuty } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatHours } from '../../../format/duration.ts';
import { homeMoment, homeTime } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';

/** Driving while nobody was signed in: the driver claims it or says that it isn't theirs. */
export function UnclaimedSheet({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const zone = duty.dutyLog.timezone;
  if (duty.unclaimed.length === 0) return <p className={styles.form}>{t('unclaimed.none')}</p>;
  return (
    <div className={styles.form}>
      <p>{t('unclaimed.text')}</p>
      {duty.unclaimed.map(({ deviceName, from, isAssigned, place, record, to, vehicleId }) => {
        const [fromMs, toMs] = [Date.parse(from), to === null ? null : Date.parse(to)];
        const answer = (mine: boolean) =>
          void run({ kind: 'claim', vehicleId, record, mine }, t(mine ? 'unclaimed.claimed' : 'unclaimed.declined'));
        return (
          <section key={record} className={styles.item}>
            <p>
              <Plate>{deviceName}</Plate> {homeMoment(fromMs, zone)} –{' '}
              {toMs === null ? t('unclaimed.lasting') : `${homeTime(toMs, zone)} · ${formatHours(toMs - fromMs)}`}
            </p>
            {place !== null && <p className={styles.quiet}>{place}</p>}
            {isAssigned && <p>{t('unclaimed.asked')}</p>}
            <div className={styles.two}>
              <Button size="large" busy={busy} onClick={() => answer(false)}>
                {t('unclaimed.notMine')}
              </Button>
              <Button size="large" variant="primary" busy={busy} disabled={toMs === null} onClick={() => answer(true)}>
                {t('unclaimed.mine')}
              </Button>
            </div>
          </section>
        );
      })}
    </div>
  );
}
