import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startHttpServer } from '../../../testing/http-server.ts';
import { ownPort } from '../../../testing/own-port.ts';
import { person } from '../../../testing/people.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../testing/scratch.ts';

const DOCUMENT = join(import.meta.dirname, '../../../../../docs/webhooks.md');

it('the receiver in docs/webhooks.md accepts what Milepost sends, and nothing else', { timeout: 60_000 }, async () => {
  const server = await startHttpServer({ config: { webhooks: { http: true, networks: ['127.0.0.1'] } } });
  onTestFinished(() => server.close());
  const owner = await person(server);
  const port = await ownPort();
  const url = `http://127.0.0.1:${port}/`;
  const made = await owner.call('POST', 'webhook', { name: 'Documented', url, severities: ['critical'] });
  const { id, secret } = made.body as { id: string; secret: string };

  const [, example = ''] = /```js\n(.*?)```/s.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  expect(example).toContain('listen(3000)');
  const folder = makeScratchFolder();
  onTestFinished(() => removeScratchFolder(folder));
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, example.replace('listen(3000)', `listen(${port}, '127.0.0.1')`));
  const receiver = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void receiver.kill());
  let said = '';
  for (const stream of [receiver.stdout, receiver.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));

  const test = async () => (await owner.call('POST', `webhook/${id}/test`)).body;
  await vi.waitFor(() => fetch(url), { timeout: 35_000, interval: 100 });
  expect(await test()).toMatchObject({ state: 'delivered', status: 204 });
  await vi.waitFor(() => expect(said).toContain('a test'));
  const forged = await fetch(url, {
    method: 'POST',
    headers: { 'milepost-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
    body: '{}',
  });
  expect(forged.status).toBe(401);
  await owner.call('POST', `webhook/${id}/secret`);
  expect(await test()).toMatchObject({ state: 'failed', status: 401 });
});
