import { SOCKET_PATH, type TrackerProtocol } from '@milepost/contract';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { openBus } from './bus/open-bus.ts';
import type { Config, DatabaseConnection } from './config/config.ts';
import { localUrl } from './config/decide.ts';
import type { Context } from './context.ts';
import { forgetOldCounts, IN_MEMORY, sharedCounters } from './db/counters.ts';
import { openDatabases } from './db/database.ts';
import { ALONE, openLeader } from './db/leader.ts';
import { migrate } from './db/migrate.ts';
import { nodesTrouble, openNodes } from './db/nodes.ts';
import { claimSharedFolder } from './db/shared-folder.ts';
import { takeStartTurn } from './db/start-turn.ts';
import { openFeatures } from './features.ts';
import { createChangeFeed, forgetOldChanges } from './feed/change-feed.ts';
import { createHttp } from './http/server.ts';
import { startIngest } from './ingest/start-ingest.ts';
import { createJobs, readJobTrouble } from './jobs/jobs.ts';
import { clockTrouble } from './lifecycle/clock.ts';
import { DatabaseClock, goBy } from './lifecycle/database-clock.ts';
import { createHealth } from './lifecycle/health.ts';
import { createSignals } from './lifecycle/signals.ts';
import { StartupError } from './lifecycle/startup-error.ts';
import { createStops } from './lifecycle/stops.ts';
import { createMailer } from './mail/mailer.ts';
import { createOwner, OwnerError } from './modules/accounts/accounts.ts';
import { createSessions } from './modules/accounts/sessions.ts';
import { openCommands } from './modules/commands/commands.ts';
import { type Demo, prepareDemo } from './modules/demo/demo.ts';
import { decideDemo } from './modules/demo/installation.ts';
import { deletionAlerts } from './modules/geofences/visits/crossings.ts';
import { openSealing } from './modules/history/sealing.ts';
import { serveVehicleEvents } from './modules/live-events/vehicle-events.ts';
import { openPlaces } from './modules/places/places.ts';
import { RoadManager } from './modules/roads/road-manager.ts';
import { startBroker } from './realtime/broker.ts';
import { createFanOut } from './realtime/fan-out.ts';
import { startSockets } from './realtime/sockets/socket-server.ts';
import { createWorkers } from './workers/workers.ts';

export interface App {
  readonly context: Context;
  /** Null where this is no demo. */
  readonly demo: Demo | null;
  /** Starts listening; `url` and `trackerPorts` then say where. */
  start(): Promise<void>;
  /** Finishes what has begun: requests are answered, positions committed, connections closed. Safe to call at any time. */
  stop(): Promise<void>;
  readonly url: string;
  /** Creates the owner of an installation that has none, once; null if there is one. */
  readonly ownerLink: string | null;
  /** Where trackers connect, by protocol; one that is off is missing. */
  readonly trackerPorts: ReadonlyMap<TrackerProtocol, number>;
}

/**
 * Milepost on a database: everything but the process around it. `databaseTrouble` says what the database's supervisor
 * knows and a query would only find out late.
 */
export async function createApp(
  config: Config,
  connection: DatabaseConnection,
  log: Logger,
  databaseTrouble: () => string | null = () => null,
): Promise<App> {
  const stops = createStops(log);
  // Reads its data while the database is prepared.
  const places = openPlaces();
  places.catch(() => {});
  const db = openDatabases(connection);
  stops.add('database connections', () => db.close());
  try {
    const applied = await migrate(db.pool);
    if (applied.length > 0) log.info({ applied }, 'The database is up to date');

    const clock = new DatabaseClock();
    if (config.natsUrl !== null) {
      await clock.ask(db.pool);
      stops.add('clock', goBy({ now: () => clock.now() }));
      await claimSharedFolder(db, config.dataDir);
    }

    const metrics = new Registry();
    collectDefaultMetrics({ register: metrics });
    const mailer = createMailer({ config, log });
    stops.add('mail', () => mailer.close());
    const health = createHealth();
    const bus = await openBus({ url: config.natsUrl, db, log, metrics, health });
    stops.add('bus', () => bus.stop());
    const leader = bus.isShared ? openLeader(connection, { id: bus.nodeId, log }) : ALONE;
    stops.add('leader', () => leader.stop());
    const endTurn = await takeStartTurn(db.pool);
    stops.add('turn', endTurn);
    const demoMode = await decideDemo(db.system, config);
    const context: Context = {
      config,
      log,
      db,
      feed: createChangeFeed(db, log),
      bus,
      leader,
      jobs: createJobs(db, log, undefined, leader),
      metrics,
      health,
      signals: createSignals(log),
      counters: bus.isShared ? sharedCounters(db.pool) : IN_MEMORY,
      mailer,
      demo: demoMode,
    };
    stops.add('change feed', () => context.feed.stop());
    const { nodeId: id } = bus;
    const nodes = openNodes(db, { id, version: config.version, log, clock, busAwaySince: () => bus.awaySince() });
    stops.add('node', () => nodes.leave());
    if (bus.isShared) {
      context.health.register('clock', () => clockTrouble(clock.aheadMs), 'warning');
      context.health.register('servers', () => nodesTrouble(db.system), 'warning');
    }
    context.jobs.repeat({
      name: 'old-changes',
      everySeconds: 600,
      run: async () => {
        await forgetOldChanges(db);
        await forgetOldCounts(db.pool);
      },
    });
    context.health.register('jobs', () => readJobTrouble(db), 'warning');
    context.health.register('database', async () => {
      const trouble = databaseTrouble();
      if (trouble === null) await db.pool.query('select');
      return trouble;
    });

    // Before any memory is filled: from here on it follows.
    await context.feed.open();
    const sessions = createSessions(context);
    // Before anything reads what accounts have: the directory of vehicles is loaded once.
    const demo = demoMode === 'off' ? null : await prepareDemo(demoMode, context, sessions);
    if (demoMode === 'off') await makeFirstOwner(context);
    await endTurn();

    const workers = createWorkers(metrics);
    // After HTTP, whose calls wait for them.
    stops.add('workers', () => workers.stop());
    const http = await createHttp(context, sessions);
    stops.add('HTTP', () => http.close());
    const features = await openFeatures(http, context, { sessions, workers, places: await places });
    const { alerts, figures, notifications, organisation, ownPassword, recentFrames, reportContext, trackerPorts } =
      features;
    const { push, webhooks } = features;
    const sealing = openSealing(context, workers);
    const roads = new RoadManager({ ...organisation, db, leader, log: log.child({ part: 'roads' }) });
    stops.add('driven roads', () => roads.stop());
    stops.add('recorder', () => features.recorder.stop());
    stops.add('privacy ledger', () => features.looks.stop());
    stops.add('daily figures', () => figures.manager.stop());
    stops.add('notifications', () => notifications.stop());
    stops.add('webhooks', () => webhooks.stop());
    stops.add('push notifications', () => push.stop());
    const fanOut = createFanOut(metrics);
    const ingest = await startIngest(context, {
      ...{ ...organisation, recentFrames, alerts, fanOut, reportContext },
      node: nodes,
    });
    const commands = await openCommands(http, context, {
      ...organisation,
      ownPassword,
      connections: ingest.connections,
      ways: ingest.ways,
      reportedElsewhere: id => ingest.witness.heardLastElsewhere(id),
      isWaiting: id => ingest.pipeline.isWaiting({ id }),
      believedSince: connection => ingest.witness.since(connection),
    });
    const { intents } = commands;
    const broker = await startBroker(context, {
      ...{ ...ingest, ...organisation, sessions, fanOut, intents },
      looks: features.looks,
    });
    features.looks.follow(function* () {
      yield* broker.listening();
      yield* features.eventStreams.listening();
    });
    http.onUpgrade('/mqtt', broker.upgrade);
    const sockets = startSockets(context, {
      ...{ ...organisation, sessions },
      serveVehicleEvents: (of, parts) =>
        serveVehicleEvents(of, { ...parts, tasks: features.tasks, looks: features.looks }),
      crossed: features.looks.crossed,
      missedGeofenceAlerts: features.visits.alertsSince,
      deletedGeofences: (accountId, ids) => deletionAlerts(context.db, accountId, ids),
    });
    http.onUpgrade(`${SOCKET_PATH}/`, sockets.upgrade);
    stops.add('sockets', () => sockets.stop());
    // Ingest ends first: what it commits is still acknowledged over the broker's connections.
    stops.add('broker', () => broker.stop());
    stops.add('ingest', () => ingest.stop());
    stops.add('commands', () => commands.stop());
    stops.add('jobs', () => context.jobs.stop());
    stops.add('sealing', () => sealing.stop());
    // Before the jobs: their runs wait for its work.
    stops.add('backup', () => features.backup.stop());

    let url = localUrl(config.http.host, config.http.port);
    let ownerLink: string | null = null;
    return {
      context,
      demo,
      start: async () => {
        // Before the first report: what is stored is stored by a node that others know.
        if (bus.isShared) await nodes.enter(() => url);
        for (const [name, port] of await ingest.listen()) trackerPorts.set(name, port);
        const mqttPort = await broker.listen();
        if (mqttPort !== null) trackerPorts.set('mqtt', mqttPort);
        url = await http.listen();
        const { port, publicUrl } = config.http;
        if (demoMode === 'off') ownerLink = await features.firstOwner.offer(port === 0 ? url : publicUrl);
        context.feed.start();
        context.jobs.start();
        figures.manager.start();
        features.recorder.start();
        roads.start();
        notifications.start();
        webhooks.start();
        push.start();
        features.backup.start();
      },
      stop: () => stops.run(),
      trackerPorts,
      get ownerLink() {
        return ownerLink;
      },
      get url() {
        return url;
      },
    };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

async function makeFirstOwner({ config, db, log }: Context): Promise<void> {
  if (await db.system.selectFrom('account').select('id').limit(1).executeTakeFirst()) return;
  if (config.owner) {
    await createOwner(db, config.owner.name, config.owner.password).catch((error: unknown) => {
      throw error instanceof OwnerError ? new StartupError(error.message) : error;
    });
    log.info({ owner: config.owner.name }, 'Created the first account and its owner');
  }
}
