import { connect } from 'node:net';
import { updateTenantLogo } from '@milepost/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitBodyTime } from './body-timeout.ts';

let fastify: FastifyInstance;
let port: number;
beforeEach(async () => {
  fastify = Fastify();
  limitBodyTime(fastify, 50, 100);
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.headers.refuse) return reply.code(401).send('refused');
  });
  fastify.post('/texts', async () => 'read');
  fastify.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, {}));
  });
  fastify.post('/files', { config: { contract: updateTenantLogo } }, async () => 'read');
  await fastify.listen({ port: 0 });
  port = (fastify.server.address() as { port: number }).port;
});
afterEach(() => fastify.close());

/** Sends half a body, and the rest later if the connection has not ended. */
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

it('cuts off a request whose body trickles in, even to an unknown path', async () => {
  expect(await trickle('/texts', 'application/json')).toBe('');
  expect(await trickle('/nowhere', 'application/json')).not.toContain('200');
});

it('waits for files', async () => {
  expect(await trickle('/files', 'multipart/form-data; boundary=x')).toContain('200 OK');
});

describe('a body that was refused', () => {
  /** Sends the headers and keeps sending the body until the connection ends. Returns what it received. */
  const goOn = (path: string, type: string, length = 1_000_000): Promise<string> =>
    new Promise(resolve => {
      let heard = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nRefuse: 1\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
        ),
      );
      // After the headers.
      const timer = setInterval(() => !socket.connecting && socket.bytesWritten > 0 && socket.write('x'), 10);
      socket.on('data', chunk => {
        heard += chunk.toString();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        resolve(heard);
      });
    });

  it.each([
    ['/files', 'multipart/form-data; boundary=x'],
    ['/texts', 'application/json'],
    ['/nowhere', 'application/octet-stream'],
  ])('is answered and cut at %s', async (path, type) => {
    expect(await goOn(path, type)).toMatch(/ 401 Unauthorized[\s\S]*refused$/);
  });

  it('that is complete leaves its connection open', async () => {
    let heard = '';
    const socket = connect(port, '127.0.0.1');
    const say = (path: string) =>
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nRefuse: 1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
      );
    socket.on('data', chunk => {
      heard += chunk.toString();
    });
    const answers = () => heard.split('HTTP/1.1 401').length - 1;
    say('/texts');
    await expect.poll(answers).toBe(1);
    socket.write('{}');
    await new Promise(resolve => setTimeout(resolve, 200));
    say('/texts');
    await expect.poll(answers).toBe(2);
    socket.destroy();
  });
});
