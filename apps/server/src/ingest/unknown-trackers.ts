import type { TrackerProtocol } from '@milepost/contract';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';
import { LogThrottle } from '../limits/log-throttle.ts';
import type { IngestMetrics } from './metrics.ts';

/** Trackers that report here and belong to no vehicle: only counted, logged and listed for the owner. */
export interface UnknownTrackers {
  seen(imei: string, protocol: TrackerProtocol, address: string | null): void;
  stop(): Promise<void>;
}

interface Sighting {
  readonly protocol: TrackerProtocol;
  readonly address: string | null;
  times: number;
}

/** Anyone can connect with made-up IMEIs, so rows and rate are limited. */
const MAX_LISTED = 1000;
const MAX_SIGHTINGS = 200;
const WRITE_EVERY_MS = 2000;
const LOG_AGAIN_AFTER_MS = 3_600_000;
const MAX_LOGGED = 200;
const MAX_NAME = 32;

export function watchUnknownTrackers(db: Kysely<Database>, log: Logger, metrics: IngestMetrics): UnknownTrackers {
  let sightings = new Map<string, Sighting>();
  const logged = new LogThrottle(LOG_AGAIN_AFTER_MS, MAX_LOGGED);

  const write = async (): Promise<void> => {
    if (sightings.size === 0) return;
    const written = sightings;
    sightings = new Map();
    try {
      await upsert(db, written);
      await forgetOldest(db);
    } catch (error) {
      // The trackers will report again, which restores the list.
      log.warn({ err: error }, 'Could not save the list of unknown trackers');
    }
  };
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, WRITE_EVERY_MS).unref();

  return {
    seen: (name, protocol, address) => {
      metrics.unknownTrackers.inc({ protocol });
      const imei = name.replace(/[^\x21-\x7e]/g, '').slice(0, MAX_NAME);
      if (imei === '') return;
      const sighting = sightings.get(imei);
      if (sighting) sighting.times++;
      else if (sightings.size < MAX_SIGHTINGS) sightings.set(imei, { protocol, address, times: 1 });

      if (logged.allows(imei)) {
        log.info({ imei, protocol, address }, 'An unknown tracker is trying to report');
      }
    },
    stop: async () => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

async function upsert(db: Kysely<Database>, sightings: ReadonlyMap<string, Sighting>): Promise<void> {
  const rows = [...sightings].map(([imei, { protocol, address, times }]) => ({
    imei,
    protocol,
    connections: times,
    remote_address: address,
  }));
  await db
    .insertInto('unknown_tracker')
    .values(rows)
    .onConflict(conflict =>
      conflict.column('imei').doUpdateSet({
        protocol: eb => eb.ref('excluded.protocol'),
        remote_address: eb => eb.ref('excluded.remote_address'),
        last_seen_at: sql`now()`,
        connections: sql`unknown_tracker.connections + excluded.connections`,
      }),
    )
    .execute();
}

/** Keeps the ones seen last. */
async function forgetOldest(db: Kysely<Database>): Promise<void> {
  await sql`delete from unknown_tracker where imei in
    (select imei from unknown_tracker order by last_seen_at desc, imei offset ${MAX_LISTED})`.execute(db);
}
