import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, it } from 'vitest';
import { signedIn, startHttpServer } from '../../testing/http-server.ts';

it('logs one line per kind of refusal to callers who are not signed in, and every refusal to users', async () => {
  const lines: { level: number; status?: number }[] = [];
  const log = pino(new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(String(line)))) }));
  const server = await startHttpServer({ log });
  const { token } = await signedIn(server);
  for (let i = 0; i < 50; i++) {
    await server.call('GET', `/api/v1/nothing-${i}`);
    await server.call('GET', '/api/v1/device', { token: 'x'.repeat(43) });
    await server.call('GET', '/api/v1/device/0', { token });
  }
  await server.close();
  const count = (status: number) => lines.filter(line => line.status === status).length;
  expect([count(404), count(401)]).toEqual([1 + 50, 1]);
});
