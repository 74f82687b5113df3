import type { GatewayName } from '../config/config.ts';
import type { Context } from '../context.ts';
import type { Nodes } from '../db/nodes.ts';
import type { Directory } from '../fleet/directory.ts';
import type { DrivingNow } from '../fleet/driving.ts';
import { type LiveStates, readLiveStates } from '../fleet/live.ts';
import type { PrivateTime } from '../fleet/private-time.ts';
import type { SignalMap } from '../lifecycle/signals.ts';
import { believedCard } from '../tracks/driver-card.ts';
import { keepPartitions } from '../tracks/partitions.ts';
import { isAllowedAddress } from './allowed-addresses.ts';
import { Announcer } from './announcer.ts';
import type { Change } from './change.ts';
import type { CommitHook } from './commit-hook.ts';
import { DeviceConnections } from './gateways/device-connections.ts';
import { LIMITS } from './gateways/limits.ts';
import { SharedWays } from './gateways/shared-ways.ts';
import { type Gateways, startGateways } from './gateways/start-gateways.ts';
import { ONLY_WAYS, type Way, type Ways } from './gateways/ways.ts';
import type { LiveMessages } from './live-messages.ts';
import { createIngestMetrics } from './metrics.ts';
import { followOtherNodes } from './other-nodes.ts';
import { FencedOwners } from './owners.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import type { RecentFrames } from './recent-frames.ts';
import { openReception, type Reception } from './reception.ts';
import { forgetRefusedFrames } from './refused-frames.ts';
import { watchRefusedReports } from './refused-reports.ts';
import type { ReportContext } from './report.ts';
import { openTraces } from './traces.ts';
import { forgetUnknownFrames, watchUnknownFrames } from './unknown-frames.ts';
import { watchUnknownTrackers } from './unknown-trackers.ts';
import { Witness } from './witness.ts';

export interface IngestParts {
  readonly recentFrames: RecentFrames;
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly privateTime: PrivateTime;
  readonly fanOut: LiveMessages;
  readonly reportContext: ReportContext;
  /** Of several: whether the others take this one for running. */
  readonly node: Pick<Nodes, 'isKnown' | 'onReturn'>;
  /** Called with the driver card of a vehicle's newest report. */
  readonly driving: Pick<DrivingNow, 'reported'>;
  readonly alerts: {
    readonly commitHook: CommitHook;
    /** Called with the vehicles that were heard. */
    readonly silence: { heard(vehicleIds: Iterable<number>): void };
  };
}

export interface Ingest {
  readonly pipeline: Pipeline;
  readonly reception: Reception;
  readonly witness: Witness;
  /** Trackers that can be reached right now, over whatever protocol. */
  readonly connections: DeviceConnections;
  /** Of which vehicles this node sends the commands. */
  readonly ways: Ways;
  /** Opens the gateways, and returns their ports. */
  listen(): Promise<ReadonlyMap<GatewayName, number>>;
  /** Accepts no more reports, commits and acknowledges what is pending, then closes the connections. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 5000;
/** Pages learn that private time began or ended within this time; what is hidden does not wait for it. */
const PRIVATE_LOOK_MS = 1000;

/** From a tracker's bytes to rows, live states and live messages. */
export async function startIngest(context: Context, parts: IngestParts): Promise<Ingest> {
  const { bus, config, db, health, signals } = context;
  const log = context.log.child({ part: 'ingest' });
  const { alerts, directory, driving, live } = parts;
  const metrics = createIngestMetrics(context.metrics);
  const partitions = await keepPartitions(db.pool, log);
  const announcer = new Announcer({ ...parts, log });
  const traces = await openTraces(config);
  /** Of what is committed, here or by another node, every client connected here hears. */
  const told = (changes: readonly Change[]): Promise<void> => {
    const announced = announcer.announce(changes);
    alerts.silence.heard(changes.map(({ vehicle }) => vehicle.id));
    for (const { vehicle, before, after } of changes) {
      driving.reported(vehicle.accountId, vehicle.id, believedCard(before?.newest), believedCard(after.newest));
    }
    return announced;
  };
  const witness = new Witness();
  const otherNodes = followOtherNodes({
    ...{ bus, db, directory, live, log },
    settled: () => context.feed.settled(),
    heard: changes => {
      void told(changes);
      for (const { vehicle, before, after } of changes) {
        const entry = directory.findById(vehicle.id);
        if (entry && after.newest && after.newest !== before?.newest) reception.heardElsewhere(entry, after.newest);
      }
      signals.emit('positions-heard', { changes });
    },
  });
  /** Not by what was told: what the former owner stored last may still be on its way. */
  const tookOver = async (vehicleIds: readonly number[]): Promise<void> => {
    for (const { accountId, vehicleId, state } of await readLiveStates(db.system, vehicleIds)) {
      live.set(accountId, vehicleId, state);
      witness.reportedElsewhere(vehicleId);
    }
    await alerts.commitHook.reread(vehicleIds);
  };
  const pipeline = createPipeline({
    ...(bus.isShared && { sharing: { owners: new FencedOwners(db.pool, bus.nodeId), tookOver } }),
    traces,
    pool: db.pool,
    log,
    live,
    partitions,
    metrics,
    commitHook: alerts.commitHook,
    privateTime: parts.privateTime,
    publish: (changes, since) => {
      const announced = told(changes);
      otherNodes.tell(changes);
      signals.emit('positions-committed', { changes });
      return announced.then(() => metrics.publishLatency.observe((performance.now() - since) / 1000));
    },
  });
  health.register('ingest', () => pipeline.trouble());
  const unknownTrackers = watchUnknownTrackers(db.system, log, metrics);
  const unknownFrames = watchUnknownFrames(db.system, log);
  const refusedReports = watchRefusedReports(db.system, log);
  context.jobs.repeat({
    name: 'old-frames',
    everySeconds: 3600,
    run: async () => {
      await forgetUnknownFrames(db.system);
      await forgetRefusedFrames(db.system);
    },
  });
  const { recentFrames } = parts;
  const known = { directory, live, metrics, pipeline, privateTime: parts.privateTime };
  const heard = { recentFrames, refusedReports, unknownTrackers, witness };
  const reception = openReception({ context, log, ...known, ...heard });
  /** What another node has refused: the connection that is believed has to say once more that its vehicle stands. */
  const leave = bus.listen('signal.tracker-contradicted', (payload, from) => {
    const { conflict, vehicleId } = JSON.parse(payload) as SignalMap['tracker-contradicted'];
    if (from !== bus.nodeId && (conflict.cause === 'address' || conflict.cause === 'protocol')) {
      witness.warned(vehicleId, Date.now());
    }
  });
  const ways = openWays(context, parts.node, connection => connections.isSilent(connection, Date.now()));
  const connections = new DeviceConnections(({ vehicleId }) => signals.emit('tracker-reachable', { vehicleId }), ways);
  let gateways: Gateways | null = null;

  const watch = setInterval(() => announcer.announcePrivate(), PRIVATE_LOOK_MS).unref();

  const unsubscribe = signals.on('vehicle-changed', ({ vehicleId, accountId, imei }) => {
    directory
      .settled()
      .then(() => {
        const connection = connections.first(imei);
        const isStill = connection && directory.findByIdentity(connection.identity)?.id === connection.vehicleId;
        if (connection && !isStill) connection.close('vehicle-removed');
        const vehicle = directory.findById(vehicleId);
        if (vehicle) {
          const { protocol: own, trackerAddresses } = vehicle;
          connections.closeUnless(
            imei,
            ({ address, protocol }) => (own ?? protocol) === protocol && isAllowedAddress(trackerAddresses, address),
          );
          return;
        }
        recentFrames.forget(vehicleId);
        return pipeline.remove({ id: vehicleId, accountId });
      })
      .catch((error: unknown) =>
        log.error({ err: error, imei }, 'Could not remove the remaining data of a deleted vehicle'),
      );
  });

  return {
    pipeline,
    reception,
    witness,
    connections,
    ways,
    listen: async () => {
      gateways = await startGateways(config.gateways, {
        host: config.http.host,
        log,
        metrics,
        pipeline,
        reception,
        connections,
        limits: LIMITS,
        unknownFrames,
      });
      return gateways.ports;
    },
    stop: async () => {
      unsubscribe();
      leave();
      otherNodes.stop();
      clearInterval(watch);
      partitions.stop();
      announcer.stop();
      gateways?.stopListening();
      await pipeline.stop(STOP_TIMEOUT_MS);
      // The acknowledgements of the last batch are on their way to the sockets.
      await new Promise(resolve => setImmediate(resolve));
      gateways?.close();
      await ways.stop();
      await unknownTrackers.stop();
      await refusedReports.stop();
      await unknownFrames.stop();
      await traces.stop();
    },
  };
}

function openWays(
  { bus, db, log, signals }: Context,
  { isKnown, onReturn }: IngestParts['node'],
  isSilent: (connection: Way) => boolean,
): Ways {
  if (!bus.isShared) return ONLY_WAYS;
  const ways = new SharedWays({ pool: db.pool, bus, log, signals, isKnown, isSilent });
  onReturn(() => ways.readAgain());
  return ways;
}
