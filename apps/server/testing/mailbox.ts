import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as received. */
  readonly text: string;
}

export interface Mailbox {
  /** For SMTP_URL. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Whether to refuse all mail from now on. */
  refuse(isRefusing: boolean): void;
  /** Takes the next mail not taken yet. */
  take(): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** A mail server that keeps the mail it receives. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const waiting: ((mail: ReceivedMail) => void)[] = [];
  let taken = 0;
  let isRefusing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (piece: string) => {
        text += piece;
      });
      stream.on('end', () => {
        if (isRefusing) return done(new Error('No room here'));
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const mail = { from, to: envelope.rcptTo.map(each => each.address), text };
        mails.push(mail);
        const next = waiting.shift();
        if (next) {
          taken++;
          next(mail);
        }
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}?from=fleet@example.com`,
    mails,
    refuse: to => {
      isRefusing = to;
    },
    take: async () => {
      const mail = mails[taken];
      if (!mail) return new Promise(resolve => waiting.push(resolve));
      taken++;
      return mail;
    },
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}

/** Decodes a received mail to its readable text (RFC 2045, RFC 2047). */
export function readMail({ text }: ReceivedMail): {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
} {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const content = text.slice(end + 4);
  const isBase64 = field('Content-Transfer-Encoding') === 'base64';
  const isQuoted = field('Content-Transfer-Encoding') === 'quoted-printable';
  const body = isBase64
    ? Buffer.from(content, 'base64').toString('utf8')
    : isQuoted
      ? unquoted(content.replace(/=\r\n/g, ''))
      : content;
  const subject = field('Subject')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, way: string, word: string) =>
      way.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : unquoted(word.replaceAll('_', ' ')),
    );
  return { id: field('Message-ID'), subject, body: body.replaceAll('\r\n', '\n') };
}

const unquoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
