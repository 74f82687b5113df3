import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi.ts';

/** The viewer is made of files of ours, and calls nobody but us. */
const VIEWER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The OpenAPI document at `/openapi.json`, and a page to read and try it at `/docs`. */
export async function serveDocs(fastify: FastifyInstance, version: string): Promise<void> {
  const document = openApiDocument(version);
  fastify.get('/openapi.json', async (_request, reply) =>
    // Public, for browser tools too: it contains no account data.
    reply
      .headers({
        'cache-control': 'no-cache',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(document),
  );
  // Its types know OpenAPI 3.0 only; the document goes through it unread.
  await fastify.register(swagger, {
    mode: 'static',
    specification: { document: document as unknown as StaticDocumentSpec['document'] },
  });
  await fastify.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: VIEWER_POLICY,
    // Without the viewer's own name and picture: the page is ours.
    theme: { title: 'Milepost API', favicon: [] },
    uiConfig: { layout: 'BaseLayout', deepLinking: true, validatorUrl: null, tryItOutEnabled: false },
  });
}
