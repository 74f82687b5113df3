import { ROUTES } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { userWithData } from '../../testing/cross-account/account-data.ts';
import { probeOf } from '../../testing/cross-account/probes.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';

/**
 * Every call of the contract that changes something must leave an audit log entry; a new call without one fails here.
 */

/** These calls read or start something, and change nothing that could be seen later. */
const CHANGE_NOTHING: ReadonlySet<string> = new Set([
  'isOldPassword',
  'startTotp',
  'startPasskey',
  'readRuleReach',
  'sendTestMail',
  'renewPush',
  // A file that nobody has imported yet, deleted after a day.
  'uploadMoveInFile',
  'deleteMoveInFile',
  // Kept in the logbook itself, with who did what, for ever.
  'recordDuty',
  'certifyDays',
  // Ends a private drive that is not under way; `private-time.test.ts` has the others.
  'switchPrivateDrive',
]);

const writes = Object.entries(ROUTES).filter(
  ([name, { method, access }]) =>
    // Who may read all of the data may have it exported.
    method !== 'GET' && /\.(write|assign|password)$|^data\.read$/.test(access) && !CHANGE_NOTHING.has(name),
);

let server: TestHttpServer;
let operatorAccount: number;
beforeAll(async () => {
  // The demo writes links to the log.
  server = await startHttpServer({ demo: 'on' });
  operatorAccount = (await signedIn(server, { operator: true })).accountId;
});
afterAll(() => server.close());

it.each(writes)('%s', async (name, route) => {
  // The installation's settings are changed in the operator's account.
  const me = await userWithData(
    server,
    /Map(Choice|File)|RepeatedJob|Backup/.test(name) ? { accountId: operatorAccount } : {},
  );
  const { params = {}, query, body } = await probeOf(name).call(me, me, server);
  const path = route.path.replace(/\{(\w+)\}/g, (_, parameter: string) => params[parameter] ?? '');
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const answer = await server.call(route.method, path + search, {
    token: me.token,
    ...(body !== undefined && { body }),
    ...((typeof body === 'string' || body instanceof Uint8Array) &&
      route.bodyType && { headers: { 'content-type': route.bodyType } }),
  });
  expect([name, answer.status]).toEqual([name, route.status ?? 200]);
  const entries = await server.context.db.system
    .selectFrom('audit_entry')
    .select(['action', 'user_id', 'via', 'address'])
    .where('account_id', '=', me.accountId)
    .execute();
  expect([name, entries]).toEqual([
    name,
    expect.arrayContaining([{ action: expect.any(String), user_id: me.userId, via: 'session', address: '127.0.0.1' }]),
  ]);
});
