import type { CommandAction, CommandRunResults } from '@milepost/contract';
import { IconTerminal2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import type { CommandVehicle } from '../vehicle.ts';
import { Work } from './Work.tsx';

interface Props {
  readonly vehicles: readonly CommandVehicle[];
  /** The command that is selected at first, if any. */
  readonly action?: CommandAction | null;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Sends commands to one vehicle or thousands: what, how, and the outcome. */
export function Component({ vehicles: selected, action = null, open, onClose }: Props) {
  const { t } = useTranslation('commands');
  // An earlier run opened from the list of runs replaces the selected vehicles with its own.
  const [shown, setShown] = useState<CommandRunResults | null>(null);
  const vehicles = shown ? shown.vehicles.map(vehicleOf) : selected;
  const close = (): void => {
    setShown(null);
    onClose();
  };
  const [only] = vehicles;
  return (
    <Dialog
      open={open && vehicles.length > 0}
      onClose={close}
      title={t('title')}
      subtitle={vehicles.length === 1 && only ? only.deviceName : t('vehicles', { count: vehicles.length })}
      closeLabel={t('close')}
      art={<IconTerminal2 size={20} stroke={1.75} aria-hidden />}
      wide
    >
      <Work
        key={shown?.id ?? ''}
        vehicles={vehicles}
        initial={shown?.action ?? action}
        initialRun={shown?.id ?? null}
        onShowRun={setShown}
        onClose={close}
      />
    </Dialog>
  );
}

const vehicleOf = ({ deviceId, imei, deviceName }: CommandRunResults['vehicles'][number]): CommandVehicle => ({
  id: deviceId,
  imei,
  deviceName,
});
