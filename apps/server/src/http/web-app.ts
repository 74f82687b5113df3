import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { MapHosts } from './map-hosts.ts';
import { pagePolicy, STANDALONE_POLICY } from './security-headers.ts';

const PAGE = 'index.html';
/** The page that verifies an exported log; it also works from a local file. */
const STANDALONE_PAGE = 'verify-log.html';

const ASSETS = 'assets/';

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
    // Only what `filesOf` knows is sent.
    serve: false,
    index: false,
    // The build puts compressed files (`.br`, `.gz`) beside the plain ones.
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    // Without a build (`npm run dev` serves the app) there are no files to warn about.
    suppressWarning: true,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(root, ASSETS));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.header('vary', 'accept-encoding');
      // Workers follow the policy of their own script, not the page's (CSP 3 section 4.2.2).
      const isStandalone = path.startsWith(join(root, STANDALONE_PAGE));
      reply.header('content-security-policy', isStandalone ? STANDALONE_POLICY : pagePolicy(maps.origins()));
    },
  });

  const files = filesOf(root);
  for (const path of files) {
    if (!path.startsWith(ASSETS)) fastify.get(`/${path}`, (_request, reply) => reply.sendFile(path));
  }
  // A single route: with one for each of the many hundred, every start took a tenth of a second longer.
  fastify.get<{ Params: { '*': string } }>(`/${ASSETS}*`, (request, reply) => {
    const path = ASSETS + request.params['*'];
    return files.has(path) ? reply.sendFile(path) : reply.callNotFound();
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

/** The files of the build, which don't change while the server runs: looking one up would read its whole folder. */
function filesOf(root: string): ReadonlySet<string> {
  if (!existsSync(root)) return new Set();
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.startsWith('.') && !/\.(br|gz)$/.test(entry.name))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  // The app's manifest is made of the account's name and colors.
  return new Set(paths.filter(path => path !== 'manifest.webmanifest'));
}

function isPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const path = pathOf(request);
  return !NOT_A_PAGE.test(path) && !path.includes('//') && !/\.[^/]*$/.test(path);
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';
