import type { DutyAction } from '@milepost/contract';
import type { AccountTransaction } from '../../../db/database.ts';
import type { SignInTerms } from './vehicle-state.ts';

/** What a driver entered, in the order of its arrival (`seq`). */
export interface StoredInput {
  readonly id: string;
  readonly seq: string;
  readonly at: number;
  readonly driver: string;
  readonly action: DutyAction;
  readonly terms: SignInTerms | null;
}

/** The inputs of a vehicle, by time. */
export async function readInputs(
  trx: AccountTransaction,
  vehicleId: number,
  { after, from }: { readonly after?: string; readonly from?: number },
): Promise<StoredInput[]> {
  const rows = await trx
    .selectFrom('duty_input')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .$if(after !== undefined, query => query.where('seq', '>', after as string))
    .$if(from !== undefined, query => query.where('at', '>=', new Date(from as number)))
    .orderBy('at')
    .orderBy('seq')
    .execute();
  return rows.map(({ action, at, driver_id, id, seq, terms }) => ({
    ...{ id, seq, at: at.getTime(), driver: `driver:${driver_id}` },
    action: action as DutyAction,
    terms: terms as SignInTerms | null,
  }));
}
