import type { Alert, Command, GeofenceAlert } from '@milepost/contract';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from './config/config.ts';
import type { AlertConflict } from './db/alert-schema.ts';
import type { Databases } from './db/database.ts';
import type { ChangeFeed } from './feed/change-feed.ts';
import type { Change } from './ingest/lane.ts';
import type { TrackerReply } from './ingest/reception.ts';
import type { Mailer } from './modules/mail/mailer.ts';

/** What every module gets. Built once by `app.ts`, never global. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Databases;
  readonly feed: ChangeFeed;
  readonly metrics: Registry;
  readonly health: Health;
  readonly signals: Signals;
  readonly mailer: Mailer;
  /** Decided at start, from DEMO and what the database holds. `public`: its visitor only looks. */
  readonly demo: 'off' | 'on' | 'public';
}

/** Named checks behind `/health`: null when fine, else a sentence that says what is wrong. */
export interface Health {
  /** What is only `told` leaves the server healthy: nothing would be better if it were started again. */
  register(name: string, check: () => string | null | Promise<string | null>, weight?: 'vital' | 'told'): void;
  /** Runs every check at once; one that gives no answer within two seconds fails. */
  report(): Promise<HealthReport>;
}

export interface HealthReport {
  readonly status: 'ok' | 'failing';
  /** By name: `ok`, or the sentence. */
  readonly checks: Readonly<Record<string, string>>;
}

/** What one module tells the others inside this process. Handlers run synchronously, in the order they were added. */
export interface SignalMap {
  /** Sessions that ended; their connections close at once. */
  'sessions-ended': { readonly sessionIds: readonly string[] };
  /** What users may do was changed: their sessions are looked at again, their connections begin anew. */
  'users-changed': { readonly userIds: readonly string[] };
  /** A vehicle was added, changed or removed, or its device key renewed: caches and connections drop it. */
  'vehicle-changed': { readonly vehicleId: number; readonly accountId: number; readonly imei: string };
  /** Vehicles went to another folder or usual driver. Their trackers have nothing to do with it. */
  'vehicles-arranged': { readonly accountId: number; readonly vehicleIds: readonly number[] };
  /** Folders, departments or drivers of an account were added, changed or removed. */
  'organisation-changed': { readonly accountId: number };
  /**
   * Positions of vehicles were committed. Once a batch, on the hot path: a handler looks first whether it has anything to
   * do with any of these vehicles.
   */
  'positions-committed': { readonly changes: readonly Change[] };
  /** Something speaks against a vehicle's tracker, or it against itself. */
  'tracker-contradicted': { readonly accountId: number; readonly vehicleId: number; readonly conflict: AlertConflict };
  /** A tracker has come within reach: it hears what is sent to it. */
  'tracker-reachable': { readonly vehicleId: number };
  /** A tracker answered a command. */
  'tracker-replied': { readonly vehicleId: number; readonly reply: TrackerReply };
  /** The network says that a command has arrived at its tracker; the reference is the one that it was sent with. */
  'command-delivered': { readonly vehicleId: number; readonly reference: number };
  /** A command took a step. */
  'command-changed': { readonly accountId: number; readonly vehicleId: number; readonly command: Command };
  /** Somebody else drives a vehicle now, by a card that it reported. */
  'driver-changed': { readonly accountId: number; readonly vehicleId: number };
  /** An alert came up, was seen again, ended or was acknowledged. */
  'alert-changed': { readonly accountId: number; readonly vehicleId: number; readonly alert: Alert };
  /** A geofence has something to say of a vehicle. */
  'geofence-alert': { readonly accountId: number; readonly vehicleId: number; readonly alert: GeofenceAlert };
}

export interface Signals {
  on<K extends keyof SignalMap>(name: K, handler: (event: SignalMap[K]) => void): () => void;
  emit<K extends keyof SignalMap>(name: K, event: SignalMap[K]): void;
}
