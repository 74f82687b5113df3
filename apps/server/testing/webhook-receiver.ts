import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  /** What has come in, oldest first. */
  readonly posts: ReceivedPost[];
  /** How it answers from now on. */
  answer(how: Answer): void;
  close(): Promise<void>;
}

export type Answer = number | ((response: ServerResponse, post: ReceivedPost) => void);

/** Another company's program, which receives webhooks over HTTP. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const posts: ReceivedPost[] = [];
  let answer: Answer = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const post = { path: request.url ?? '', headers: request.headers, body: bytes.toString(), bytes };
    posts.push(post);
    if (typeof answer === 'number') response.writeHead(answer).end(`code ${answer}`);
    else answer(response, post);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    posts,
    answer: how => {
      answer = how;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
