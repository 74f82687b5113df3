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
  /** A failing `told` check leaves the server healthy: a restart would not help. */
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
  /** Users' access changed: their sessions are rechecked and their connections reconnect. */
  'users-changed': { readonly userIds: readonly string[] };
  /** A vehicle was added, changed or removed, or its device key renewed: caches and connections drop it. */
  'vehicle-changed': { readonly vehicleId: number; readonly accountId: number; readonly imei: string };
  /** Vehicles got another folder or usual driver. Their trackers are not affected. */
  'vehicles-arranged': { readonly accountId: number; readonly vehicleIds: readonly number[] };
  /** Folders, departments or drivers of an account were added, changed or removed. */
  'organisation-changed': { readonly accountId: number };
  /**
   * Positions of vehicles were committed. Once a batch, on the hot path: a handler looks first whether it has anything to
   * do with any of these vehicles.
   */
  'positions-committed': { readonly changes: readonly Change[] };
  /** Something contradicts a vehicle's tracker, or the tracker contradicts itself. */
  'tracker-contradicted': { readonly accountId: number; readonly vehicleId: number; readonly conflict: AlertConflict };
  /** A tracker can be reached now: it receives what is sent to it. */
  'tracker-reachable': { readonly vehicleId: number };
  /** A tracker answered a command. */
  'tracker-replied': { readonly vehicleId: number; readonly reply: TrackerReply };
  /** The network confirmed that a command reached its tracker; `reference` is the one it was sent with. */
  'command-delivered': { readonly vehicleId: number; readonly reference: number };
  /** A command took a step. */
  'command-changed': { readonly accountId: number; readonly vehicleId: number; readonly command: Command };
  /** The driver of a vehicle changed, by the card it reported. */
  'driver-changed': { readonly accountId: number; readonly vehicleId: number };
  /** An alert came up, was seen again, ended or was acknowledged. */
  'alert-changed': { readonly accountId: number; readonly vehicleId: number; readonly alert: Alert };
  /** A geofence raised an alert for a vehicle. */
  'geofence-alert': { readonly accountId: number; readonly vehicleId: number; readonly alert: GeofenceAlert };
}

export interface Signals {
  on<K extends keyof SignalMap>(name: K, handler: (event: SignalMap[K]) => void): () => void;
  emit<K extends keyof SignalMap>(name: K, event: SignalMap[K]): void;
}
