import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import compress from '@fastify/compress';
import { ALL_ROUTES, type Route } from '@milepost/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Context } from '../context.ts';
import { createRequestLimits } from '../limits/rate-limit.ts';
import { acceptBodies } from './bodies.ts';
import { BODY_TIMEOUT_MS, limitBodyTime, UPLOAD_TIMEOUT_MS } from './body-timeout.ts';
import { serveDocs } from './docs.ts';
import { addRoute, type Handler, type HandlerOptions, type OnAnswer, refuseOtherRoutes } from './handle.ts';
import { serveMapData, serveOwnMaps } from './map-data.ts';
import { createMapHosts, type MapHosts } from './map-hosts.ts';
import { acceptForms } from './multipart.ts';
import { serveProbes } from './probes.ts';
import { answerBadRequests, answerProblems, sendProblem, toAppError } from './problem.ts';
import { logRequests } from './request-log.ts';
import { sendSecurityHeaders } from './security-headers.ts';
import type { SessionFinder } from './session.ts';
import { limitUnidentified } from './unidentified-connections.ts';
import { routeUpgrades, type UpgradeHandler } from './upgrade.ts';
import { serveWebApp } from './web-app.ts';

export interface Http {
  /** Registers the handler of a contract route. */
  handle<R extends Route>(route: R, handler: Handler<R>, options?: HandlerOptions): void;
  /** Routes WebSocket upgrades of a path to their handler. */
  onUpgrade(path: string, handler: UpgradeHandler): void;
  /** Told every answer to someone signed in, before it is sent. */
  onAnswer(listener: OnAnswer): void;
  /** Work to do before the server has closed. */
  onClose(work: () => void | Promise<void>): void;
  /** Returns the address. Fails if a route of the contract has no handler, or the port is in use. */
  listen(): Promise<string>;
  close(): Promise<void>;
  readonly fastify: FastifyInstance;
  /** The hosts that pages may load maps from. */
  readonly mapHosts: MapHosts;
}

export interface Folders {
  readonly webApp: string;
  readonly map: string;
}

const REPOSITORY = join(import.meta.dirname, '../../../..');
const FOLDERS: Folders = { webApp: join(REPOSITORY, 'apps/web/dist'), map: join(REPOSITORY, 'data/map') };

/** Connections that are still busy this long after closing began are cut. */
const CLOSE_TIMEOUT_MS = 3000;

export async function createHttp(context: Context, sessions: SessionFinder, folders: Folders = FOLDERS): Promise<Http> {
  const { config, log, metrics } = context;
  const fastify = Fastify({
    loggerInstance: log.child({ part: 'http' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: [...config.http.trustedProxies],
    // Slow requests are cut off: headers by Node, ordinary bodies by `limitBodyTime`, files much later.
    requestTimeout: UPLOAD_TIMEOUT_MS,
    // Idle connections are cut off, too, such as clients that never read. WebSockets have their own limits.
    connectionTimeout: 120_000,
    http: {
      // Other upgrades (curl offers h2c) are ignored (RFC 9110 section 7.8).
      shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    frameworkErrors: (error, request, reply) => void sendProblem(reply, toAppError(error, request)),
    clientErrorHandler: answerBadRequests,
  });
  fastify.server.headersTimeout = BODY_TIMEOUT_MS;
  const unidentified = limitUnidentified(fastify.server, config.http.trustedProxies, metrics);
  limitBodyTime(fastify);
  fastify.decorateRequest('caller', null);
  refuseOtherRoutes(fastify);
  fastify.addHook('preParsing', async request => {
    if (request.caller) unidentified.known(request.raw.socket);
  });

  logRequests(fastify, metrics);
  await sendSecurityHeaders(fastify, config);
  // Each contract route requires it. Compressed bodies are refused: a small one can expand to a huge one.
  await fastify.register(compress, { global: false, globalDecompression: false });
  acceptBodies(fastify);
  await acceptForms(fastify);
  answerProblems(fastify);
  serveProbes(fastify, context);
  await serveDocs(fastify, config.version);
  serveMapData(fastify, folders.map);
  serveOwnMaps(fastify, sessions, join(config.dataDir, 'maps'));
  const mapHosts = createMapHosts();
  await serveWebApp(fastify, folders.webApp, mapHosts);

  const limits = createRequestLimits(context.counters);
  let listener: OnAnswer = () => {};
  const handled = new Set<Route>();
  const upgrades = new Map<string, UpgradeHandler>();
  const upgraded = routeUpgrades(fastify.server, upgrades, config.http.publicUrl, unidentified);

  return {
    fastify,
    mapHosts,
    handle: (route, handler, options) => {
      handled.add(route);
      const noted: OnAnswer = (of, call, answer) => listener(of, call, answer);
      addRoute(fastify, sessions, limits, { feed: context.feed, onAnswer: noted }, route, handler, options);
    },
    onAnswer: told => {
      listener = told;
    },
    onUpgrade: (path, handler) => {
      upgrades.set(path, handler);
    },
    onClose: work => {
      fastify.addHook('onClose', async () => work());
    },
    listen: async () => {
      const missing = ALL_ROUTES.filter(route => !handled.has(route)).map(route => `${route.method} ${route.path}`);
      if (missing.length > 0) throw new Error(`These routes of the contract have no handler: ${missing.join(', ')}`);
      await fastify.listen({ host: config.http.host, port: config.http.port });
      return addressOf(fastify.server.address() as AddressInfo);
    },
    close: async () => {
      const cut = setTimeout(() => {
        fastify.server.closeAllConnections();
        upgraded.cut();
      }, CLOSE_TIMEOUT_MS);
      await fastify.close().finally(() => clearTimeout(cut));
    },
  };
}

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
