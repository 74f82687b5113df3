import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_CONFIG } from '../../testing/context.ts';
import { createMailer, readSmtpUrl } from './mailer.ts';

const received: { readonly from: string; readonly to: readonly string[]; readonly text: string }[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, { envelope }, done) => {
    let text = '';
    stream.on('data', piece => {
      text += piece;
    });
    stream.on('end', () => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      received.push({ from, to: envelope.rcptTo.map(each => each.address), text });
      done();
    });
  },
});
let port: number;
beforeAll(async () => {
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  port = (listening.address() as AddressInfo).port;
});
afterAll(() => new Promise<void>(resolve => server.close(() => resolve())));

const log = pino({ level: 'silent' });
const mailer = (smtpUrl: string | null) => createMailer({ config: { ...TEST_CONFIG, smtpUrl }, log });

it('hands mail to the server of SMTP_URL', async () => {
  const { works, send, close } = mailer(`smtp://127.0.0.1:${port}/?from=fleet@example.com`);
  expect(works).toBe(true);
  send({ to: 'ann@example.com', subject: 'Your code', text: 'It is 123456.' });
  await close();
  expect(received).toMatchObject([{ from: 'fleet@example.com', to: ['ann@example.com'] }]);
  expect(received[0]?.text).toMatch(/Subject: Your code[\s\S]*It is 123456\./);
});

it('takes a line break in a subject for no header', async () => {
  received.length = 0;
  const { send, close } = mailer(`smtp://127.0.0.1:${port}`);
  send({ to: 'ann@example.com', subject: 'Hello\r\nBcc: eve@example.com', text: '.' });
  await close();
  expect(received).toMatchObject([{ to: ['ann@example.com'] }]);
});

it('fails nobody’s call when the server is away, or there is none', async () => {
  for (const smtpUrl of ['smtp://127.0.0.1:9', null]) {
    const { send, close } = mailer(smtpUrl);
    send({ to: 'ann@example.com', subject: 'x', text: 'x' });
    await expect(close()).resolves.toBeUndefined();
  }
});

it('says who sends: what the address names, else who signs in there, else the installation', () => {
  const from = (url: string) => readSmtpUrl(url, 'https://fleet.example.com').from;
  expect(from('smtp://mail.example.com?from=a@b.example')).toBe('Milepost <a@b.example>');
  expect(from('smtps://me%40example.com:secret@mail.example.com')).toBe('Milepost <me@example.com>');
  expect(from('smtp://relay')).toBe('Milepost <milepost@fleet.example.com>');
});
