import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_CONFIG } from '../../testing/context.ts';
import { type Mailbox, startMailbox } from '../../testing/mailbox.ts';
import { createMailer, readSmtpUrl } from './mailer.ts';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.close());

const log = pino({ level: 'silent' });
const mailer = (smtpUrl: string | null) => createMailer({ config: { ...TEST_CONFIG, smtpUrl }, log });

it('sends mail to the server of SMTP_URL', async () => {
  const { works, send, close } = mailer(mailbox.url);
  expect(works).toBe(true);
  send({ to: 'ann@example.com', subject: 'Your code', text: 'It is 123456.' });
  const mail = await mailbox.take();
  expect(mail).toMatchObject({ from: 'fleet@example.com', to: ['ann@example.com'] });
  expect(mail.text).toMatch(/Subject: Your code[\s\S]*It is 123456\./);
  await close();
});

it('sends a file along', async () => {
  const { deliver, close } = mailer(mailbox.url);
  const attachment = { name: 'log.csv', content: 'a,b\r1,2\r', type: 'text/csv' };
  expect(await deliver({ to: 'ann@example.com', subject: 'Log', text: 'See the file.', attachment })).toBe('sent');
  const mail = await mailbox.take();
  expect(mail.text).toMatch(/filename=log\.csv/);
  expect(mail.text).toContain(Buffer.from(attachment.content).toString('base64'));
  await close();
});

it('does not let a line break in a subject start a header', async () => {
  const { send, close } = mailer(mailbox.url);
  send({ to: 'ann@example.com', subject: 'Hello\r\nBcc: eve@example.com', text: '.' });
  expect(await mailbox.take()).toMatchObject({ to: ['ann@example.com'] });
  await close();
});

it('fails no call if the mail server is down or there is none', async () => {
  for (const smtpUrl of ['smtp://127.0.0.1:9', null]) {
    const { send, close } = mailer(smtpUrl);
    send({ to: 'ann@example.com', subject: 'x', text: 'x' });
    await expect(close()).resolves.toBeUndefined();
  }
});

it('sets the sender from the address, else its user, else the installation', () => {
  const from = (url: string) => readSmtpUrl(url, 'https://fleet.example.com').from;
  expect(from('smtp://mail.example.com?from=a@b.example')).toBe('Milepost <a@b.example>');
  expect(from('smtps://me%40example.com:secret@mail.example.com')).toBe('Milepost <me@example.com>');
  expect(from('smtp://relay')).toBe('Milepost <milepost@fleet.example.com>');
});

it('logs why a mail was refused, without its recipient and without the server’s message, which names them', async () => {
  const logged: string[] = [];
  const toLines = pino({ level: 'info' }, { write: line => void logged.push(line) });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`5.1.1 <${address}> is unknown here`), { responseCode: 550 })),
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const { close, deliver } = createMailer({
    config: { ...TEST_CONFIG, smtpUrl: `smtp://127.0.0.1:${port}` },
    log: toLines,
  });
  expect(await deliver({ to: 'ann@example.com', subject: 'Her secret', text: 'Hers alone' })).toBe('address-refused');
  await close();
  await new Promise<void>(resolve => server.close(() => resolve()));
  expect(logged.map(line => JSON.parse(line))).toMatchObject([
    { failure: 'address-refused', code: 'EENVELOPE', status: 550, command: 'RCPT TO', msg: 'Could not send an email' },
  ]);
  expect(logged.join('')).not.toMatch(/ann|unknown here|secret|alone/);
});
