import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { AlertNews } from './news.ts';

let server: TestHttpServer;
const logged: string[] = [];
beforeAll(async () => {
  server = await startHttpServer({ log: pino({ level: 'error' }, { write: line => void logged.push(line) }) });
});
afterAll(() => server.close());

it('announces later what it could not read at first', async () => {
  const { context, directory } = server;
  const { system } = context.db;
  const owner = await signedIn(server);
  const vehicle = await addNamedVehicle(server, owner.accountId, '4127');
  const alert = () => addAlert(server, owner.accountId, Number(vehicle.id), { closed_at: new Date() });
  const [before, during] = [await alert(), await alert()];
  const told = new Set<string>();
  context.signals.on('alert-changed', ({ alert: { id } }) => void told.add(id));
  const news = new AlertNews(context, { directory, reportContext: { placeOf: () => null } });

  await sql`alter table alert rename to alert_away`.execute(system);
  news.note([before]);
  await expect.poll(() => logged.join('')).toContain('Could not announce changed alerts');
  news.note([during]);
  await sql`alter table alert_away rename to alert`.execute(system);
  await expect.poll(() => told).toEqual(new Set([before, during]));
  news.stop();
});
