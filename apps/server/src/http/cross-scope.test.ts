import { isLimited, may, ROLES, ROUTES, type Role, type Route } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../testing/http-server.ts';
import { type UserWithData, userWithData } from './cross-account/account-data.ts';
import { limitedTo, once, passing } from './cross-account/limited.ts';
import { probeOf } from './cross-account/probes.ts';
import { rowsAbout, send } from './cross-account/send.ts';

/**
 * The rule of scopes, for every HTTP route of the contract and every role: whoever is limited to a folder and a
 * department reads, changes and makes nothing beyond them, and does there what their role allows. A new route is tried
 * by its probe of `cross-account.test.ts`.
 */

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer({ demo: 'on' });
});
afterAll(() => server.close());

const routes = Object.entries(ROUTES);
/** An owner is never limited. */
const roles = ROLES.filter(role => isLimited({ role, scope: {} }));

function isAllowed({ access }: Route, role: Role): boolean {
  return access === 'public' || access === 'signed-in' || may({ role, readOnly: false, scope: {} }, access);
}
/** Ends with what is seen: it asks a tracker or shows what is seen, or answers what has come up. */
const IN_PASSING: ReadonlySet<string> = new Set([
  'createCommand',
  'cancelCommand',
  'acknowledgeAlerts',
  'createShare',
  'updateShare',
  'revokeShare',
  'revokeSharesBy',
  'previewCommand',
  // Answers the days that remain and changes none.
  'updateSubscription',
]);
const REFUSED = { status: 403, body: { code: 'not-allowed' } };

describe.each(roles)('[R6.03] a limited %s', role => {
  const account = once(() => signedIn(server));
  const colleague = async (): Promise<UserWithData> =>
    limitedTo(server, { role, accountId: (await account()).accountId });
  const unchanged = once(colleague);
  /** Nothing of theirs changes: that is what is proved. */
  const outside = once(async () => userWithData(server, { accountId: (await account()).accountId }));
  const inPassing = once(async () => {
    const me = await colleague();
    return { me, other: await passing(server, me) };
  });

  const refused = routes.filter(([, route]) => !isAllowed(route, role));
  const allowed = routes.filter(([, route]) => isAllowed(route, role));

  it.each(refused)('is refused %s', async (name, route) => {
    expect([name, await send(server, route, {}, (await unchanged()).token)]).toMatchObject([name, REFUSED]);
  });

  it.each(allowed)('in their own part may %s', async (name, route) => {
    const me = await (route.method === 'GET' ? unchanged() : limitedTo(server, { role }));
    const answer = await send(server, route, await probeOf(name).call(me, me, server), me.token);
    expect([name, answer.status, answer.text]).toEqual([name, route.status ?? 200, expect.any(String)]);
  });

  it.each(allowed)('beyond it neither sees nor changes anything by %s', async (name, route) => {
    const probe = probeOf(name);
    const expected = probe.outOfScope ?? probe.aboutOthers;
    const other = await outside();
    const me = await (route.method !== 'GET' && expected < 400 ? colleague() : unchanged());
    const parts = await probe.call(other, me, server);
    const before = await rowsAbout(server, other, probe);
    const answer = await send(server, route, parts, me.token);
    expect([name, answer.status, answer.text]).toEqual([name, expected, expect.any(String)]);
    if (!probe.isForAll) {
      expect(answer.text).not.toContain(other.marker);
      expect(answer.text).not.toContain(other.imei);
    }
    expect(await rowsAbout(server, other, probe)).toBe(before);
  });

  it.each(allowed.filter(([name, { method }]) => method !== 'GET' && !IN_PASSING.has(name)))(
    'changes nothing that they see because of who drives it by %s',
    async (name, route) => {
      const probe = probeOf(name);
      const { me, other } = await inPassing();
      // Who changes how they sign in is somebody of their own.
      const isAboutOthers = probe.aboutOthers === 404;
      const caller = isAboutOthers ? me : await colleague();
      const parts = await probe.call(other, caller, server);
      const before = await rowsAbout(server, other, probe);
      const answer = await send(server, route, parts, caller.token);
      expect([name, await rowsAbout(server, other, probe)]).toEqual([name, before]);
      if (isAboutOthers) {
        expect([name, answer.text, [403, 404, probe.outOfScope]]).toEqual([
          name,
          answer.text,
          expect.arrayContaining([answer.status]),
        ]);
      }
      if (answer.status === 403) expect([name, answer.body]).toMatchObject([name, { code: 'out-of-scope' }]);
    },
  );
});
