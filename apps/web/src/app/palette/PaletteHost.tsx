import { useCallback, useMemo, useState } from 'react';
import { Part } from '../../base/chunks/Part.tsx';
import { CommandDialog } from '../../commands/lazy.ts';
import { ShareDialog } from '../../sharing/ShareDialog.tsx';
import { AddVehicleDialog } from '../../vehicles/add-vehicle/lazy.ts';
import type { VehicleTask } from './items/vehicle-actions.ts';
import { closePalette, usePalette } from './open.ts';
import { Palette } from './Palette.tsx';

type Task = VehicleTask | { readonly kind: 'add' };

interface Props {
  readonly onShortcuts: () => void;
  readonly onInstall: () => void;
}

/** The search and the dialogs that open from it. */
export function Component({ onShortcuts, onInstall }: Props) {
  const open = usePalette(state => state.open);
  const [task, setTask] = useState<Task | null>(null);
  const onAddVehicle = useCallback(() => setTask({ kind: 'add' }), []);
  const shell = useMemo(() => ({ onShortcuts, onInstall, onAddVehicle }), [onShortcuts, onInstall, onAddVehicle]);
  const done = (): void => setTask(null);
  return (
    <>
      {open && <Palette shell={shell} onTask={setTask} onClose={closePalette} />}
      <Part>
        {task?.kind === 'command' && (
          <CommandDialog open vehicles={[task.vehicle]} action={task.action} onClose={done} />
        )}
        {task?.kind === 'share' && <ShareDialog open vehicles={[task.vehicle]} onClose={done} />}
        {task?.kind === 'add' && <AddVehicleDialog open imei="" onClose={done} />}
      </Part>
    </>
  );
}
