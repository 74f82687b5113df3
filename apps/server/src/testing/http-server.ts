import type { Role } from '@milepost/contract';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import { createHttp, type Folders, type Http } from '../http/server.ts';
import { DeviceConnections } from '../ingest/gateways/device-connections.ts';
import { type LiveStates, loadLiveStates } from '../ingest/live.ts';
import { createRecentFrames, type RecentFrames } from '../ingest/recent-frames.ts';
import { createAccount, createUser } from '../modules/accounts/accounts.ts';
import { registerAccounts } from '../modules/accounts/routes.ts';
import { createSessions, type Sessions } from '../modules/accounts/sessions.ts';
import { type Alerts, openAlerts } from '../modules/alerts/alerts.ts';
import { registerAlerts } from '../modules/alerts/routes.ts';
import { registerAudit } from '../modules/audit/routes.ts';
import { openCommands } from '../modules/commands/commands.ts';
import { registerDataTransfer } from '../modules/data-transfer/routes.ts';
import { registerDemo } from '../modules/demo/routes.ts';
import { registerDocuments } from '../modules/documents/routes.ts';
import { registerFrames } from '../modules/frames/routes.ts';
import { type DailyFigures, openDailyFigures } from '../modules/history/days/daily-figures.ts';
import { registerFleetDay } from '../modules/history/days/routes.ts';
import { registerHistory } from '../modules/history/routes.ts';
import { registerImages } from '../modules/images/routes.ts';
import { registerLogbook } from '../modules/logbook/routes.ts';
import { openMaps } from '../modules/maps/maps.ts';
import { registerMaps } from '../modules/maps/routes.ts';
import { type Notifications, openNotifications } from '../modules/notifications/notifications.ts';
import { registerNotifications } from '../modules/notifications/routes.ts';
import { type Organisation, openOrganisation } from '../modules/organisation/organisation.ts';
import { registerOrganisation } from '../modules/organisation/routes.ts';
import { registerFleetPeriod } from '../modules/overview/fleet-period.ts';
import { registerOverview } from '../modules/overview/routes.ts';
import { openPlaces } from '../modules/places/places.ts';
import { registerRoads } from '../modules/roads/routes.ts';
import { registerSharing } from '../modules/sharing/routes.ts';
import { registerAccountSettings } from '../modules/tenancy/account-routes.ts';
import { registerTenant } from '../modules/tenancy/tenant-routes.ts';
import { registerUsers } from '../modules/users/routes.ts';
import { type Directory, openDirectory } from '../modules/vehicles/directory.ts';
import { registerVehicles } from '../modules/vehicles/routes.ts';
import { registerViews } from '../modules/views/routes.ts';
import { createWorkers } from '../workers/workers.ts';
import { testContext } from './context.ts';
import { testDatabase } from './database.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch.ts';

export interface TestHttpServer {
  readonly url: string;
  readonly context: Context;
  readonly http: Http;
  readonly sessions: Sessions;
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly organisation: Organisation;
  readonly alerts: Alerts;
  /** Looks only when it is told to. */
  readonly notifications: Notifications;
  readonly figures: DailyFigures;
  /** Where trackers would be; there are none but those that a test puts here. */
  readonly connections: DeviceConnections;
  readonly recentFrames: RecentFrames;
  /** A call as a client makes it. A body that is neither text nor a form goes as JSON. */
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
  /** The body read as JSON; undefined when it is none. */
  readonly body: unknown;
}

/** The whole HTTP side of the server over a database of its own, listening on a free port. */
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
  const directory = await openDirectory(context);
  const live = await loadLiveStates(context.db.system);
  const http = await createHttp(context, sessions, options.folders);
  const { emails, ownPassword } = registerAccounts(http, context, sessions);
  registerDemo(http, context, sessions);
  const organisation = await openOrganisation(context, directory, live);
  registerVehicles(http, context, organisation);
  registerOrganisation(http, context, organisation);
  registerDocuments(http, context, organisation);
  registerViews(http, context);
  registerAccountSettings(http, context, organisation);
  registerTenant(http, context);
  registerDataTransfer(http, context, organisation);
  registerUsers(http, context, { ...organisation, emails, sessions });
  registerImages(http, context, sessions);
  registerAudit(http, context);
  registerHistory(http, context, { ...organisation, places: await openPlaces() });
  const figures = openDailyFigures(context, organisation);
  registerFleetDay(http, context, { ...organisation, figures });
  registerFleetPeriod(http, context, { ...organisation, figures });
  registerRoads(http, context, organisation);
  registerMaps(http, context, await openMaps(context, http.mapHosts), organisation);
  registerOverview(http, context, { ...organisation, figures });
  registerSharing(http, context, { ...organisation, places: await openPlaces() });
  const alerts = await openAlerts(context, { ...organisation, reportContext: await openPlaces() });
  registerAlerts(http, alerts);
  registerNotifications(http, context);
  const notifications = openNotifications(context, { ...organisation, reportContext: await openPlaces() });
  const workers = createWorkers(context.metrics);
  registerLogbook(http, workers);
  const recentFrames = createRecentFrames();
  registerFrames(http, { ...organisation, recentFrames, trackerPorts: new Map([['teltonika', 5027]]) });
  const connections = new DeviceConnections(({ vehicleId }) =>
    context.signals.emit('tracker-reachable', { vehicleId }),
  );
  const commands = await openCommands(http, context, {
    ...organisation,
    ownPassword,
    connections,
    isWaiting: () => false,
    believedSince: () => 0,
  });
  const url = await http.listen();
  return {
    url,
    context,
    http,
    sessions,
    directory,
    live,
    organisation,
    alerts,
    notifications,
    figures,
    connections,
    recentFrames,
    call: (method, path, callOptions) => call(url, method, path, callOptions),
    close: async () => {
      await notifications.stop();
      alerts.stop();
      await commands.stop();
      await http.close();
      await workers.stop();
      await figures.manager.stop();
      await database.close();
      removeScratchFolder(dataDir);
    },
  };
}

/** A call of a server that listens there. */
export async function call(url: string, method: string, path: string, { token, body, headers }: CallOptions = {}) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      // A form's type has its boundary in it, which `fetch` chooses.
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

/** Somebody with a session, in an account of their own unless one is given. */
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
