import { startHttpServer, type TestHttpServer } from './http-server.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export interface Deliveries {
  readonly server: TestHttpServer;
  /** Where its emails arrive. */
  readonly mailbox: Mailbox;
  /** The push service of its users' browsers, which takes what it gets. */
  readonly service: WebhookReceiver;
  close(): Promise<void>;
}

/** A server whose alerts leave over a real mail server and a push service. */
export async function startDeliveries(): Promise<Deliveries> {
  const [mailbox, service] = await Promise.all([startMailbox(), startWebhookReceiver()]);
  service.answer(201);
  const config = { smtpUrl: mailbox.url, webhooks: { http: true, networks: ['127.0.0.1'] } };
  const server = await startHttpServer({ config });
  return {
    server,
    mailbox,
    service,
    close: async () => {
      await server.close();
      await Promise.all([mailbox.close(), service.close()]);
    },
  };
}
