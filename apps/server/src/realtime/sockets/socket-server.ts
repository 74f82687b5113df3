import { type SocketNamespace, type SocketRefusal, socketAuthSchema } from '@milepost/contract';
import { type Socket as Connection, Server as Engine } from 'engine.io';
import { Gauge } from 'prom-client';
import { Server, type Socket } from 'socket.io';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session, SessionFinder } from '../../http/session.ts';
import type { UpgradeHandler } from '../../http/upgrade.ts';
import { type AskHandlers, Asking } from './ask.ts';
import { serveChangeEvents } from './change-events.ts';
import { type GeofenceEventParts, serveGeofenceEvents } from './geofence-events.ts';
import { SOCKET_LIMITS } from './limits.ts';
import type { SocketParts } from './listeners.ts';
import { SocketClients } from './socket-clients.ts';

export interface SocketServerParts extends Organisation, GeofenceEventParts {
  readonly sessions: SessionFinder;
  /** What the modules say and answer on `/eld`, besides the changes. */
  readonly serveVehicleEvents: (
    context: Context,
    parts: SocketParts,
  ) => Omit<AskHandlers<'/eld'>, keyof ReturnType<typeof serveChangeEvents>>;
}

export interface SocketServer {
  /** For the HTTP server, which has looked at path and origin: WebSocket upgrades at `SOCKET_PATH`. */
  readonly upgrade: UpgradeHandler;
  stop(): Promise<void>;
}

/**
 * The realtime sockets (Socket.IO, WebSocket only). A connection comes in with the token of its session in the handshake
 * of each namespace; what it may hear and ask is decided by the contract's table of events, event by event.
 */
export function startSockets(context: Context, parts: SocketServerParts): SocketServer {
  const { metrics, signals } = context;
  const log = context.log.child({ part: 'sockets' });
  const clients = new SocketClients();
  /** How often sessions have ended: one that was looked up before may be gone after. */
  let endings = 0;

  const engine = new Engine({
    transports: ['websocket'],
    allowUpgrades: false,
    perMessageDeflate: false,
    maxHttpBufferSize: SOCKET_LIMITS.payloadBytes,
    pingInterval: SOCKET_LIMITS.pingEveryMs,
    pingTimeout: SOCKET_LIMITS.pingWithinMs,
  });
  /** What to call when the caller of a connection has come into a namespace. */
  const arrivals = new WeakMap<object, () => void>();
  const io = new Server({ serveClient: false, connectTimeout: SOCKET_LIMITS.connectWithinMs });
  io.bind(engine);
  engine.on('connection', (connection: Connection) => {
    if (engine.clientsCount > SOCKET_LIMITS.connections) connection.close(true);
    else limitPackets(connection);
  });

  const signIn = async (socket: Socket): Promise<Session | SocketRefusal> => {
    const auth = socketAuthSchema.safeParse(socket.handshake.auth);
    if (!auth.success) return 'signed-out';
    for (;;) {
      const before = endings;
      const session = await parts.sessions.findByToken(auth.data.token);
      if (before !== endings) continue;
      if (!session) return 'signed-out';
      return clients.countOf(session) < SOCKET_LIMITS.ofSession ? session : 'too-many-connections';
    }
  };
  const asking = new Asking(log);
  const socketParts = { ...parts, clients };
  const handlers = {
    '/eld': { ...parts.serveVehicleEvents(context, socketParts), ...serveChangeEvents(context, socketParts) },
    '/geofence': serveGeofenceEvents(context, socketParts),
  };
  const open = (namespace: SocketNamespace): void => {
    io.of(namespace).use((socket, next) => {
      signIn(socket).then(
        session => {
          if (typeof session === 'string') return next(refusal(session));
          Object.assign(socket.data, { session, endings });
          next();
        },
        (error: unknown) => {
          log.error({ err: error }, 'Could not check a socket’s sign-in');
          next(refusal('unavailable'));
        },
      );
    });
    io.of(namespace).on('connection', (socket: Socket) => {
      const { session, endings: known } = socket.data as Known;
      // What ended meanwhile may have been this one: it comes again, and is looked up again.
      if (known !== endings) return void socket.disconnect(true);
      arrivals.get(socket.request)?.();
      asking.listen(namespace, clients.add(namespace, session, socket), handlers[namespace]);
    });
  };
  // The default namespace, which Socket.IO opens to everyone.
  io.use((_socket, next) => next(new Error('Invalid namespace')));
  open('/eld');
  open('/geofence');

  signals.on('sessions-ended', ({ sessionIds }) => {
    endings++;
    const ended = new Set(sessionIds);
    clients.close(({ sessionId }) => ended.has(sessionId));
  });
  // What they may do has changed: they come back, and are looked at again.
  signals.on('users-changed', ({ userIds }) => {
    endings++;
    const changed = new Set(userIds);
    clients.close(({ userId }) => changed.has(userId));
  });
  new Gauge({
    name: 'milepost_socket_connections',
    help: 'Signed-in connections to the realtime sockets',
    labelNames: ['namespace'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [namespace, count] of clients.counts()) this.set({ namespace }, count);
    },
  });

  return {
    upgrade: (request, socket, head, known) => {
      arrivals.set(request, known);
      engine.handleUpgrade(request as never, socket, head);
    },
    stop: () => io.close(),
  };
}

interface Known {
  readonly session: Session;
  readonly endings: number;
}

const refusal = (code: SocketRefusal): Error => new Error(code);

/** Before a packet is looked into: a flood ends its connection, no matter whose. */
function limitPackets(connection: Connection): void {
  const { count, withinS } = SOCKET_LIMITS.packets;
  let packets = 0;
  const timer = setInterval(() => {
    packets = 0;
  }, withinS * 1000).unref();
  connection.once('close', () => clearInterval(timer));
  connection.on('packet', () => {
    packets++;
    if (packets > count) connection.close(true);
  });
}
