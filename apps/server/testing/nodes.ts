import pino from 'pino';
import { type App, createApp } from '../src/app.ts';
import { type Config, GATEWAY_NAMES } from '../src/config/config.ts';
import { createSessions, type Sessions } from '../src/modules/accounts/sessions.ts';
import type { TestApp } from './app.ts';
import { TEST_CONFIG } from './context.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type NatsProcess, startNats } from './nats.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch.ts';

export interface TestNode extends Pick<TestApp, 'context' | 'url' | 'port'> {
  readonly app: App;
  readonly sessions: Sessions;
}

export interface TestNodes {
  readonly nodes: readonly [TestNode, TestNode, ...TestNode[]];
  readonly database: TestDatabase;
  readonly nats: NatsProcess;
  close(): Promise<void>;
}

/** Two whole servers on one database and one NATS, connected to it. */
export async function startNodes(config: Partial<Config> = {}): Promise<TestNodes> {
  const nats = await startNats();
  const database = await testDatabase();
  const dataDir = makeScratchFolder();
  const start = async (): Promise<TestNode> => {
    const gateways = new Map(GATEWAY_NAMES.map(name => [name, 0]));
    const app = await createApp(
      { ...TEST_CONFIG, dataDir, mqttPort: 0, gateways, natsUrl: nats.url, databaseUrl: database.url, ...config },
      database.connection,
      pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
    );
    await app.start();
    return {
      app,
      context: app.context,
      sessions: createSessions(app.context),
      url: app.url,
      port: protocol => app.trackerPorts.get(protocol) ?? 0,
    };
  };
  const nodes = [await start(), await start()] as const;
  return {
    nodes,
    database,
    nats,
    close: async () => {
      for (const { app } of nodes) await app.stop();
      await nats.stop();
      await database.close();
      removeScratchFolder(dataDir);
    },
  };
}
