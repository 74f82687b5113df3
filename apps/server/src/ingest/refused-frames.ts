import type { RefusalCause, TrackerProtocol } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';
import type { DirectoryEntry } from '../fleet/directory.ts';

/** A report for a vehicle over a protocol or from an address other than its own. */
export interface RefusedReport {
  readonly vehicle: DirectoryEntry;
  readonly protocol: TrackerProtocol;
  readonly cause: RefusalCause;
  readonly address: string | null;
}

/** Anyone can send these, so rows, bytes and rate are limited. */
const MAX_KEPT = 2000;
const MAX_OF_ONE_VEHICLE = 5;
const MAX_WAITING = 100;
const MAX_BYTES = 512;
const KEPT_DAYS = 7;

type Frame = RefusedReport & { readonly frame: Buffer; readonly length: number; readonly receivedAt: number };

/** The last refused reports of each vehicle, so that its owner can judge who sent them. */
export class RefusedFrames {
  readonly #db: Kysely<Database>;
  readonly #log: Logger;
  /** The newest per vehicle since the last write. */
  #waiting = new Map<number, Frame[]>();

  constructor(db: Kysely<Database>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  seen(report: RefusedReport, bytes: Uint8Array, receivedAt: number): void {
    const { id } = report.vehicle;
    const frames = this.#waiting.get(id) ?? [];
    if (frames.length === 0 && this.#waiting.size >= MAX_WAITING) return;
    // A copy, because the bytes are in a connection's buffer.
    frames.push({ ...report, frame: Buffer.from(bytes.slice(0, MAX_BYTES)), length: bytes.length, receivedAt });
    this.#waiting.set(id, frames.slice(-MAX_OF_ONE_VEHICLE));
  }

  async write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const frames = [...this.#waiting.values()].flat();
    this.#waiting = new Map();
    const rows = frames.map(({ vehicle, address, protocol, cause, frame, length, receivedAt }) => ({
      ...{ vehicle_id: vehicle.id, remote_address: address, protocol, cause, length },
      ...{ frame: frame.toString('hex'), received_at: new Date(receivedAt) },
    }));
    try {
      await sql`insert into refused_frame
          (account_id, vehicle_id, protocol, cause, remote_address, received_at, frame, length)
        select vehicle.account_id, vehicle.id, seen.protocol, seen.cause, seen.remote_address, seen.received_at,
          decode(seen.frame, 'hex'), seen.length
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as seen(vehicle_id integer, protocol text, cause text,
          remote_address text, received_at timestamptz, frame text, length integer)
        join vehicle on vehicle.id = seen.vehicle_id`.execute(this.#db);
      const vehicles = [...new Set(rows.map(({ vehicle_id }) => vehicle_id))];
      await sql`delete from refused_frame where id in (
        select id from (
          select id, row_number() over (partition by vehicle_id order by id desc) as place
          from refused_frame where vehicle_id = any(${vehicles}::int4[])
        ) ordered where place > ${MAX_OF_ONE_VEHICLE})`.execute(this.#db);
      await forgetRefusedFrames(this.#db);
    } catch (error) {
      this.#log.warn({ err: error }, 'Could not keep refused reports');
    }
  }
}

/** Keeps the newest of the last seven days; a job does it even when nothing new comes. */
export async function forgetRefusedFrames(db: Kysely<Database>): Promise<void> {
  await sql`delete from refused_frame where received_at < now() - make_interval(days => ${KEPT_DAYS}) or id in
    (select id from refused_frame order by id desc offset ${MAX_KEPT})`.execute(db);
}
