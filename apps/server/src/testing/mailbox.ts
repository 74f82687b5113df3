import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and body as they came. */
  readonly text: string;
}

export interface Mailbox {
  /** For SMTP_URL. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** The next mail that nobody has taken yet. */
  take(): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** A mail server that keeps what it gets. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const waiting: ((mail: ReceivedMail) => void)[] = [];
  let taken = 0;
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
    take: async () => {
      const mail = mails[taken];
      if (!mail) return new Promise(resolve => waiting.push(resolve));
      taken++;
      return mail;
    },
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}
