import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { type AddedVehicle, AddVehicleForm } from '../../vehicles/add-vehicle/AddVehicleForm.tsx';
import { VehicleAdded } from '../../vehicles/add-vehicle/VehicleAdded.tsx';
import { FirstReport } from './FirstReport.tsx';
import styles from './SetupPage.module.css';
import { StepActions, StepHead, type StepProps } from './StepFrame.tsx';
import { useFirstVehicle } from './use-first-vehicle.ts';

/** A vehicle and its tracker. The server is already listening, and the page says when the first message arrives. */
export function VehicleStep(props: StepProps) {
  const { t } = useTranslation(['setup', 'addVehicle']);
  const first = useFirstVehicle();
  const [added, setAdded] = useState<AddedVehicle | null>(null);
  const [adding, setAdding] = useState(false);
  const isWaiting = first !== undefined && !added && !adding;
  return (
    <div className={styles.step}>
      <StepHead title={t('vehicle.title')} />
      <div className={styles.card}>
        {added ? (
          <VehicleAdded
            vehicle={added}
            onDone={() => void props.onDone()}
            onAnother={() => {
              setAdded(null);
              setAdding(true);
            }}
          />
        ) : isWaiting ? (
          <>
            <FirstReport />
            <Button variant="text" onClick={() => setAdding(true)}>
              {t('addVehicle:another')}
            </Button>
          </>
        ) : (
          <AddVehicleForm
            imei=""
            folderId={null}
            onAdded={vehicle => {
              setAdded(vehicle);
              void props.onKept();
            }}
          />
        )}
      </div>
      <StepActions {...props}>
        {isWaiting && (
          <Button variant="primary" onClick={() => void props.onDone()}>
            {t('continue')}
          </Button>
        )}
      </StepActions>
    </div>
  );
}
