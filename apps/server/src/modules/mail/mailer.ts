import type { MailFailure } from '@milepost/contract';
import { createTransport } from 'nodemailer';
import type { Context } from '../../context.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every try of one mail, so that whoever gets it twice can tell. */
  readonly id?: string;
}

export interface Mailer {
  /** Whether mail can be sent at all. */
  readonly works: boolean;
  /** Hands a mail in, behind the caller's back: how long that takes tells nobody who has an address. */
  send(mail: Mail): void;
  /** The same for whoever wants to know what became of it. */
  deliver(mail: Mail): Promise<'sent' | MailFailure>;
  close(): Promise<void>;
}

/** Sends through SMTP_URL. `?from=name@example.com` says the sender, where that is not the user who signs in there. */
export function createMailer({ config, log }: Pick<Context, 'config' | 'log'>): Mailer {
  if (config.smtpUrl === null) {
    return { works: false, send: () => {}, deliver: async () => 'no-server', close: async () => {} };
  }
  const { transportUrl, from } = readSmtpUrl(config.smtpUrl, config.http.publicUrl);
  const transport = createTransport({ url: transportUrl, ...PATIENCE }, { from });
  const { hostname } = new URL(config.http.publicUrl);
  const underWay = new Set<Promise<unknown>>();

  const deliver = ({ id, ...mail }: Mail): Promise<'sent' | MailFailure> => {
    const messageId = id === undefined ? {} : { messageId: `<${id}@${hostname}>` };
    const sending = transport.sendMail({ ...mail, ...messageId }).then(
      () => 'sent' as const,
      (error: SmtpError) => {
        const failure = failureOf(error);
        const { code, command, originalCode, responseCode: status } = error;
        // Neither whom it was for nor what was in it; the mail server's own words often say whom.
        log.error({ failure, code, originalCode, status, command }, 'Could not send an email');
        return failure;
      },
    );
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
    return sending;
  };

  return {
    works: true,
    deliver,
    send: mail => void deliver(mail),
    close: async () => {
      await Promise.all(underWay);
      transport.close();
    },
  };
}

/** A server that says nothing holds nobody up for long. */
const PATIENCE = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

interface SmtpError extends Error {
  readonly code?: string;
  /** Of the network, where it was that. */
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

function failureOf({ code, command }: SmtpError): MailFailure {
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2') return 'sign-in';
  if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'refused' : 'address-refused';
  return code === 'EMESSAGE' || code === 'EPROTOCOL' ? 'refused' : 'unreachable';
}

export function readSmtpUrl(smtpUrl: string, publicUrl: string): { transportUrl: string; from: string } {
  const url = new URL(smtpUrl);
  const user = decodeURIComponent(url.username);
  const address =
    url.searchParams.get('from') ?? (user.includes('@') ? user : `milepost@${new URL(publicUrl).hostname}`);
  url.searchParams.delete('from');
  return { transportUrl: url.href, from: `Milepost <${address}>` };
}
