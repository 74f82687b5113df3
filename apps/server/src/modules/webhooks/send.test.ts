import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../../testing/webhook-receiver.ts';
import { addressRule } from './addresses.ts';
import { type Resolve, type SendParts, send } from './send.ts';

/** One try against a real receiver. */

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.posts.length = 0;
  receiver.answer(200);
});

const LOOPBACK: SendParts = { rule: addressRule(['127.0.0.1']), http: true };
const post = (url = receiver.url, parts: Partial<SendParts> = {}) =>
  send({ url, headers: { 'milepost-event': 'test' }, body: '{"ä":1}' }, { ...LOOPBACK, ...parts });

/** Names that lead where a test says; a further lookup to the next answer. */
function names(...answers: (readonly string[])[]): Resolve {
  return (_hostname, _options, done) => {
    const [addresses = []] = answers.length > 1 ? answers.splice(0, 1) : answers;
    done(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

it('delivers the body and the headers, and says what was answered', async () => {
  receiver.answer(response => response.writeHead(202).end('thank\nyou'));
  expect(await post(`${receiver.url}/hook?key=1`)).toEqual({
    failure: null,
    status: 202,
    answer: 'thank you',
    tookMs: expect.any(Number),
  });
  expect(receiver.posts).toMatchObject([
    { path: '/hook?key=1', body: '{"ä":1}', headers: { 'milepost-event': 'test', 'content-length': '8' } },
  ]);
});

it.each([
  [301, 'redirect'],
  [307, 'redirect'],
  [401, 'refused'],
  [410, 'gone'],
  [503, 'refused'],
])('calls the answer %s a failure: %s', async (status, failure) => {
  receiver.answer(response => response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end());
  expect(await post()).toMatchObject({ status, failure });
  expect(receiver.posts.map(({ path }) => path)).toEqual(['/']);
});

it('reads no more than the beginning of an answer, however long it is', async () => {
  let written = 0;
  receiver.answer(response => {
    response.writeHead(500);
    const more = (): void => {
      while (written < 500_000_000 && response.write('x'.repeat(65_536))) written += 65_536;
    };
    response.on('drain', more).on('error', () => {});
    more();
  });
  const { answer, status } = await post();
  expect([status, answer?.length]).toEqual([500, 300]);
  expect(written).toBeLessThan(50_000_000);
});

it('does not wait for an answer that comes drop by drop, or not at all', async () => {
  receiver.answer(async response => {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('.');
      await sleep(50);
    }
  });
  const began = Date.now();
  // The code has come, so it is delivered.
  expect(await post(receiver.url, { timeoutMs: 500 })).toMatchObject({ failure: null, status: 200 });
  receiver.answer(() => {});
  expect(await post(receiver.url, { timeoutMs: 500 })).toMatchObject({ failure: 'timeout', status: null });
  expect(Date.now() - began).toBeLessThan(5000);
});

it('says that nobody listens, and that no name is known', async () => {
  const gone = await startWebhookReceiver();
  await gone.close();
  expect(await post(gone.url)).toMatchObject({ failure: 'unreachable' });
  expect(await post('http://no-such-host.invalid/')).toMatchObject({ failure: 'no-host' });
});

it('says that a receiver has no certificate', async () => {
  expect(await post(receiver.url.replace('http:', 'https:'))).toMatchObject({ failure: 'certificate' });
});

it('refuses http:// and private addresses unless the operator allows them', async () => {
  const { port } = receiver;
  expect(await post(receiver.url, { http: false })).toMatchObject({ failure: 'address-refused' });
  const rule = addressRule([]);
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0',
  ]) {
    const outcome = await post(`http://${host}:${port}/`, { rule });
    expect([host, outcome.failure]).toEqual([host, 'address-refused']);
  }
  expect(receiver.posts).toEqual([]);
});

it('checks the address it connects to: a name that changes it in between leads nowhere', async () => {
  const url = `http://rebound.example.com:${receiver.port}/`;
  const rule = addressRule([]);
  // Any private address among those of a name, whatever their order.
  for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1'], ['fd00::1']]) {
    expect(await post(url, { rule, resolve: names(addresses) })).toMatchObject({ failure: 'address-refused' });
  }
  // It was public when it was looked up before: what counts is the lookup of this connection.
  const resolve = names(['93.184.215.14'], ['127.0.0.1']);
  resolve('rebound.example.com', { all: true }, () => {});
  expect(await post(url, { rule, resolve })).toMatchObject({ failure: 'address-refused' });
  expect(receiver.posts).toEqual([]);
  // The same name leads to the receiver where its address is allowed: nothing else kept it away.
  expect(await post(url, { resolve: names(['127.0.0.1']) })).toMatchObject({ failure: null });
  expect(receiver.posts[0]?.headers.host).toBe(`rebound.example.com:${receiver.port}`);
});

it('is broken off when the server stops', async () => {
  receiver.answer(() => {});
  const stopping = new AbortController();
  const sending = post(receiver.url, { signal: stopping.signal });
  setTimeout(() => stopping.abort(), 100);
  await expect(sending).rejects.toThrow('aborted');
});
