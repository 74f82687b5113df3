import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** Monitoring has its answer without these gauges when the database takes longer. */
const WAIT_MS = 2000;

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Gauges that one read of the database fills when they are asked for, by name. While the database is away they have no
 * values, and `/metrics` answers all the same.
 */
export function showGauges<Name extends string>(
  registry: Registry,
  gauges: Readonly<Record<Name, { readonly help: string; readonly labelNames: readonly string[] }>>,
  read: () => Promise<Readonly<Record<Name, readonly Sample[]>>>,
): void {
  let reading: Promise<Readonly<Record<Name, readonly Sample[]>> | null> | null = null;
  const readOnce = () => {
    // All of them are collected at the same time.
    reading ??= Promise.race([read().catch(() => null), sleep(WAIT_MS, null, { ref: false })]).finally(() => {
      reading = null;
    });
    return reading;
  };
  for (const name of Object.keys(gauges) as Name[]) {
    new Gauge({
      name,
      ...gauges[name],
      registers: [registry],
      async collect() {
        const samples = await readOnce();
        this.reset();
        for (const { labels = {}, value } of samples?.[name] ?? []) this.set(labels, value);
      },
    });
  }
}
