import { existsSync } from 'node:fs';
import pino from 'pino';
import type { Page } from 'playwright-core';
import { type App, createApp } from '../../apps/server/src/app.ts';
import type { Config } from '../../apps/server/src/config/config.ts';
import { TEST_CONFIG } from '../../apps/server/src/testing/context.ts';
import { testDatabase } from '../../apps/server/src/testing/database.ts';
import { makeScratchFolder, removeScratchFolder } from '../../apps/server/src/testing/scratch.ts';

export const OWNER = { name: 'nora.kessler', password: 'a long night on I-81' } as const;

export interface Milepost {
  readonly url: string;
  readonly app: App;
  /** Ends the server and starts it again on the same database and port; what was connected is cut off. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The whole server with the built web app, on a database of its own, with one owner. */
export async function startMilepost(config: Partial<Config> = {}): Promise<Milepost> {
  if (!existsSync(new URL('../../apps/web/dist/index.html', import.meta.url))) {
    throw new Error('The web app is not built: npm start and npm test build it');
  }
  const database = await testDatabase();
  const dataDir = makeScratchFolder();
  const wanted: Config = { ...TEST_CONFIG, dataDir, owner: OWNER, ...config };
  const start = async (changed: Config): Promise<App> => {
    const started = await createApp(changed, database.connection, pino({ level: 'silent' }));
    await started.start();
    return started;
  };
  let app = await start(wanted);
  return {
    get url() {
      return app.url;
    },
    get app() {
      return app;
    },
    restart: async () => {
      const port = Number(new URL(app.url).port);
      const gateways = new Map([...wanted.gateways].map(([name, port]) => [name, app.trackerPorts.get(name) ?? port]));
      await app.stop();
      app = await start({ ...wanted, http: { ...wanted.http, port }, gateways });
    },
    close: async () => {
      await app.stop();
      await database.close();
      removeScratchFolder(dataDir);
    },
  };
}

/** Signs in by the form, as a user does. */
export async function signIn(
  page: Page,
  { name, password }: { name: string; password: string } = OWNER,
): Promise<void> {
  await page.getByLabel('User name or email').fill(name);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
