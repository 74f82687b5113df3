import pino, { type Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import type { Databases } from '../db/database.ts';
import { createChangeFeed } from '../feed/change-feed.ts';
import { createHealth } from '../lifecycle/health.ts';
import { createSignals } from '../lifecycle/signals.ts';
import { createMailer } from '../modules/mail/mailer.ts';

/** The configuration of a server under test: every port free to choose, nothing outside asked for. */
export const TEST_CONFIG: Config = {
  version: '0.0.0-test',
  http: { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost:8080', trustedProxies: [] },
  dataDir: '',
  databaseUrl: null,
  mqttPort: null,
  gateways: new Map(),
  demo: 'off',
  owner: null,
  map: { styleUrl: null, tileUrl: null },
  smtpUrl: null,
  development: false,
  geocoderUrl: null,
  metricsToken: null,
  logLevel: 'fatal',
};

/** A context of the real parts over a real database, for tests of a few modules. */
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
    metrics: new Registry(),
    health: createHealth(),
    signals: createSignals(log),
    mailer: createMailer({ config: merged, log }),
    demo: 'off',
  };
}
