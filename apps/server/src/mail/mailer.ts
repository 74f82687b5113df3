import type { MailFailure } from '@milepost/contract';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachment?: { readonly name: string; readonly content: string | Buffer; readonly type: string };
  /** The same for every attempt to send a mail, so that duplicates can be recognized. */
  readonly id?: string;
}

export interface Mailer {
  /** Whether mail can be sent at all. */
  readonly works: boolean;
  /** Sends a mail in the background, so that the time it takes does not reveal who has an address. */
  send(mail: Mail): void;
  /** Sends a mail and returns the outcome. */
  deliver(mail: Mail): Promise<'sent' | MailFailure>;
  close(): Promise<void>;
}

/** Sends through SMTP_URL. `?from=name@example.com` sets the sender if it is not the user who signs in there. */
export function createMailer({ config, log }: { readonly config: Config; readonly log: Logger }): Mailer {
  if (config.smtpUrl === null) {
    return { works: false, send: () => {}, deliver: async () => 'no-server', close: async () => {} };
  }
  const { transportUrl, from } = readSmtpUrl(config.smtpUrl, config.http.publicUrl);
  const transport = createTransport({ url: transportUrl, ...PATIENCE }, { from });
  const { hostname } = new URL(config.http.publicUrl);
  const underWay = new Set<Promise<unknown>>();

  const deliver = ({ attachment, id, ...mail }: Mail): Promise<'sent' | MailFailure> => {
    const attachments = attachment
      ? [{ filename: attachment.name, content: attachment.content, contentType: attachment.type }]
      : [];
    const messageId = id === undefined ? {} : { messageId: `<${id}@${hostname}>` };
    const sending = transport.sendMail({ ...mail, ...messageId, attachments }).then(
      () => 'sent' as const,
      (error: SmtpError) => {
        const failure = failureOf(error);
        const { code, command, originalCode, responseCode: status } = error;
        // Recipient and content are not logged, nor is the mail server's message, which often names the recipient.
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

/** A mail server that does not answer must not hold up other mails for long. */
const PATIENCE = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

interface SmtpError extends Error {
  readonly code?: string;
  /** The network error's code, if it was one. */
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
