import type { DutyAction } from '@milepost/contract';
import type { AccountTransaction } from '../../../db/database.ts';
import type { SignInTerms } from './vehicle-input.ts';

/** What a driver entered, in the order of its arrival (`seq`). */
export interface StoredInput {
  readonly id: string;
  readonly seq: string;
  readonly at: number;
  readonly driver: string;
  readonly action: DutyAction;
  readonly terms: SignInTerms | null;
  /** What the driver was told. */
  readonly refusal: string | null;
}

/** Never taken: entries about a vehicle that the driver may not drive, or that there is not. */
const NEVER_TAKEN = ['not-your-vehicle', 'not-found'];

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
    .where(eb => eb.or([eb('refusal', 'is', null), eb('refusal', 'not in', NEVER_TAKEN)]))
    .$if(after !== undefined, query => query.where('seq', '>', after as string))
    .$if(from !== undefined, query => query.where('at', '>=', new Date(from as number)))
    .orderBy('at')
    .orderBy('seq')
    .execute();
  return rows.map(({ action, at, driver_id, id, refusal, seq, terms }) => ({
    ...{ id, seq, refusal, at: at.getTime(), driver: `driver:${driver_id}` },
    action: action as DutyAction,
    terms: terms as SignInTerms | null,
  }));
}

/** The statuses that a log's driver entered outside of any vehicle, which no recorder writes, with their records. */
export async function readStatusesOutside(
  trx: AccountTransaction,
  driverId: number,
  fromMs: number,
): Promise<readonly { readonly at: number; readonly action: DutyAction; readonly record: string | null }[]> {
  const rows = await trx
    .selectFrom('duty_input')
    .select(['at', 'action', 'record'])
    .where('driver_id', '=', driverId)
    .where('vehicle_id', 'is', null)
    .where('refusal', 'is', null)
    .where('at', '>=', new Date(fromMs))
    .execute();
  return rows
    .map(({ action, at, record }) => ({ at: at.getTime(), action: action as DutyAction, record }))
    .filter(({ action }) => action.kind === 'status');
}
