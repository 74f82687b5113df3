import { randomFrom } from '../../apps/simulator/src/drive/random.ts';
import type { MonthFleet } from './fleet.ts';
import { Phone, type PhoneInput } from './senders.ts';
import type { Story, Tap } from './story.ts';

/** The phones of a story's drivers, with what each will have entered. */
export function phonesOf(story: Story, fleet: MonthFleet, beginMs: number, seed: number): Phone[] {
  return fleet.drivers.map(({ token }, driver) => {
    // What concerns both drivers of a team is answered on the other phone.
    const mate = driver % 6 === 4 ? driver + 1 : driver - 1;
    const inputs = story.happenings.flatMap((one): PhoneInput[] => {
      if (one.kind !== 'tap' || one.driver !== driver) return [];
      const { at, tap, vehicle } = one;
      const isTeams = tap.kind === 'co-driver' || (tap.kind === 'sign-in' && tap.asCoDriver === true);
      return [{ atMs: beginMs + at * 1000, action: actionOf(tap, vehicle, fleet), after: isTeams ? mate : null }];
    });
    return new Phone(token, inputs, randomFrom('phone', seed, driver));
  });
}

export function actionOf(tap: Tap, vehicle: number, fleet: MonthFleet): object {
  switch (tap.kind) {
    case 'sign-in':
      return { ...tap, vehicleId: String(fleet.vehicles[vehicle]?.id) };
    case 'co-driver':
    case 'ask-co-driver':
      return { kind: tap.kind, coDriverId: String(fleet.drivers[tap.other]?.id) };
    default:
      return tap;
  }
}
