import pino, { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { LocalBus } from '../src/bus/local-bus.ts';
import type { Config } from '../src/config/config.ts';
import type { Context } from '../src/context.ts';
import { IN_MEMORY } from '../src/db/counters.ts';
import type { Databases } from '../src/db/database.ts';
import { ALONE } from '../src/db/leader.ts';
import { createChangeFeed } from '../src/feed/change-feed.ts';
import { createJobs } from '../src/jobs/jobs.ts';
import { createHealth } from '../src/lifecycle/health.ts';
import { createSignals } from '../src/lifecycle/signals.ts';
import { createMailer } from '../src/mail/mailer.ts';

/** The configuration of a server under test: any free ports, and no outside services. */
export const TEST_CONFIG: Config = {
  version: '0.0.0-test',
  http: { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost:8080', trustedProxies: [] },
  dataDir: '',
  databaseUrl: null,
  natsUrl: null,
  mqttPort: null,
  gateways: new Map(),
  demo: 'off',
  owner: null,
  map: { styleUrl: null, tileUrl: null },
  smtpUrl: null,
  webhooks: { http: false, networks: [] },
  development: false,
  geocoderUrl: null,
  sealAfterDays: 7,
  metricsToken: null,
  traces: null,
  logLevel: 'fatal',
};

/** A context of real parts with a real database, for tests of a few modules. */
export function testContext(
  db: Databases,
  config: Partial<Config> = {},
  log: Logger = pino({ level: 'silent' }),
): Context {
  const merged = { ...TEST_CONFIG, ...config };
  return {
    config: merged,
    log,
    db,
    feed: createChangeFeed(db, log),
    bus: new LocalBus(log),
    leader: ALONE,
    jobs: createJobs(db, log),
    metrics: new Registry(),
    health: createHealth(),
    signals: createSignals(log),
    counters: IN_MEMORY,
    mailer: createMailer({ config: merged, log }),
    demo: 'off',
  };
}
