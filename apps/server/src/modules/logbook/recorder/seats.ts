import type { AccountTransaction } from '../../../db/database.ts';

/** Someone else is signed in to the vehicle from a moment on; null: nobody. */
export interface Seat {
  readonly at: number;
  readonly driverId: number | null;
}

/**
 * Writes who is signed in to a vehicle from when until when.
 *
 * @param again from when on it was recorded again, because something came late; null if it goes on from where it was
 */
export async function writeSeats(
  trx: AccountTransaction,
  { accountId, vehicleId }: { readonly accountId: number; readonly vehicleId: number },
  seats: readonly Seat[],
  again: { readonly fromMs: number; readonly isBeginning: boolean } | null,
): Promise<void> {
  const ofVehicle = () =>
    trx.selectFrom('driver_span').where('vehicle_id', '=', vehicleId).where('kind', '=', 'signed-in');
  if (again) {
    // What the state of that moment has taken stays.
    const from = new Date(again.isBeginning ? again.fromMs : again.fromMs + 1);
    const rows = await ofVehicle()
      .select(['id', 'from_at', 'to_at', 'driver_id'])
      .where(eb => eb.or([eb('from_at', '>=', from), eb('to_at', '>=', from), eb('to_at', 'is', null)]))
      .orderBy('from_at')
      .execute();
    const kept = rows.filter(({ from_at }) => from_at !== null && from_at < from);
    const wanted = spansOf(
      seats,
      kept[0] ? { at: kept[0].from_at?.getTime() ?? 0, driverId: kept[0].driver_id } : null,
    );
    const isSame =
      wanted.length === rows.length &&
      wanted.every(({ from, to, driverId }, i) => {
        const row = rows[i];
        return row?.driver_id === driverId && row.from_at?.getTime() === from && (row.to_at?.getTime() ?? null) === to;
      });
    // Nothing is announced where nothing changed.
    if (isSame) return;
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await trx.deleteFrom('driver_span').where('id', 'in', ids).execute();
    return insert(trx, { accountId, vehicleId }, wanted);
  }
  const [first] = seats;
  if (!first) return;
  const last = await ofVehicle().select(['id', 'from_at', 'driver_id']).where('to_at', 'is', null).executeTakeFirst();
  const begun = last?.from_at ? { at: last.from_at.getTime(), driverId: last.driver_id } : null;
  if (last) await trx.deleteFrom('driver_span').where('id', '=', last.id).execute();
  await insert(trx, { accountId, vehicleId }, spansOf(seats, begun));
}

export interface Span {
  readonly driverId: number;
  readonly from: number;
  readonly to: number | null;
}

/** The times between one change and the next in which there is someone. */
export function spansOf(seats: readonly Seat[], begun: Seat | null): Span[] {
  const all = begun ? [begun, ...seats] : seats;
  return all.flatMap(({ at, driverId }, i): Span[] => {
    const to = all[i + 1]?.at ?? null;
    return driverId === null || to === at ? [] : [{ driverId, from: at, to }];
  });
}

async function insert(
  trx: AccountTransaction,
  { accountId, vehicleId }: { readonly accountId: number; readonly vehicleId: number },
  spans: readonly Span[],
): Promise<void> {
  if (spans.length === 0) return;
  // A driver may have been deleted since; the log keeps them, the roster doesn't.
  const known = await trx
    .selectFrom('driver')
    .select('id')
    .where(
      'id',
      'in',
      spans.map(({ driverId }) => driverId),
    )
    .execute();
  const rows = spans
    .filter(({ driverId }) => known.some(({ id }) => id === driverId))
    .map(({ driverId, from, to }) => ({
      ...{ account_id: accountId, vehicle_id: vehicleId, driver_id: driverId, kind: 'signed-in' as const },
      ...{ from_at: new Date(from), to_at: to === null ? null : new Date(to) },
    }));
  if (rows.length > 0) await trx.insertInto('driver_span').values(rows).execute();
}
