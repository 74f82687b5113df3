import type { Role } from '@milepost/contract';
import type { Logger } from 'pino';
import type { Config } from '../src/config/config.ts';
import type { Context } from '../src/context.ts';
import { type Features, openFeatures } from '../src/features.ts';
import { createHttp, type Folders, type Http } from '../src/http/server.ts';
import { DeviceConnections } from '../src/ingest/gateways/device-connections.ts';
import { ONLY_WAYS } from '../src/ingest/gateways/ways.ts';
import { createAccount, createUser } from '../src/modules/accounts/accounts.ts';
import { createSessions, type Sessions } from '../src/modules/accounts/sessions.ts';
import { openCommands } from '../src/modules/commands/commands.ts';
import { openPlaces } from '../src/modules/places/places.ts';
import { createWorkers, WORKER_LIMITS, type Workers } from '../src/workers/workers.ts';
import { testContext } from './context.ts';
import { testDatabase } from './database.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch.ts';

export interface TestHttpServer extends Features {
  readonly url: string;
  readonly context: Context;
  readonly http: Http;
  readonly sessions: Sessions;
  readonly workers: Workers;
  /** The trackers' connections: only those that a test adds. */
  readonly connections: DeviceConnections;
  /** Calls the server as a client does. A body that is neither text nor a form is sent as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

/** The server's whole HTTP API with its own database, listening on a free port. */
export async function startHttpServer(
  options: {
    readonly config?: Partial<Config>;
    readonly demo?: Context['demo'];
    readonly folders?: Folders;
    readonly log?: Logger;
  } = {},
): Promise<TestHttpServer> {
  const database = await testDatabase();
  const dataDir = makeScratchFolder();
  const context: Context = {
    ...testContext(database.databases, { dataDir, ...options.config }, options.log),
    demo: options.demo ?? 'off',
  };
  const sessions = createSessions(context);
  const http = await createHttp(context, sessions, options.folders);
  // A thread costs more to start than most tests; between those that use it, many seconds go by.
  const workers = createWorkers(context.metrics, { ...WORKER_LIMITS, idleMs: 600_000 });
  const features = await openFeatures(http, context, { sessions, workers, places: await openPlaces() });
  const { alerts, figures, looks, notifications, organisation, ownPassword, push, webhooks } = features;
  features.trackerPorts.set('teltonika', 5027);
  const connections = new DeviceConnections(({ vehicleId }) =>
    context.signals.emit('tracker-reachable', { vehicleId }),
  );
  const commands = await openCommands(http, context, {
    ...organisation,
    ownPassword,
    connections,
    isWaiting: () => false,
    believedSince: () => 0,
    ways: ONLY_WAYS,
    reportedElsewhere: () => {},
  });
  const url = await http.listen();
  return {
    url,
    context,
    http,
    sessions,
    workers,
    ...features,
    connections,
    call: (method, path, callOptions) => call(url, method, path, callOptions),
    close: async () => {
      await features.backup.stop();
      await context.jobs.stop();
      await notifications.stop();
      await webhooks.stop();
      await push.stop();
      alerts.stop();
      await commands.stop();
      await http.close();
      await workers.stop();
      await looks.stop();
      await figures.manager.stop();
      await database.close();
      removeScratchFolder(dataDir);
    },
  };
}

/** Calls the server at this URL. */
export async function call(url: string, method: string, path: string, { token, body, headers }: CallOptions = {}) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      // A form's content type includes its boundary, which `fetch` chooses.
      ...(body !== undefined &&
        !(body instanceof FormData) && { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body:
        typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
          ? (body as string)
          : JSON.stringify(body),
    }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface SignedIn {
  readonly accountId: number;
  readonly userId: string;
  readonly userName: string;
  readonly token: string;
  readonly sessionId: string;
}

let people = 0;

/** A signed-in user, in a new account unless one is given. */
export async function signedIn(
  server: Pick<TestHttpServer, 'context' | 'sessions'>,
  options: {
    readonly accountId?: number;
    readonly role?: Role;
    readonly operator?: boolean;
    readonly readOnly?: boolean;
  } = {},
): Promise<SignedIn> {
  const { db } = server.context;
  const userName = `person-${++people}`;
  const accountId =
    options.accountId ?? (await createAccount(db, { name: userName, operator: options.operator ?? false }));
  const userId = await createUser(db, { accountId, userName, role: options.role ?? 'owner', password: null });
  const { token, sessionId } = await server.sessions.open({ accountId, userId, readOnly: options.readOnly ?? false });
  return { accountId, userId, userName, token, sessionId };
}
