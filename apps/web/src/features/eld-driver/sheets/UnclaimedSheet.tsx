import type { MyDuty } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatHours } from '../../../format/duration.ts';
import { loggedPlaceWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { homeMoment, homeTime } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';
import { restAfter } from './rest-after.ts';

/** Driving while nobody was signed in: the driver claims it or says that it isn't theirs. */
export function UnclaimedSheet({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const { busy, run } = useAct();
  const system = useMeasureSystem();
  const zone = duty.dutyLog.timezone;
  if (duty.unclaimed.length === 0) return <p className={styles.form}>{t('unclaimed.none')}</p>;
  return (
    <div className={styles.form}>
      <p>{t('unclaimed.text')}</p>
      {duty.unclaimed.map(({ deviceName, from, isAssigned, place, record, to, vehicleId }) => {
        const [fromMs, toMs] = [Date.parse(from), to === null ? null : Date.parse(to)];
        const rest = toMs === null ? null : restAfter(duty, fromMs, toMs);
        const answer = async (mine: boolean) => {
          const said = t(mine ? 'unclaimed.claimed' : 'unclaimed.declined');
          if (!(await run({ kind: 'claim', vehicleId, record, mine }, said)) || !mine || rest === null) return;
          await run({ kind: 'edit', replaces: null, ...rest, reason: t('unclaimed.restReason') }, said);
        };
        return (
          <section key={record} className={styles.item}>
            <p className={styles.asks}>
              <Plate>{deviceName}</Plate>
              <span>
                {homeMoment(fromMs, zone)} –{' '}
                {toMs === null ? t('unclaimed.lasting') : `${homeTime(toMs, zone)} · ${formatHours(toMs - fromMs)}`}
              </span>
            </p>
            {place !== null && <p className={styles.quiet}>{loggedPlaceWords(place, system)}</p>}
            {isAssigned && <p>{t('unclaimed.asked')}</p>}
            {rest && (
              <p className={styles.quiet}>{t('unclaimed.rest', { status: t(`logbook:status.${rest.status}`) })}</p>
            )}
            <div className={styles.two}>
              <Button size="large" busy={busy} onClick={() => void answer(false)}>
                {t('unclaimed.notMine')}
              </Button>
              <Button
                size="large"
                variant="primary"
                busy={busy}
                disabled={toMs === null}
                onClick={() => void answer(true)}
              >
                {t('unclaimed.mine')}
              </Button>
            </div>
          </section>
        );
      })}
    </div>
  );
}
