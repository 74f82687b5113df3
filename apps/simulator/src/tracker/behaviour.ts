import type { Random } from '../drive/random.ts';
import type { DrivenVehicle } from '../fleet/vehicle.ts';
import type { Order } from './order.ts';

/**
 * How a tracker takes commands. `asleep`: it connects only now and then, and does what it then finds; `refusing`: it says
 * no; `silent`: it says and does nothing.
 */
export const BEHAVIOURS = ['answering', 'asleep', 'refusing', 'silent'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** A tracker looks at a command for so long before it answers, in milliseconds. */
const THINKS_MS = { least: 1000, most: 3000 } as const;

/** Does what the server says, after a while, and says so. */
export function obeying(
  vehicle: DrivenVehicle,
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
