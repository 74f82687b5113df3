import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import { Line } from '../../testing/app.ts';
import { limitUnidentified, UNIDENTIFIED_LIMITS } from './unidentified-connections.ts';

const MANY = UNIDENTIFIED_LIMITS.unidentifiedPerAddress;
const lines: Line[] = [];
const server = createServer();
afterEach(() => {
  for (const line of lines.splice(0)) line.hangUp();
  server.close();
});

it('does not count a trusted proxy’s connections, but counts WebSockets through it by the caller’s address', async () => {
  const unidentified = limitUnidentified(server, ['127.0.0.0/8'], new Registry());
  const accepted: Socket[] = [];
  server.on('connection', socket => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  lines.push(...(await Promise.all(Array.from({ length: MANY + 10 }, () => Line.to(port)))));
  await expect.poll(() => accepted.length).toBe(MANY + 10);
  expect(accepted.filter(socket => socket.destroyed)).toEqual([]);

  const upgrade = (socket: Socket, from: string) =>
    unidentified.upgrade({ socket, headers: { 'x-forwarded-for': from } } as unknown as IncomingMessage, socket);
  const answers = accepted.map(socket => upgrade(socket, '203.0.113.9'));
  expect(answers.filter(answer => answer !== null)).toHaveLength(MANY);
  const [next] = accepted;
  if (!next) throw new Error('There is a connection');
  expect(upgrade(next, '203.0.113.10')).not.toBeNull();
  expect(upgrade(next, '203.0.113.9')).toBeNull();
  answers[0]?.();
});
