import { randomUUID } from 'node:crypto';
import type { TestHttpServer } from '../http-server.ts';
import { pushBrowser } from '../push-browser.ts';
import { UNKNOWN_IDS, type UserWithData } from './account-data.ts';
import type { Probes } from './probe.ts';

/** A browser of theirs; one that does not exist of those who do not. */
async function subscription({ context }: TestHttpServer, { accountId, marker, userId, vehicleId }: UserWithData) {
  const endpoint = `https://push.example.com/${randomUUID()}`;
  if (vehicleId === UNKNOWN_IDS.vehicleId) return { id: '2000000000', endpoint };
  const { auth, p256dh } = pushBrowser();
  const { id } = await context.db.system
    .insertInto('push_subscription')
    .values({
      ...{ account_id: accountId, user_id: userId, session_id: null, endpoint, last_sent_at: null },
      ...{ p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') },
      ...{ severities: ['critical'], user_agent: marker },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: String(id), endpoint };
}

export const pushProbes: Probes = {
  readPush: {
    call: async (of, _, server) => {
      await subscription(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  subscribePush: {
    call: () => {
      const { auth, p256dh } = pushBrowser();
      const endpoint = `https://push.example.com/${randomUUID()}`;
      return { body: { endpoint, p256dh, auth, severities: ['critical'] } };
    },
    aboutOthers: 201,
  },
  // Whoever knows the address of a browser's subscription sits at that browser.
  renewPush: {
    call: async (_, caller, server) => ({ body: { endpoint: (await subscription(server, caller)).endpoint } }),
    aboutOthers: 200,
  },
  deletePushSubscription: {
    call: async (of, _, server) => ({ params: { id: (await subscription(server, of)).id } }),
    aboutOthers: 404,
  },
};
