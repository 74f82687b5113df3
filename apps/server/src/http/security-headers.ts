import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

/** Headers on every response (ASVS 5.0 3.4). A response that is not a page can load nothing and can't be framed. */
export async function sendSecurityHeaders(fastify: FastifyInstance, config: Config): Promise<void> {
  const overTls = config.http.publicUrl.startsWith('https:');
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: overTls ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    // Public map servers require the site's name and need no more.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()');
  });
}

/**
 * What the app's page may load: scripts and styles as files from here, nothing inline. `'self'` in `connect-src` covers
 * our own `/mqtt`: CSP 3 section 6.7.2.7 lets it match ws: and wss: of the same host and port. `maps` are the hosts of
 * the chosen map.
 */
export function pagePolicy(maps: readonly string[]): string {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', ...maps],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...maps],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/**
 * For `verify-log.html`, which has inline script and style and allows them by their hashes. In a sandbox it has its
 * own origin here: it can't load or send anything, or read the app's storage.
 */
export const STANDALONE_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts";
