import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { serveDocs } from './docs.ts';
import { openApiDocument } from './openapi.ts';

it('the document and its viewer show the same contract', async () => {
  const fastify = Fastify();
  await serveDocs(fastify, '1.2.3');
  for (const url of ['/openapi.json', '/docs/json']) {
    const answer = await fastify.inject(url);
    expect([url, answer.json()]).toEqual([url, openApiDocument('1.2.3')]);
  }
  expect((await fastify.inject('/docs/yaml')).body).toContain('/api/v1/signin');
  await fastify.close();
});
