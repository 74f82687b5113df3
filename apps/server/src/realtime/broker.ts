import { type EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseTopic } from '@milepost/contract';
import { Aedes, type Client, type PublishPacket } from 'aedes';
import { Counter } from 'prom-client';
import type { Context } from '../context.ts';
import type { Directory, DirectoryEntry } from '../fleet/directory.ts';
import type { Roster } from '../fleet/roster.ts';
import type { Visibility } from '../fleet/visibility.ts';
import type { MessagingSignIn, Session, SessionFinder } from '../http/session.ts';
import type { UpgradeHandler } from '../http/upgrade.ts';
import type { DeviceConnections } from '../ingest/gateways/device-connections.ts';
import { LIMITS } from '../ingest/gateways/limits.ts';
import type { Pipeline } from '../ingest/pipeline.ts';
import type { Reception } from '../ingest/reception.ts';
import { ConnectionLimiter } from '../limits/connection-limiter.ts';
import { inTurns } from '../workers/turns.ts';
import { addressOf, BrokerClients, type Listening } from './broker-clients.ts';
import type { CommandIntents } from './command-intents.ts';
import { acceptConnect, MQTT_LIMITS } from './connect-rules.ts';
import type { FanOut } from './fan-out.ts';
import { identify, isImei } from './identify.ts';
import { limitPackets } from './packet-limit.ts';
import { type DivertedPublish, PublishDiversion } from './publish-diversion.ts';
import { RefusalLog } from './refusal-log.ts';
import { refusePublish, refuseSubscribe, type Sees } from './rights.ts';
import { watchSight } from './watch-sight.ts';
import { acceptWebSockets } from './web-sockets.ts';

export interface BrokerParts {
  readonly directory: Directory;
  readonly sessions: MessagingSignIn & SessionFinder;
  readonly pipeline: Pipeline;
  readonly reception: Reception;
  readonly connections: DeviceConnections;
  readonly fanOut: FanOut;
  readonly roster: Pick<Roster, 'settled'>;
  readonly visibility: Visibility;
  readonly intents: CommandIntents;
  readonly looks: { listens(session: Session, vehicle: DirectoryEntry): void };
}

export interface Broker {
  /** For the HTTP server: WebSocket upgrades at `/mqtt`. */
  readonly upgrade: UpgradeHandler;
  /** Opens the port for trackers, if configured, and returns it. */
  listen(): Promise<number | null>;
  /** Who gets live positions now, and of what. */
  listening(): Iterable<Listening>;
  stop(): Promise<void>;
}

/** Nobody can subscribe to it. A tracker's publishes go into the pipeline and no further. */
const NOWHERE = 'taken';
const NOTHING = Buffer.alloc(0);
/** Live messages bypass Aedes, which would keep a function and a branch of its tree for each of a browser's topics. */
const CARRIED_PAST = 'carried-past';

/**
 * The MQTT broker, for trackers over TCP and browsers over WebSocket. Aedes speaks the protocol; who may do what is
 * decided here, reports go through the pipeline, and live messages through the fan-out.
 */
export async function startBroker(context: Context, parts: BrokerParts): Promise<Broker> {
  const { config, health, metrics, signals } = context;
  const log = context.log.child({ part: 'broker' });
  const { directory, roster, sessions, visibility } = parts;
  const crowdedOut = new Counter({
    name: 'milepost_mqtt_connections_refused_total',
    help: 'Connections of trackers refused because too many that were not signed in were open',
    registers: [metrics],
  });
  const refusals = new RefusalLog(log, metrics);
  const sees: Sees = (session, imei) => visibility.sees(session, directory.findByImei(imei));
  const clients = new BrokerClients(metrics, {
    ...{ ...parts, signals, sees },
    listens: (session, vehicle) => parts.looks.listens(session, vehicle),
  });

  const limiter = new ConnectionLimiter(LIMITS);
  /** Called when a client has logged in. */
  const arrivals = new WeakMap<Client, () => void>();

  const diversions = new WeakMap<Client, PublishDiversion>();

  const aedes = await Aedes.createBroker({
    connectTimeout: MQTT_LIMITS.connectWithinMs,
    preConnect: (client, packet, done) => {
      const refusal = acceptConnect(packet, clients.count);
      if (refusal) refusals.note('connection', packet.clientId, refusal);
      done(refusal ? new Error(refusal) : null, refusal === null && !client.closed);
    },
    authenticate: (client, userName, password, done) => {
      const credentials = { clientId: client.id, userName, password: password?.toString('utf8') };
      identify(credentials, directory, sessions).then(
        found => {
          // The key is right, but the vehicle is set up for another protocol or address.
          const isAdmitted =
            found?.kind !== 'device' || parts.reception.admit(found.vehicle.imei, 'mqtt', addressOf(client)) !== null;
          const isCrowded = found?.kind === 'browser' && clients.isCrowded(found.session);
          const identity = isAdmitted && !isCrowded ? found : null;
          if (identity) {
            clients.add(client, identity);
            arrivals.get(client)?.();
          } else if (isCrowded) refusals.note('sign-in', client.id, 'too many connections of one API token');
          else if (isAdmitted) noteRefusal(client);
          done(identity ? null : refused(BAD_CREDENTIALS), identity !== null);
        },
        (error: unknown) => {
          if (!aedes.closed) log.error({ err: error }, 'Could not check an MQTT sign-in');
          done(refused(UNAVAILABLE), false);
        },
      );
    },
    authorizePublish: (client, packet, done) => {
      const diversion = client && diversions.get(client);
      takePublish(client, packet).then(
        () => {
          diversion?.answered();
          done(null);
        },
        (error: Error) => {
          refusals.note('publish', client?.id ?? '', error.message, packet.topic);
          done(error);
        },
      );
    },
    // One packet may ask for thousands. What comes after it waits behind it.
    authorizeSubscribe: (client, subscription, done) => inTurns(() => authorizeSubscribe(client, subscription, done)),
  });

  const authorizeSubscribe: AuthorizeSubscribe = (client, subscription, done) => {
    const known = clients.find(client);
    const refusal = known ? refuseSubscribe(known.identity, subscription.topic, sees) : 'not signed in';
    if (refusal !== null) refusals.note('subscription', client.id, refusal, subscription.topic);
    if (refusal !== null) return done(null, null);
    clients.subscribe(client, subscription.topic, subscription.qos);
    done(null, { ...subscription, topic: known?.subscriber ? CARRIED_PAST : subscription.topic });
  };

  const noteRefusal = ({ conn, id }: Client): void => {
    refusals.note('sign-in', id, 'unknown, or another key');
    // For the list of trackers that belong to no vehicle.
    if (isImei(id)) parts.reception.admit(id, 'mqtt', addressOf({ conn }));
  };

  /** A command of a browser never runs past the commands' own rules [R7.34, R7.35]. */
  const intend = (client: Client, session: Session, topic: string, payload: Buffer): Promise<void> =>
    parts.intents.take(session, parseTopic(topic)?.imei ?? '', payload, addressOf(client));

  const takePublish = async (client: Client | null, packet: PublishPacket): Promise<void> => {
    const known = client && clients.find(client);
    if (!known) throw new Error('not signed in');
    if (packet.retain) throw new Error('nothing is retained');
    const { identity } = known;
    const refusal = refusePublish(identity, packet.topic, sees);
    if (refusal !== null) throw new Error(refusal);
    const payload = Buffer.from(packet.payload);
    await (identity.kind === 'browser'
      ? intend(client, identity.session, packet.topic, payload)
      : new Promise<void>((acknowledge, refuse) => known.publishes?.take(payload, { acknowledge, refuse })));
    if (packet.qos === 1) acknowledge(client, packet.messageId ?? 0);
    // For Aedes nothing is left: neither to answer nor to carry on.
    Object.assign(packet, { qos: packet.qos === 1 ? 0 : packet.qos, topic: NOWHERE, payload: NOTHING });
  };

  /** The same past the broker: a tracker's report on its own topic, which needs no other rule. */
  const takeDiverted = (client: Client, { messageId, payload }: DivertedPublish, done: () => void): void => {
    const publishes = clients.find(client)?.publishes;
    publishes?.take(payload, {
      acknowledge: () => {
        if (messageId !== null) acknowledge(client, messageId);
        done();
      },
      refuse: error => {
        refusals.note('publish', client.id, error instanceof Error ? error.message : String(error));
        client.conn.destroy();
      },
    });
  };

  aedes.on('unsubscribe', (topics, client) => inTurns(() => clients.unsubscribe(client, topics)));
  aedes.on('ack', (_packet, client) => clients.acknowledged(client));
  aedes.on('clientError', (client, error) =>
    log.debug({ err: error, clientId: client.id }, 'An MQTT connection failed'),
  );
  aedes.on('connectionError', (_client, error) => log.debug({ err: error }, 'An MQTT connection failed'));
  // Which its types leave out.
  const emitter: EventEmitter = aedes;
  emitter.on('error', (error: Error) => log.error({ err: error }, 'MQTT broker error'));

  signals.on('sessions-ended', ({ sessionIds }) => clients.closeSessions(new Set(sessionIds)));
  signals.on('users-changed', ({ userIds }) => clients.closeUsers(new Set(userIds)));
  signals.on('vehicle-changed', ({ imei }) => {
    // What was allowed is looked at again once the directory knows better.
    directory
      .settled()
      .then(() => clients.recheckVehicle(imei))
      .catch((error: unknown) => log.error({ err: error }, 'Could not look up a changed vehicle'));
  });
  watchSight(signals, log, [directory, roster], accountId => clients.recheckSight(accountId));
  health.register('broker', () => (aedes.closed ? 'The MQTT broker is closed.' : null));

  const take = (stream: Duplex, known: () => void): void => {
    let aliveAt = 0;
    const diversion: PublishDiversion = new PublishDiversion(stream, {
      inFlight: LIMITS.framesInFlight,
      takes: ({ topic }) => client.connected && client.version !== MQTT_5 && clients.isOwnTopic(client, topic),
      take: (publish, done) => {
        const now = performance.now();
        if (now - aliveAt > ALIVE_EVERY_MS) {
          stayAlive(client);
          aliveAt = now;
        }
        takeDiverted(client, publish, done);
      },
    });
    // What arrives comes here first.
    limitPackets(stream, MQTT_LIMITS.packetBytes, () => stream.destroy());
    const client = aedes.handle(stream);
    diversions.set(client, diversion);
    arrivals.set(client, known);
    stream.once('close', () => clients.remove(client));
  };
  const webSockets = acceptWebSockets(take);
  const server = createServer({ noDelay: true, keepAlive: true }, socket => {
    const leave = limiter.enter(socket.remoteAddress ?? '');
    if (!leave) {
      crowdedOut.inc();
      socket.destroy();
      return;
    }
    socket.once('close', leave);
    socket.setTimeout(MQTT_LIMITS.idleMs, () => socket.destroy());
    take(socket, leave);
  });
  server.maxConnections = MQTT_LIMITS.connections;

  return {
    upgrade: webSockets.upgrade,
    listening: () => clients.listening(),
    listen: async () => {
      if (config.mqttPort === null) return null;
      server.listen({ port: config.mqttPort, host: config.http.host, backlog: 1024 });
      await once(server, 'listening');
      server.on('error', error => log.error({ err: error }, 'MQTT broker error'));
      const { port } = server.address() as AddressInfo;
      log.info({ port }, 'Listening for trackers on MQTT');
      return port;
    },
    stop: async () => {
      server.close();
      webSockets.close();
      await new Promise<void>(resolve => aedes.close(resolve));
    },
  };
}

type AuthorizeSubscribe = NonNullable<ConstructorParameters<typeof Aedes>[0]>['authorizeSubscribe'] & object;

/** Return codes of CONNACK, MQTT 3.1.1 section 3.2.2.3. */
const UNAVAILABLE = 3;
const BAD_CREDENTIALS = 4;

/**
 * PUBACK, MQTT 3.1.1 section 3.4. Written here in one piece: Aedes writes it in three, which costs a busy server a third
 * of its time. Who does not read their acknowledgements is cut.
 */
function acknowledge({ conn }: Client, messageId: number): void {
  if (conn.destroyed) return;
  const packet = Buffer.allocUnsafe(PUBACK_BYTES);
  packet.writeUInt16BE(PUBACK);
  packet.writeUInt16BE(messageId, 2);
  conn.write(packet);
  if (conn.writableLength > MQTT_LIMITS.unreadBytes) conn.destroy();
}

/** Its type, then how much follows. */
const PUBACK = 0x4002;
const PUBACK_BYTES = 4;

/**
 * A client is given half its keepalive, which is at least a second, beyond it [MQTT-3.1.2-24]: that this is late by so
 * much ends no connection too early.
 */
const ALIVE_EVERY_MS = 250;

/** A publish that Aedes has not seen is a sign of life, too [MQTT-3.1.2-24]. Aedes offers no call for that. */
function stayAlive(client: Client): void {
  const { _keepaliveTimer: timer } = client as unknown as { readonly _keepaliveTimer?: NodeJS.Timeout | null };
  timer?.refresh();
}

/** Its publishes have properties (MQTT 5.0 section 3.3.2.3). */
const MQTT_5 = 5;

const refused = (returnCode: number) => Object.assign(new Error('refused'), { returnCode });
