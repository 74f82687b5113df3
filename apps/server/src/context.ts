import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config/config.ts';
import type { Counters } from './db/counters.ts';
import type { Databases } from './db/database.ts';
import type { Leader } from './db/leader.ts';
import type { ChangeFeed } from './feed/change-feed.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Health } from './lifecycle/health.ts';
import type { Signals } from './lifecycle/signals.ts';
import type { Mailer } from './mail/mailer.ts';

/** What every module gets. Built once by `app.ts`, never global. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Databases;
  readonly feed: ChangeFeed;
  readonly bus: Bus;
  readonly leader: Leader;
  readonly jobs: Jobs;
  readonly metrics: Registry;
  readonly health: Health;
  readonly signals: Signals;
  /** For limits; all nodes count together. */
  readonly counters: Counters;
  readonly mailer: Mailer;
  /** Decided at start, from DEMO and what the database holds. `public`: its visitor only looks. */
  readonly demo: 'off' | 'on' | 'public';
}
