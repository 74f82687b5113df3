import { annotateRecord, assignUnidentified, may, type UnidentifiedDriving } from '@milepost/contract';
import { fromMiles } from '@milepost/units';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { formatDuration } from '../../../format/duration.ts';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { loggedPlaceWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useNow } from '../../../live/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip, type ChipTone } from '../../../ui/Chip.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { unidentifiedQuery } from '../queries.ts';
import { useWrite } from '../use-write.ts';
import { AssignDialog } from './AssignDialog.tsx';
import styles from './List.module.css';
import { Listed } from './Listed.tsx';
import { useDeskTimes } from './use-desk-times.ts';

const AnnotateDialog = lazyPart(async () => (await import('./AnnotateDialog.tsx')).AnnotateDialog);

const TONES: Readonly<Record<UnidentifiedDriving['state'], ChipTone>> = {
  open: 'critical',
  assigned: 'warning',
  annotated: 'neutral',
  claimed: 'ok',
};

/** Driving while nobody was signed in. The office asks a driver to claim it, or a remark says why nobody does. */
export function Unidentified() {
  const { t } = useTranslation('eld');
  const query = useQuery(unidentifiedQuery);
  const { moment, time } = useDeskTimes();
  const system = useMeasureSystem();
  const nowMs = useNow();
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const [dialog, setDialog] = useState<{
    readonly kind: 'assign' | 'annotate';
    readonly driving: UnidentifiedDriving;
  } | null>(null);
  const close = () => setDialog(null);
  const { mutate: withdraw } = useWrite(
    ({ vehicle, record }: UnidentifiedDriving) =>
      call(assignUnidentified, { params: { vehicleId: vehicle.id, record }, body: { driverId: null } }),
    t('unidentified.withdrawn'),
  );
  return (
    <>
      <Listed
        query={query}
        label={t('tabs.unidentified')}
        heads={[
          t('columns.unit'),
          t('unidentified.when'),
          t('unidentified.length'),
          t('unidentified.where'),
          t('columns.state'),
          ...(mayWrite ? [''] : []),
        ]}
        empty={{ title: t('unidentified.empty.title'), text: t('unidentified.empty.text') }}
        row={driving => {
          const { record, vehicle, from, to, miles, fromPlace, toPlace, state, driver, note, declinedBy } = driving;
          const [start, end] = [Date.parse(from), to === null ? nowMs : Date.parse(to)];
          return (
            <tr key={`${vehicle.id} ${record}`}>
              <th scope="row">
                <Plate>{vehicle.deviceName}</Plate>
              </th>
              <td className={styles.nowrap}>
                {moment(start)}–{to === null ? t('unidentified.now') : time(end)}
              </td>
              <td className={styles.nowrap}>
                {formatDuration(end - start)}
                {miles !== null && (
                  <span className={styles.second}>{joined(distanceFigure(fromMiles(miles), system))}</span>
                )}
              </td>
              <td>
                {fromPlace && loggedPlaceWords(fromPlace, system)}
                {toPlace && toPlace !== fromPlace && (
                  <span className={styles.second}>
                    {t('unidentified.to', { place: loggedPlaceWords(toPlace, system) })}
                  </span>
                )}
              </td>
              <td>
                <Chip tone={TONES[state]}>
                  {t(`unidentified.state.${state}`)}
                  {driver && ` · ${driver.name}`}
                </Chip>
                {note && <span className={styles.second}>{note}</span>}
                {declinedBy.length > 0 && (
                  <span className={styles.second}>{t('unidentified.declined', { names: declinedBy.join(', ') })}</span>
                )}
              </td>
              {mayWrite && (
                <td>
                  {state !== 'claimed' && (
                    <div className={styles.actions}>
                      {state === 'assigned' ? (
                        <Button onClick={() => withdraw(driving)}>{t('unidentified.withdraw')}</Button>
                      ) : (
                        <Button
                          onClick={() => setDialog({ kind: 'assign', driving })}
                          aria-label={t('unidentified.assignOf', { unit: vehicle.deviceName, time: time(start) })}
                        >
                          {t('unidentified.assign')}
                        </Button>
                      )}
                      <Button
                        onClick={() => setDialog({ kind: 'annotate', driving })}
                        aria-label={t('unidentified.annotateOf', { unit: vehicle.deviceName, time: time(start) })}
                      >
                        {t('unidentified.annotate')}
                      </Button>
                    </div>
                  )}
                </td>
              )}
            </tr>
          );
        }}
      />
      {dialog?.kind === 'assign' && <AssignDialog driving={dialog.driving} onClose={close} />}
      {dialog?.kind === 'annotate' && (
        <AnnotateDialog
          title={t('annotate.unidentified', { unit: dialog.driving.vehicle.deviceName })}
          save={text =>
            call(annotateRecord, {
              body: { log: `unidentified:${dialog.driving.vehicle.id}`, record: dialog.driving.record, text },
            })
          }
          onClose={close}
        />
      )}
    </>
  );
}
