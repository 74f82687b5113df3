import { startHttpServer, type TestHttpServer } from './http-server.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';

export interface MailServer {
  readonly server: TestHttpServer;
  readonly mailbox: Mailbox;
  close(): Promise<void>;
}

/** A server that sends its mail by SMTP to a test mailbox. */
export async function startMailServer(): Promise<MailServer> {
  const mailbox = await startMailbox();
  const server = await startHttpServer({ config: { smtpUrl: mailbox.url } });
  const close = async (): Promise<void> => {
    await server.close();
    await mailbox.close();
  };
  return { server, mailbox, close };
}
