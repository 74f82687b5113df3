import type { DutyAction } from '@milepost/contract';
import { DUTY_CODES, type DutyState, INDICATION_CODES, secondOf } from '@milepost/eld';

/** A driver's record as a recorder may have made it of an entry: its second, type and code. */
export const enteredKey = (at: number, type: number, code: number): string => `${at} ${type} ${code}`;

/**
 * What a vehicle's recorder can have made of these entries, in the driver's name. Anything else of a driver in the same
 * second was entered outside of a vehicle, or in another one.
 */
export function enteredKeys(inputs: readonly { readonly at: number; readonly action: DutyAction }[]): Set<string> {
  return new Set(
    inputs.flatMap(({ action, at }) => {
      return codesOf(action).map(([type, code]) => enteredKey(secondOf(at), type, code));
    }),
  );
}

/** The duty status that an entry chooses; null if none. */
export function enteredStatus(action: DutyAction): DutyState | null {
  if (action.kind !== 'status' && action.kind !== 'sign-out') return null;
  if (action.status === 'PC') return 'OFF';
  return action.status === 'YM' ? 'ON' : action.status;
}

/** Any of them ends personal use or a yard move. */
function codesOf(action: DutyAction): readonly (readonly [type: number, code: number])[] {
  const end = [3, INDICATION_CODES.none] as const;
  if (action.kind !== 'status' && action.kind !== 'sign-out') return [end];
  if (action.status === 'PC') return [end, [1, DUTY_CODES.OFF], [3, INDICATION_CODES['personal-use']]];
  if (action.status === 'YM') return [end, [1, DUTY_CODES.ON], [3, INDICATION_CODES['yard-move']]];
  return [end, [1, DUTY_CODES[action.status]]];
}
