import { connect } from 'node:net';
import { updateTenantLogo } from '@milepost/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitBodyTime } from './body-timeout.ts';

let fastify: FastifyInstance;
let port: number;
beforeEach(async () => {
  fastify = Fastify();
  limitBodyTime(fastify, 50);
  fastify.post('/texts', async () => 'read');
  fastify.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, {}));
  });
  fastify.post('/files', { config: { contract: updateTenantLogo } }, async () => 'read');
  await fastify.listen({ port: 0 });
  port = (fastify.server.address() as { port: number }).port;
});
afterEach(() => fastify.close());

/** Sends half a body, and the rest only when there was no end in between. */
function trickle(path: string, type: string): Promise<string> {
  return new Promise(resolve => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 4\r\n\r\n{"`,
      );
      setTimeout(() => socket.write('":'), 400);
    });
    socket.on('data', chunk => {
      heard += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
  });
}

it('cuts a request whose body trickles in, and one to nowhere', async () => {
  expect(await trickle('/texts', 'application/json')).toBe('');
  expect(await trickle('/nowhere', 'application/json')).not.toContain('200');
});

it('waits for files', async () => {
  expect(await trickle('/files', 'multipart/form-data; boundary=x')).toContain('200 OK');
});
