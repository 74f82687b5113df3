import type { RefusalCause, TrackerProtocol } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';
import { RefusedFrames, type RefusedReport } from './refused-frames.ts';

/** Refused reports, counted for the vehicle's owner. */
export interface RefusedReports {
  /** `bytes`: what it said, where that may be looked at. */
  seen(report: RefusedReport, bytes: Uint8Array | null): void;
  stop(): Promise<void>;
}

interface Sighting {
  readonly vehicle_id: number;
  readonly protocol: TrackerProtocol;
  readonly cause: RefusalCause;
  remote_address: string | null;
  times: number;
}

const WRITE_EVERY_MS = 2000;

export function watchRefusedReports(db: Kysely<Database>, log: Logger): RefusedReports {
  const frames = new RefusedFrames(db, log);
  let sightings = new Map<string, Sighting>();
  const write = async (): Promise<void> => {
    await frames.write();
    if (sightings.size === 0) return;
    const written = sightings;
    sightings = new Map();
    try {
      await sql`insert into refused_report (account_id, vehicle_id, protocol, cause, remote_address, times)
        select vehicle.account_id, vehicle.id, seen.protocol, seen.cause, seen.remote_address, seen.times
        from jsonb_to_recordset(${JSON.stringify([...written.values()])}::jsonb)
          as seen(vehicle_id integer, protocol text, cause text, remote_address text, times integer)
        join vehicle on vehicle.id = seen.vehicle_id
        on conflict (vehicle_id, protocol, cause) do update set times = refused_report.times + excluded.times,
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
    seen: (report, bytes) => {
      const { vehicle, protocol, cause, address } = report;
      if (bytes) frames.seen(report, bytes, Date.now());
      const key = `${vehicle.id} ${protocol} ${cause}`;
      const sighting = sightings.get(key);
      if (!sighting) {
        sightings.set(key, { vehicle_id: vehicle.id, protocol, cause, remote_address: address, times: 1 });
        return;
      }
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
