import { existsSync } from 'node:fs';
import pino from 'pino';
import type { Page } from 'playwright-core';
import { type App, createApp } from '../../apps/server/src/app.ts';
import type { Config } from '../../apps/server/src/config/config.ts';
import { TEST_CONFIG } from '../../apps/server/testing/context.ts';
import { testDatabase } from '../../apps/server/testing/database.ts';
import { isFree, ownPort, ownPorts } from '../../apps/server/testing/own-port.ts';
import { makeScratchFolder, removeScratchFolder } from '../../apps/server/testing/scratch.ts';

export const OWNER = { name: 'nora.kessler', password: 'a long night on I-81' } as const;

export interface Milepost {
  readonly url: string;
  readonly app: App;
  /** Restarts the server on the same database and port; all connections are closed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Zero while a server has it. */
let freePort: number | undefined;

/**
 * The servers of a worker's files have one address, one after the other: the browser then has the app already, in its
 * cache and compiled. A second server beside it has one of its own.
 */
async function takePort(): Promise<number> {
  const port = freePort;
  freePort = 0;
  return port && (await isFree(port)) ? port : ownPort();
}

/** The whole server with the built web app, its own database and one owner. */
export async function startMilepost(
  config: Partial<Config> = {},
  { firstStart = false }: { readonly firstStart?: boolean } = {},
): Promise<Milepost> {
  if (!existsSync(new URL('../../apps/web/dist/index.html', import.meta.url))) {
    throw new Error('The web app is not built: npm start and npm test build it');
  }
  const database = await testDatabase();
  const dataDir = makeScratchFolder();
  const wanted: Config = { ...TEST_CONFIG, dataDir, owner: OWNER, ...config };
  // Its own ports, so that they are still free when it restarts.
  const http = { ...wanted.http, port: wanted.http.port || (await takePort()) };
  const gateways = await ownPorts(wanted.gateways.keys());
  const start = async (): Promise<App> => {
    const started = await createApp({ ...wanted, http, gateways }, database.connection, pino({ level: 'silent' }));
    await started.start();
    return started;
  };
  let app = await start();
  if (!firstStart) {
    // The account was set up some time ago.
    await app.context.db.system.updateTable('app_user').set({ preferences: '{}' }).execute();
  }
  return {
    get url() {
      return app.url;
    },
    get app() {
      return app;
    },
    restart: async () => {
      await app.stop();
      app = await start();
    },
    close: async () => {
      await app.stop();
      freePort ||= http.port;
      await database.close();
      removeScratchFolder(dataDir);
    },
  };
}

/** Signs in with the form, as a user does. */
export async function signIn(
  page: Page,
  { name, password }: { name: string; password: string } = OWNER,
): Promise<void> {
  await page.getByLabel('User name or email').fill(name);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
