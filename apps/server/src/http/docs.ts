import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { type JsonObject, openApiDocument } from './openapi.ts';

/** The viewer is served from our own files and calls only this server. */
const VIEWER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The OpenAPI document at `/openapi.json`, and a page to read and try it at `/docs`. */
export async function serveDocs(fastify: FastifyInstance, version: string): Promise<void> {
  // Made when first asked for: few servers are, and it takes longer than everything else about starting HTTP.
  let made: JsonObject | null = null;
  const document = (): JsonObject => {
    made ??= openApiDocument(version);
    return made;
  };
  fastify.get('/openapi.json', async (_request, reply) =>
    // Public, for browser tools too: it contains no account data.
    reply
      .headers({
        'cache-control': 'no-cache',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(document()),
  );
  // The viewer needs this plugin; what it shows is `transformSpecification`.
  await fastify.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.1', info: { title: 'Milepost', version }, paths: {} } },
  });
  await fastify.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: VIEWER_POLICY,
    transformSpecification: document,
    transformSpecificationClone: false,
    // Without the viewer's own name and logo.
    theme: { title: 'Milepost API', favicon: [] },
    uiConfig: { layout: 'BaseLayout', deepLinking: true, validatorUrl: null, tryItOutEnabled: false },
  });
}
