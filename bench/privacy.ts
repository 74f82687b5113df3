/**
 * `npm run bench -- privacy [vehicles] [viewers]`: what the privacy ledger costs when everyone has the live map of the
 * whole fleet open: at the first look, while it goes on, and in the database.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listVehicles } from '@milepost/contract';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { openDirectory } from '../apps/server/src/fleet/directory.ts';
import { loadLiveStates } from '../apps/server/src/fleet/live.ts';
import { openOrganisation } from '../apps/server/src/fleet/organisation.ts';
import type { OnAnswer } from '../apps/server/src/http/handle.ts';
import type { Session } from '../apps/server/src/http/session.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { openLooks } from '../apps/server/src/modules/privacy/looks.ts';
import { testContext } from '../apps/server/testing/context.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import { table } from './table.ts';

const ROUNDS = 9;

export async function run([vehicles = '1000', viewers = '20']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  const db = openDatabases(database.connection);
  try {
    await migrate(db.pool);
    const context = testContext(db);
    const accountId = await createAccount(db, { name: 'Bench' });
    const some = Array.from({ length: Number(vehicles) }, (_, n) => n);
    const drivers = await db.system
      .insertInto('driver')
      .values(some.map(n => ({ account_id: accountId, name: `Driver ${n}` })))
      .returning('id')
      .execute();
    const row = { account_id: accountId, device_key_hash: Buffer.alloc(32) };
    await db.system
      .insertInto('vehicle')
      .values(some.map(n => ({ ...row, imei: testImei(n), name: `T ${n}`, usual_driver_id: drivers[n]?.id ?? null })))
      .execute();
    const directory = await openDirectory(context);
    const organisation = await openOrganisation(context, directory, await loadLiveStates(db.system));
    let answered: OnAnswer = () => {};
    const http = {
      onAnswer: (listener: OnAnswer) => {
        answered = listener;
      },
    };
    const looks = openLooks(http as never, context, { ...organisation, db, figures: null as never });
    const sessions = Array.from({ length: Number(viewers) }, () => sessionOf(accountId));
    const list = async () => {
      for (const session of sessions) {
        await answered(listVehicles, { session, params: undefined, query: {}, body: undefined }, []);
      }
    };
    const fleet = [...directory.ofAccount(accountId)];
    const listen = () => {
      for (const session of sessions) for (const vehicle of fleet) looks.listens(session, vehicle);
    };

    const figures: Record<string, number> = {};
    const lines: string[][] = [];
    const measure = async (what: string, work: () => void | Promise<void>, rounds = 1): Promise<void> => {
      const times: number[] = [];
      const cpu: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const [began, used] = [performance.now(), process.cpuUsage()];
        await work();
        times.push(performance.now() - began);
        const { system, user } = process.cpuUsage(used);
        cpu.push((user + system) / 1000);
      }
      const median = (values: readonly number[]): number =>
        Math.round((values.toSorted((a, b) => a - b)[rounds >> 1] ?? 0) * 10) / 10;
      figures[what] = median(times);
      lines.push([what, String(median(times)), String(median(cpu))]);
    };
    await measure('everyone opens the map', listen);
    await measure('entries written', () => looks.ledger.settled());
    await measure('everyone still listens', listen, ROUNDS);
    await measure('everyone reads the list', list, ROUNDS);
    await measure('entries prolonged', () => looks.ledger.settled());
    process.stdout.write(table(['what', 'median ms', 'server cpu ms'], lines));
    process.stdout.write(`${JSON.stringify({ bench: 'privacy', vehicles, viewers, figures })}\n`);
    await looks.stop();
  } finally {
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const sessionOf = (accountId: number): Session => ({
  ...{ sessionId: '', kind: 'browser', accountId, userId: crypto.randomUUID(), userName: '', role: 'owner' },
  ...{ permissions: null, scope: null, duty: null, readOnly: false, expiresAt: new Date() },
});
