import type { MyDuty } from '@milepost/contract';
import { IconAlertTriangle, IconChevronRight, IconCircleCheck } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import styles from '../Driver.module.css';
import { type DriverView, useView } from '../view.ts';
import view from './Roadside.module.css';
import type { ReadinessReason } from './readiness.ts';
import { startRoadside } from './roadside.ts';
import { useReadiness } from './use-readiness.ts';

/** Where the driver can do something about it; the rest is for the office, the network or the button below. */
const WAYS: Readonly<Partial<Record<ReadinessReason['kind'], DriverView>>> = {
  uncertified: 'certify',
  form: 'log',
  unclaimed: 'unclaimed',
  changes: 'changes',
  noVehicle: 'vehicle',
};

/** Whether an inspection would go smoothly, what is missing with the way to it, and a button to practice. */
export function ReadinessSheet({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { lamp, reasons } = useReadiness(duty);
  const { open } = useView();
  return (
    <div className={styles.form}>
      <p className={view.lamp} data-lamp={lamp}>
        {lamp === 'ready' ? (
          <IconCircleCheck size={22} stroke={1.75} aria-hidden />
        ) : (
          <IconAlertTriangle size={22} stroke={1.75} aria-hidden />
        )}
        <b>{t(`lamp.${lamp}`)}</b>
      </p>
      {reasons.length > 0 && (
        <ul className={styles.rows}>
          {reasons.map(reason => {
            const way = WAYS[reason.kind];
            const words = reasonWords(t, reason);
            return (
              <li key={reason.kind} className={way ? undefined : view.reason}>
                {way ? (
                  <button type="button" onClick={() => open(way, 'date' in reason ? reason.date : undefined)}>
                    <span>{words}</span>
                    <IconChevronRight size={20} stroke={1.75} aria-hidden />
                  </button>
                ) : (
                  words
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Button variant="primary" size="large" wide onClick={() => startRoadside('practice')}>
        {t('roadside.rehearse')}
      </Button>
    </div>
  );
}

function reasonWords(t: TFunction<['eldDriverMore', 'eldDriver']>, reason: ReadinessReason): string {
  if ('count' in reason) return t(`roadside.reasons.${reason.kind}`, { count: reason.count });
  if ('codes' in reason) return t(`roadside.reasons.${reason.kind}`, { codes: reason.codes });
  return t(`roadside.reasons.${reason.kind}`);
}
