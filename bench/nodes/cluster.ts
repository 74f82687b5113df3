import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabases } from '../../apps/server/src/db/database.ts';
import { testImei } from '../../apps/server/testing/imei.ts';
import { type NatsProcess, startNats } from '../../apps/server/testing/nats.ts';
import {
  type Browser,
  end,
  forgetPositions,
  type Launched,
  launch,
  postmasterOf,
  prepare,
  startDatabase,
} from '../ingest/server-under-test.ts';
import { processorSecondsOf, processorSecondsOfTree } from '../processes.ts';

/** Processor time used so far, in seconds. */
export interface ClusterTime {
  /** Of all servers together. */
  readonly servers: number;
  readonly database: number;
  readonly bus: number;
}

export interface BusLosses {
  readonly reconnected: number;
  readonly dropped: number;
}

/** Servers on one database and one NATS, as many as are asked for. */
export class Cluster {
  readonly imeis: readonly string[];
  readonly browsers: readonly Browser[];
  nodes: readonly Launched[] = [];
  readonly #databaseUrl: string;
  readonly #dataDir: string;
  readonly #stopDatabase: () => Promise<void>;
  #nats: NatsProcess | null = null;

  private constructor(
    of: Pick<Cluster, 'browsers' | 'imeis'>,
    at: { readonly databaseUrl: string; readonly dataDir: string; readonly stop: () => Promise<void> },
  ) {
    this.imeis = of.imeis;
    this.browsers = of.browsers;
    this.#databaseUrl = at.databaseUrl;
    this.#dataDir = at.dataDir;
    this.#stopDatabase = at.stop;
  }

  static async start(vehicles: number, browsers: number): Promise<Cluster> {
    const { database, dataDir } = await startDatabase();
    // Not the database's folder, which its own server would claim.
    mkdirSync(join(dataDir, 'files'));
    const imeis = Array.from({ length: vehicles }, (_, n) => testImei(n));
    const { signedIn } = await prepare(database.url, imeis, browsers);
    const at = { databaseUrl: database.url, dataDir, stop: () => database.stop() };
    return new Cluster({ imeis, browsers: signedIn }, at);
  }

  /** So many new servers that know of no position, with a bus or, for a single one, without. */
  async run(nodes: number, withBus: boolean): Promise<void> {
    await this.#end();
    await forgetPositions(this.#databaseUrl);
    if (withBus) this.#nats = await startNats();
    const more = { DATA_DIR: join(this.#dataDir, 'files'), ...(this.#nats && { NATS_URL: this.#nats.url }) };
    this.nodes = await Promise.all(Array.from({ length: nodes }, () => launch(this.#databaseUrl, more)));
  }

  killBus(): void {
    this.#nats?.kill();
  }

  time(): ClusterTime {
    const sum = (pids: readonly number[]): number => pids.reduce((all, pid) => all + processorSecondsOf(pid), 0);
    return {
      servers: sum(this.nodes.map(({ child }) => child.pid ?? 0)),
      database: processorSecondsOfTree(postmasterOf(this.#databaseUrl)),
      bus: sum(this.#nats ? [this.#nats.processId()] : []),
    };
  }

  /** Of all servers together, since they started. */
  async busLosses(): Promise<BusLosses> {
    const texts = await Promise.all(this.nodes.map(async ({ ready }) => (await fetch(`${ready.url}/metrics`)).text()));
    const sum = (name: string): number =>
      texts.reduce((all, text) => all + Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0), 0);
    return { reconnected: sum('milepost_bus_reconnected_total'), dropped: sum('milepost_bus_dropped_total') };
  }

  async stored(): Promise<{ readonly rows: number; readonly different: number }> {
    const { pool, close } = openDatabases({ connectionString: this.#databaseUrl });
    const { rows } = await pool.query<{ rows: number; different: number }>(
      'select count(*)::int4 as rows, count(distinct (vehicle_id, fix_at))::int4 as different from position',
    );
    await close();
    return rows[0] ?? { rows: 0, different: 0 };
  }

  async stop(): Promise<void> {
    await this.#end();
    await this.#stopDatabase();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    await Promise.all(this.nodes.map(({ child }) => end(child)));
    this.nodes = [];
    await this.#nats?.stop();
    this.#nats = null;
  }
}
