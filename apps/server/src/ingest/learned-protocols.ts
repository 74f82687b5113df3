import type { TrackerProtocol } from '@milepost/contract';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import type { DirectoryEntry } from '../fleet/directory.ts';

export interface LearnedProtocols {
  /** A vehicle is what it was set up as, or what its first report made it; null before either. */
  of(vehicle: Pick<DirectoryEntry, 'id' | 'protocol'>): TrackerProtocol | null;
  /** What the owner has not said, the first message says. */
  learn(vehicle: Pick<DirectoryEntry, 'id' | 'protocol'>, protocol: TrackerProtocol): void;
  /** The vehicle's entry says it now, or there is no such vehicle. */
  forget(vehicleId: number): void;
}

/**
 * Protocols of vehicles whose first report is here, and whose directory entry does not say so yet. Saved together: when
 * a fleet is switched on, a statement for each vehicle would keep the database from its positions for half a second.
 */
export function learnProtocols({ db, feed }: Pick<Context, 'db' | 'feed'>, log: Logger): LearnedProtocols {
  const learned = new Map<number, TrackerProtocol>();
  let unsaved = new Map<number, TrackerProtocol>();
  let isSaving = false;

  const save = async (): Promise<void> => {
    isSaving = true;
    while (unsaved.size > 0) {
      const batch = unsaved;
      unsaved = new Map();
      try {
        const { rows } = await db.pool.query<{ id: number }>(SAVE, [[...batch.keys()], [...batch.values()]]);
        for (const { id } of rows) batch.delete(id);
        if (rows.length > 0) await feed.settled();
        // Someone is changing the others: their next report says it again.
        for (const id of batch.keys()) learned.delete(id);
      } catch (error) {
        for (const id of batch.keys()) learned.delete(id);
        log.warn({ err: error, vehicles: batch.size }, 'Could not save trackers’ protocols');
      }
    }
    isSaving = false;
  };

  const of: LearnedProtocols['of'] = ({ id, protocol }) => protocol ?? learned.get(id) ?? null;
  return {
    of,
    learn: (vehicle, protocol) => {
      if (of(vehicle) !== null) return;
      learned.set(vehicle.id, protocol);
      unsaved.set(vehicle.id, protocol);
      if (!isSaving) void save();
    },
    forget: vehicleId => void learned.delete(vehicleId),
  };
}

/** Waits for no row, so that it can stand in no circle of waiting with another transaction that changes many vehicles. */
const SAVE = `
with learned as (
  select id, learned.protocol from vehicle
  join unnest($1::int4[], $2::text[]) as learned (id, protocol) using (id)
  where vehicle.protocol is null
  for no key update of vehicle skip locked
)
update vehicle set protocol = learned.protocol from learned where vehicle.id = learned.id returning vehicle.id`;
