import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { type AddedVehicle, AddVehicleForm } from './AddVehicleForm.tsx';
import { VehicleAdded } from './VehicleAdded.tsx';

interface Props {
  readonly open: boolean;
  /** The IMEI, if an unknown tracker is being added; otherwise empty. */
  readonly imei: string;
  /** The folder of the new vehicle, if one is open on the page. */
  readonly folderId?: string | null;
  readonly onClose: () => void;
}

/** Adds a vehicle with its tracker, then shows the tracker's key once and where to point the tracker. */
export function Component({ open, imei, folderId = null, onClose }: Props) {
  const { t } = useTranslation('addVehicle');
  const [added, setAdded] = useState<AddedVehicle | null>(null);
  const close = (): void => {
    setAdded(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={added ? t('doneTitle', { name: added.deviceName }) : t('title')}
      closeLabel={t('close')}
    >
      {added ? (
        <VehicleAdded vehicle={added} onDone={close} onAnother={() => setAdded(null)} />
      ) : (
        <AddVehicleForm imei={imei} folderId={folderId} onAdded={setAdded} onCancel={close} />
      )}
    </Dialog>
  );
}
