import { existsSync } from 'node:fs';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { MapHosts } from './map-hosts.ts';
import { pagePolicy, STANDALONE_POLICY } from './security-headers.ts';

const PAGE = 'index.html';
/** The page that verifies an exported log; it also works from a local file. */
const STANDALONE_PAGE = 'verify-log.html';

/** Paths of the server, which are never pages of the app. */
const NOT_A_PAGE = /^\/(api|map|docs|problems|mqtt|socket\.io|health|metrics|openapi\.json)(\/|$)/;

/** Pages of share links are not cached, not indexed by search engines, and send no referrer. */
const SHARED_PAGE = /^\/s(\/|$)/;

/**
 * The built web app. The browser does the routing, so any path without a file extension serves the app's page, and
 * the app shows its own "not found"; a missing file is a 404, not a page under a script's name [R2.26].
 */
export async function serveWebApp(fastify: FastifyInstance, root: string, maps: MapHosts): Promise<void> {
  await fastify.register(serveStatic, {
    root,
    index: false,
    // The files of the build, known from the start: looking each one up reads the whole folder for every request.
    wildcard: false,
    // The app's manifest is made of the account's name and colors.
    globIgnore: ['**/*.br', '**/*.gz', 'manifest.webmanifest'],
    // The build puts compressed files (`.br`, `.gz`) beside the plain ones.
    preCompressed: true,
    cacheControl: false,
    // A folder is not a file: it is a page of the app, or nothing.
    allowedPath: path => !path.endsWith('/'),
    dotfiles: 'ignore',
    // Without a build (`npm run dev` serves the app) there are no files to warn about.
    suppressWarning: true,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(root, 'assets'));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.header('vary', 'accept-encoding');
      // Workers follow the policy of their own script, not the page's (CSP 3 section 4.2.2).
      const isStandalone = path.startsWith(join(root, STANDALONE_PAGE));
      reply.header('content-security-policy', isStandalone ? STANDALONE_POLICY : pagePolicy(maps.origins()));
    },
  });

  // Browsers request it for pages without an icon, such as those outside the app.
  fastify.get('/favicon.ico', async (_request, reply) => reply.redirect('/icons/mark.svg'));

  fastify.setNotFoundHandler(async (request, reply): Promise<FastifyReply> => {
    if (!isPage(request)) throw new AppError('not-found');
    if (!existsSync(join(root, PAGE))) throw new AppError('web-app-missing');
    if (SHARED_PAGE.test(pathOf(request))) {
      reply.header('x-robots-tag', 'noindex, nofollow, noarchive').header('referrer-policy', 'no-referrer');
    }
    return reply.code(200).sendFile(PAGE);
  });
}

function isPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const path = pathOf(request);
  return !NOT_A_PAGE.test(path) && !path.includes('//') && !/\.[^/]*$/.test(path);
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';
