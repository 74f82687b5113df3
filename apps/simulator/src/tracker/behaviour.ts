import type { PositionMessage } from '@milepost/decoders';
import type { Random } from '../drive/random.ts';
import type { Order, Task } from './order.ts';

/** The vehicle that a tracker is installed in, as far as commands affect it; `now` in epoch seconds. */
export interface CommandedVehicle {
  positionAt(now: number): PositionMessage | null;
  obey(task: Task, now: number): void;
}

/**
 * How a tracker responds to commands. `asleep`: it connects only now and then, and carries out the commands waiting;
 * `refusing`: it refuses; `silent`: it neither answers nor acts.
 */
export const BEHAVIOURS = ['answering', 'asleep', 'refusing', 'silent'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** How long a tracker takes to respond to a command, in milliseconds. */
const THINKS_MS = { least: 1000, most: 3000 } as const;

/** Carries out the server's commands after a delay, and confirms them. */
export function obeying(
  vehicle: CommandedVehicle,
  behaviour: Behaviour,
  random: Random,
  thinksMs: { readonly least: number; readonly most: number } = THINKS_MS,
): (order: Order) => void {
  return order => {
    if (behaviour === 'silent') return;
    const done = behaviour !== 'refusing';
    setTimeout(
      () => {
        const now = Math.floor(Date.now() / 1000);
        const last = vehicle.positionAt(now);
        if (last) order.answer(done, last);
        if (done && order.task) vehicle.obey(order.task, now);
      },
      thinksMs.least + random() * (thinksMs.most - thinksMs.least),
    ).unref();
  };
}
