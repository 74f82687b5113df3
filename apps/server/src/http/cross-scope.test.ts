import { isLimited, may, ROLES, type Role, type Route } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lending, manyPairs, type Pair, passing } from '../../testing/cross-account/many-users.ts';
import { PROBED_ROUTES, probeOf } from '../../testing/cross-account/probes.ts';
import { readRows, rowsAbout, rowsAsMade, send, settled } from '../../testing/cross-account/send.ts';
import { startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { REACHES_PROVIDER } from '../../testing/identity-provider.ts';

/**
 * The rule of scopes, for every HTTP route of the contract and every role: users limited to a folder and a department
 * read, change and create nothing outside them, and can do inside them what their role allows. A new route is tested
 * by its probe of `cross-account.test.ts`.
 */

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer({ demo: 'on', ...REACHES_PROVIDER });
});
afterAll(() => server.close());

const routes = PROBED_ROUTES;
/** An owner is never limited. */
const roles = ROLES.filter(role => isLimited({ role, scope: {} }));

function isAllowed({ access }: Route, role: Role): boolean {
  return access === 'public' || access === 'signed-in' || may({ role, readOnly: false, scope: {} }, access);
}
/** Ends with what is seen: it asks a tracker or shows what is seen, or answers what has come up. */
const IN_PASSING: ReadonlySet<string> = new Set([
  'createCommand',
  'createCommandRun',
  'cancelCommand',
  // Asks whoever drives their vehicle now, as a call would.
  'createTask',
  'acknowledgeAlerts',
  // Shows what is wrong with the vehicle that they drive now.
  'addInspectionPhoto',
  'createShare',
  'updateShare',
  'revokeShare',
  'revokeSharesBy',
  'previewCommand',
  // Writes down what is seen.
  'startReportRun',
  'startEvidencePack',
  'createReportSchedule',
  // Answers the days that remain and changes none.
  'updateSubscription',
]);
const REFUSED = { status: 403, body: { code: 'not-allowed' } };

describe.each(roles)('[R6.03] a limited %s', role => {
  // A driver sees their vehicle because they drive it, whatever else they are limited to.
  const newPair = manyPairs(() => server, { role, limited: true, drives: role === 'driver' });
  const asMade = async ({ me }: Pair) => rowsAsMade(await readRows(server, me.accountId));
  const passingPair = async () => passing(server, await newPair());
  /** For calls that change nothing by what they are. */
  const withCaller = lending(newPair);
  const withBystander = lending(newPair, asMade);
  const withPassing = lending(passingPair, asMade);

  const refused = routes.filter(([, route]) => !isAllowed(route, role));
  const allowed = routes.filter(([, route]) => isAllowed(route, role));

  it.each(refused)('is refused %s', (name, route) =>
    withCaller(async ({ me }) => {
      expect([name, await send(server, route, {}, me.token)]).toMatchObject([name, REFUSED]);
    }),
  );

  it.each(allowed)('in their scope may %s', async (name, route) => {
    const test = async ({ me }: Pair) => {
      const answer = await send(server, route, await probeOf(name).call(me, me, server), me.token);
      expect([name, answer.status, answer.text]).toEqual([name, route.status ?? 200, expect.any(String)]);
    };
    await (route.method === 'GET' ? withCaller(test) : test(await newPair()));
  });

  it.each(allowed)('outside it neither sees nor changes anything by %s', async (name, route) => {
    const probe = probeOf(name);
    const expected = probe.outOfScope ?? probe.aboutOthers;
    const test = async ({ me, other }: Pair) => {
      const parts = await probe.call(other, me, server);
      await settled(server, other.accountId, probe);
      const before = await readRows(server, other.accountId);
      const answer = await send(server, route, parts, me.token);
      expect([name, answer.status, answer.text]).toEqual([name, expected, expect.any(String)]);
      if (!probe.isForAll) {
        expect(answer.text).not.toContain(other.marker);
        expect(answer.text).not.toContain(other.imei);
      }
      const after = await readRows(server, other.accountId);
      expect(rowsAbout(after, other, probe)).toBe(rowsAbout(before, other, probe));
      return rowsAsMade(after);
    };
    await (route.method !== 'GET' && expected < 400 ? test(await newPair()) : withBystander(test));
  });

  it.each(allowed.filter(([name, { method }]) => method !== 'GET' && !IN_PASSING.has(name)))(
    'changes nothing that they see because of who drives it by %s',
    async (name, route) => {
      const probe = probeOf(name);
      // Users change only their own sign-in.
      const isAboutOthers = probe.aboutOthers === 404;
      const test = async ({ me, other }: Pair) => {
        const parts = await probe.call(other, me, server);
        await settled(server, other.accountId, probe);
        const before = await readRows(server, other.accountId);
        const answer = await send(server, route, parts, me.token);
        const after = await readRows(server, other.accountId);
        expect([name, rowsAbout(after, other, probe)]).toEqual([name, rowsAbout(before, other, probe)]);
        if (isAboutOthers) {
          expect([name, answer.text, [403, 404, probe.outOfScope]]).toEqual([
            name,
            answer.text,
            expect.arrayContaining([answer.status]),
          ]);
        }
        if (answer.status === 403) expect([name, answer.body]).toMatchObject([name, { code: 'out-of-scope' }]);
        return rowsAsMade(after);
      };
      await (isAboutOthers ? withPassing(test) : test(await passingPair()));
    },
  );
});
