import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { advance, type VehicleState } from '../../fleet/vehicle-state.ts';
import { believedCard } from '../../tracks/driver-card.ts';
import { toReceivedPosition } from '../../tracks/stored-position.ts';
import type { Row } from './rows.ts';

/** How each vehicle is, as it follows from the positions that are brought in (invariant I6). */
export class LiveStatesOfImport {
  readonly states = new Map<number, VehicleState>();

  take(vehicleId: number, row: Row<'position'>): void {
    const position = toReceivedPosition(row, epochMs(Date.parse(row.fix_at)), epochMs(Date.parse(row.received_at)));
    const message = { receivedAt: position.receivedAt, positions: [position] };
    this.states.set(
      vehicleId,
      advance(this.states.get(vehicleId) ?? null, message, () => {}),
    );
  }

  async write(trx: AccountTransaction, accountId: number): Promise<void> {
    for (const [vehicleId, state] of this.states) {
      await trx
        .insertInto('vehicle_state')
        .values({
          account_id: accountId,
          vehicle_id: vehicleId,
          heard_at: new Date(state.heardAt),
          live: JSON.stringify(state.motion),
          newest: JSON.stringify(state.newest),
        })
        .execute();
    }
  }
}

/** Shows where an import has left the vehicles, and which driver's card each has read last. */
export function showStates(
  { driving, live }: Pick<Organisation, 'driving' | 'live'>,
  accountId: number,
  states: ReadonlyMap<number, VehicleState>,
): void {
  const byAge = [...states].sort(([, a], [, b]) => (a.newest?.fixAt ?? 0) - (b.newest?.fixAt ?? 0));
  for (const [vehicleId, state] of byAge) {
    live.set(accountId, vehicleId, state);
    driving.reported(accountId, vehicleId, null, believedCard(state.newest));
  }
}
