import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import proxyAddress from '@fastify/proxy-addr';
import { Counter, type Registry } from 'prom-client';
import { ConnectionLimiter, type ConnectionLimits } from '../limits/connection-limiter.ts';

export const UNIDENTIFIED_LIMITS: ConnectionLimits = {
  unidentified: 10_000,
  /** A browser opens six, and a whole office may share one address. */
  unidentifiedPerAddress: 500,
};

/** Limits connections of callers not identified yet, in total and per address; the newest is refused. */
export interface UnidentifiedConnections {
  /** The caller has signed in. */
  known(connection: Duplex): void;
  /**
   * Counts a connection that becomes a WebSocket. Returns a function to call when its caller is identified; null if
   * the limit is reached.
   */
  upgrade(request: IncomingMessage, connection: Duplex): (() => void) | null;
}

/**
 * A proxy's connections are shared by many callers: those from `trustedProxies` are not counted, and a WebSocket
 * through one counts by the address in its header.
 */
export function limitUnidentified(
  server: Server,
  trustedProxies: readonly string[],
  metrics: Registry,
): UnidentifiedConnections {
  const refused = new Counter({
    name: 'milepost_http_connections_refused_total',
    help: 'Connections refused because too many of callers who are not signed in were open',
    registers: [metrics],
  });
  const isProxy = proxyAddress.compile([...trustedProxies]);
  const limiter = new ConnectionLimiter(UNIDENTIFIED_LIMITS);
  const leaving = new WeakMap<Duplex, () => void>();

  const enter = (connection: Duplex, address: string): boolean => {
    const leave = limiter.enter(address);
    if (!leave) {
      refused.inc();
      return false;
    }
    leaving.set(connection, leave);
    connection.once('close', leave);
    return true;
  };
  const known = (connection: Duplex): void => leaving.get(connection)?.();

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (!isProxy(address, 0) && !enter(socket, address)) socket.destroy();
  });
  return {
    known,
    upgrade: (request, connection) => {
      const isCounted = !isProxy(request.socket.remoteAddress ?? '', 0);
      if (!isCounted && !enter(connection, proxyAddress(request, isProxy))) return null;
      return () => known(connection);
    },
  };
}
