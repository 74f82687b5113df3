import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Databases } from '../db/database.ts';
import type { Health } from '../lifecycle/health.ts';
import { type Bus, watchBus } from './bus.ts';
import { LocalBus } from './local-bus.ts';
import { createBusMetrics } from './metrics.ts';

export interface BusParts {
  /** Null: one node. */
  readonly url: string | null;
  readonly db: Pick<Databases, 'system'>;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly health: Health;
}

/** Doesn't wait for the bus: a node starts, and goes on, without it. */
export async function openBus({ url, db, log, metrics, health }: BusParts): Promise<Bus> {
  if (url === null) return new LocalBus(log);
  const { name } = await db.system.selectFrom('bus_name').select('name').executeTakeFirstOrThrow();
  // One node needs none of it.
  const { NatsBus } = await import('./nats-bus.ts');
  const bus = new NatsBus({
    url,
    installation: name,
    log: log.child({ part: 'bus' }),
    metrics: createBusMetrics(metrics),
  });
  watchBus(bus, health);
  return bus;
}
