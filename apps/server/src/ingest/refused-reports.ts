import type { TrackerProtocol } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';
import type { DirectoryEntry } from '../modules/vehicles/directory.ts';

/** Reports for a vehicle over another protocol than its own: refused, and counted for its owner. */
export interface RefusedReports {
  seen(vehicle: DirectoryEntry, protocol: TrackerProtocol, address: string | null): void;
  stop(): Promise<void>;
}

interface Sighting {
  readonly vehicle_id: number;
  readonly protocol: TrackerProtocol;
  remote_address: string | null;
  times: number;
}

const WRITE_EVERY_MS = 2000;

export function watchRefusedReports(db: Kysely<Database>, log: Logger): RefusedReports {
  let sightings = new Map<string, Sighting>();
  const write = async (): Promise<void> => {
    if (sightings.size === 0) return;
    const written = sightings;
    sightings = new Map();
    try {
      await sql`insert into refused_report (account_id, vehicle_id, protocol, remote_address, times)
        select vehicle.account_id, vehicle.id, seen.protocol, seen.remote_address, seen.times
        from jsonb_to_recordset(${JSON.stringify([...written.values()])}::jsonb)
          as seen(vehicle_id integer, protocol text, remote_address text, times integer)
        join vehicle on vehicle.id = seen.vehicle_id
        on conflict (vehicle_id, protocol) do update set times = refused_report.times + excluded.times,
          remote_address = excluded.remote_address, last_seen_at = now()`.execute(db);
    } catch (error) {
      for (const [key, sighting] of written) {
        const since = sightings.get(key);
        if (since) since.times += sighting.times;
        else sightings.set(key, sighting);
      }
      log.warn({ err: error }, 'Could not save refused reports; retrying');
    }
  };
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, WRITE_EVERY_MS).unref();

  return {
    seen: ({ id }, protocol, address) => {
      const key = `${id} ${protocol}`;
      const sighting = sightings.get(key);
      if (!sighting) return void sightings.set(key, { vehicle_id: id, protocol, remote_address: address, times: 1 });
      sighting.times++;
      sighting.remote_address = address;
    },
    stop: async () => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}
