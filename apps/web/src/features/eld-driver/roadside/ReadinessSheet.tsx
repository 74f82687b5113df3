import type { MyDuty } from '@milepost/contract';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import styles from '../Driver.module.css';
import view from './Roadside.module.css';
import type { ReadinessReason } from './readiness.ts';
import { startRoadside } from './roadside.ts';
import { useReadiness } from './use-readiness.ts';

/** Whether an inspection would go smoothly, what is missing, and a button to practice. */
export function ReadinessSheet({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { lamp, reasons } = useReadiness(duty);
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
        <ul className={styles.bullets}>
          {reasons.map(reason => (
            <li key={reason.kind}>{reasonWords(t, reason)}</li>
          ))}
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
