import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from '../Driver.module.css';
import { useDriverDuty } from '../store/driver-duty.ts';
import { dropDraft, type InspectionDraft, readDraft } from '../store/inspection-draft.ts';
import { InspectForm } from './InspectForm.tsx';
import type { SheetProps } from './sheet-props.ts';

interface Props extends SheetProps {
  /** Called with the name of the vehicle that the form is about. */
  readonly onVehicle?: (name: string) => void;
}

/**
 * The driver's inspection before or after a trip (396.11, 396.13). It is about the vehicle in which it was begun,
 * whatever vehicle the driver is signed in to by the time they sign, and continues where a closed browser has left it.
 */
export function InspectSheet({ duty, onClose, onVehicle }: Props) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const owner = useDriverDuty(state => state.owner);
  const [begun, setBegun] = useState<InspectionDraft | null>(null);
  const [vehicle, setVehicle] = useState<InspectionDraft['vehicle'] | null>(null);
  const [isRead, setRead] = useState(owner === null);
  useEffect(() => {
    if (owner === null) return;
    void readDraft(owner).then(draft => {
      setBegun(draft);
      setRead(true);
    });
  }, [owner]);
  const now = duty.vehicle;
  // Whatever the form was opened for stays, also if the driver is signed in elsewhere meanwhile.
  const inspected = vehicle ?? begun?.vehicle ?? now;
  useEffect(() => {
    if (isRead && vehicle === null && inspected) setVehicle(inspected);
  }, [isRead, vehicle, inspected]);
  const inspectedName = inspected?.deviceName;
  useEffect(() => {
    if (isRead && inspectedName !== undefined) onVehicle?.(inspectedName);
  }, [isRead, inspectedName, onVehicle]);
  if (!isRead) return null;
  if (!inspected) return <p className={styles.form}>{t('inspect.noVehicle')}</p>;
  const { deviceName, id } = inspected;
  const isElsewhere = now?.id !== id;
  return (
    <>
      {isElsewhere && (
        <Notice tone="warning" role="alert">
          {now
            ? t('inspect.elsewhere', { name: deviceName, now: now.deviceName })
            : t('inspect.signedOut', { name: deviceName })}
          {now && (
            <Button
              onClick={() => {
                if (owner !== null) void dropDraft(owner);
                setBegun(null);
                setVehicle(now);
              }}
            >
              {t('inspect.startOver', { name: now.deviceName })}
            </Button>
          )}
        </Notice>
      )}
      {!isElsewhere && begun && begun.vehicle.id === id && <Notice tone="ok">{t('inspect.continued')}</Notice>}
      <InspectForm
        key={id}
        duty={duty}
        vehicle={inspected}
        begun={begun?.vehicle.id === id ? begun : null}
        onClose={onClose}
      />
    </>
  );
}
