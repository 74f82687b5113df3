import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Mailbox {
  /** For `smtpUrl` of the server under test. */
  readonly url: string;
  /** All mail delivered, with headers, oldest first. */
  readonly mails: readonly string[];
  close(): Promise<void>;
}

/** A mail with its soft line breaks removed (RFC 2045 section 6.7). */
export const textOf = (mail: string): string => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=');

/** The token of the link in a mail; empty if there is none. */
export const linkToken = (mail = ''): string => /#\w+=([\w-]{43})/.exec(textOf(mail))?.[1] ?? '';

/** A mail server that keeps the mails it receives. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', piece => {
        text += piece;
      });
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}/?from=fleet@rockfish.example`,
    mails,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}
