import type { TestHttpServer } from '../http-server.ts';
import { UNKNOWN_IDS, type UserWithData } from './account-data.ts';
import { namesNothing, type Probe, type Probes } from './probe.ts';

/** A webhook of theirs, with a delivery; one that does not exist of those who do not. */
async function webhook({ context }: TestHttpServer, { accountId, alertId, marker, vehicleId }: UserWithData) {
  if (vehicleId === UNKNOWN_IDS.vehicleId) return { id: '2000000000', delivery: UNKNOWN_IDS.alertId };
  const { system } = context.db;
  // Refused before anything is sent: the test server's webhooks reach the public internet alone.
  const url = 'http://hooks.example.com/';
  const account = { account_id: accountId };
  const { id } = await system
    .insertInto('webhook')
    .values({
      ...account,
      name: `${marker} ${++count}`,
      url,
      severities: ['critical'],
      kinds: null,
      is_on: true,
      created_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await system
    .insertInto('webhook_secret')
    .values({ ...account, webhook_id: id, secret: `whsec_${marker}` })
    .execute();
  const delivery = await system
    .insertInto('webhook_delivery')
    .values({
      ...account,
      webhook_id: id,
      alert_id: alertId,
      next_at: null,
      state: 'failed',
      answer: marker,
      tries: 10,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: String(id), delivery: delivery.id };
}
let count = 0;

const aWebhook: Probe['call'] = async (of, _, server) => ({ params: { id: (await webhook(server, of)).id } });

/** Only for those who may change the settings, who see the whole account. */
export const webhookProbes: Probes = {
  listWebhooks: {
    ...namesNothing,
    call: async (of, _, server) => {
      await webhook(server, of);
      return {};
    },
    isForAll: true,
  },
  createWebhook: {
    call: () => ({
      body: { name: `Desk ${++count}`, url: 'https://hooks.example.com/', severities: ['critical'] },
    }),
    aboutOthers: 201,
  },
  updateWebhook: {
    call: async (of, _, server) => ({ params: { id: (await webhook(server, of)).id }, body: { enabled: false } }),
    aboutOthers: 404,
  },
  deleteWebhook: { call: aWebhook, aboutOthers: 404 },
  renewWebhookSecret: { call: aWebhook, aboutOthers: 404 },
  testWebhook: { call: aWebhook, aboutOthers: 404 },
  listWebhookDeliveries: { call: aWebhook, aboutOthers: 404 },
  sendWebhookDelivery: {
    call: async (of, _, server) => ({ params: { id: (await webhook(server, of)).delivery } }),
    aboutOthers: 404,
  },
};
