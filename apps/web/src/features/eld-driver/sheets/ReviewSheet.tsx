import { VEHICLE_UNIT } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { DefectPhoto } from '../../../logbook/DefectPhoto.tsx';
import { momentInSentence } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';
import type { SheetProps } from './sheet-props.ts';

/** The previous driver's report and what the carrier did about it, to be reviewed before driving (396.13). */
export function ReviewSheet({ duty, onClose }: SheetProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const report = duty.inspection;
  if (!report) return <p className={styles.form}>{t('inspect.nothingToReview')}</p>;
  const zone = duty.dutyLog.timezone;
  const signed = ({ at, name }: { readonly at: string; readonly name: string }) => ({
    name,
    time: momentInSentence(Date.parse(at), zone),
  });
  return (
    <div className={styles.form}>
      <p>
        {t(`inspect.${report.when}`)} · {t('inspect.reportedBy', signed(report.reportedBy))}
      </p>
      <ul className={styles.bullets}>
        {report.defects.map(({ affectsSafety, part, photos, unit, what }) => (
          <li key={`${part} ${unit} ${what}`}>
            <b>{t(`inspect.part.${part}`)}</b>
            {unit !== VEHICLE_UNIT && ` (${unit})`}: {what}
            {affectsSafety && ` · ${t('inspect.affectsSafety')}`}
            {photos.length > 0 && (
              <div className={styles.photos}>
                {photos.map((photo, n) => (
                  <DefectPhoto
                    key={photo}
                    id={photo}
                    label={t('inspect.photo', { part: t(`inspect.part.${part}`), n: n + 1 })}
                  />
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
      {report.defects.length === 0 ? (
        <Notice tone="ok">{t('inspect.noDefects')}</Notice>
      ) : report.certifiedBy ? (
        <Notice tone="ok">
          {t(
            report.state === 'repair-not-needed' ? 'inspect.repairNotNeeded' : 'inspect.repaired',
            signed(report.certifiedBy),
          )}
        </Notice>
      ) : (
        <Notice tone="warning">{t('inspect.notRepaired')}</Notice>
      )}
      <Button
        variant="primary"
        size="large"
        wide
        busy={busy}
        // Every listed defect is certified first, also one that doesn't stop the vehicle (396.11(a)(3), 396.13(c)).
        disabled={report.defects.length > 0 && report.certifiedBy === null}
        onClick={async () => {
          if (await run({ kind: 'review-inspection', report: report.id }, t('inspect.reviewed'))) onClose();
        }}
      >
        {t('inspect.reviewSign')}
      </Button>
    </div>
  );
}
