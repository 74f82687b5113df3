import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { CommandDialog } from '../../../commands/lazy.ts';
import { usePast } from '../../../live/past.ts';
import { usePositions } from '../../../live/view.ts';
import { MuteVehicleDialog } from '../../../rules/vehicle-mutes/lazy.ts';
import { ShareDialog } from '../../../sharing/ShareDialog.tsx';
import { closeDialog, useDashboard } from '../state/dashboard-state.ts';

const AssignDriverDialog = withTexts(
  async () => ({ Component: (await import('../../../organisation/AssignDriverDialog.tsx')).AssignDriverDialog }),
  { organisation: () => import('../../../locales/en-US/organisation.json') },
);

/** The page's dialogs. Each loads when it is first opened. */
export function Dialogs() {
  const positions = usePositions();
  const dialog = useDashboard(state => state.dialog);
  const isPast = usePast() !== undefined;
  // Commands and changes apply only to the present.
  if (!dialog || (isPast && dialog.kind !== 'share')) return null;
  const vehicles = dialog.imeis.flatMap(imei => positions.get(imei)?.vehicle ?? []);
  const [vehicle] = vehicles;
  return (
    <Part>
      {dialog.kind === 'command' && <CommandDialog open vehicles={vehicles} onClose={closeDialog} />}
      {dialog.kind === 'share' && <ShareDialog open vehicles={vehicles} onClose={closeDialog} />}
      {dialog.kind === 'driver' && vehicle && <AssignDriverDialog vehicle={vehicle} onClose={closeDialog} />}
      {dialog.kind === 'mute' && vehicle && <MuteVehicleDialog vehicle={vehicle} onClose={closeDialog} />}
    </Part>
  );
}
