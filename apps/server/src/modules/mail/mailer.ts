import { createTransport } from 'nodemailer';
import type { Context } from '../../context.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Whether mail can be sent at all. */
  readonly works: boolean;
  /** Hands a mail in, behind the caller's back: how long that takes tells nobody who has an address. */
  send(mail: Mail): void;
  close(): Promise<void>;
}

/** Sends through SMTP_URL. `?from=name@example.com` says the sender, where that is not the user who signs in there. */
export function createMailer({ config, log }: Pick<Context, 'config' | 'log'>): Mailer {
  if (config.smtpUrl === null) return { works: false, send: () => {}, close: async () => {} };
  const { transportUrl, from } = readSmtpUrl(config.smtpUrl, config.http.publicUrl);
  const transport = createTransport(transportUrl, { from });
  const underWay = new Set<Promise<void>>();
  return {
    works: true,
    send: mail => {
      const sending: Promise<void> = transport.sendMail(mail).then(
        () => {},
        // Neither whom it was for nor what was in it.
        (error: Error & { code?: string }) =>
          log.error({ code: error.code, reason: error.message }, 'A mail was not sent'),
      );
      underWay.add(sending);
      void sending.finally(() => underWay.delete(sending));
    },
    close: async () => {
      await Promise.all(underWay);
      transport.close();
    },
  };
}

export function readSmtpUrl(smtpUrl: string, publicUrl: string): { transportUrl: string; from: string } {
  const url = new URL(smtpUrl);
  const user = decodeURIComponent(url.username);
  const address =
    url.searchParams.get('from') ?? (user.includes('@') ? user : `milepost@${new URL(publicUrl).hostname}`);
  url.searchParams.delete('from');
  return { transportUrl: url.href, from: `Milepost <${address}>` };
}
