import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import proxyAddress from '@fastify/proxy-addr';
import { Counter, type Registry } from 'prom-client';
import { ConnectionLimiter, type ConnectionLimits } from '../ingest/gateways/connection-limiter.ts';

export const UNIDENTIFIED_LIMITS: ConnectionLimits = {
  unidentified: 10_000,
  /** A browser opens six, and an office may have one address. */
  unidentifiedPerAddress: 500,
};

/** Limits connections whose callers are not identified yet, in all and per address; the newest is refused. */
export interface UnidentifiedConnections {
  /** The caller has signed in. */
  known(connection: Duplex): void;
  /** A connection becomes a WebSocket. Returns what to call once its caller is known; null if the limit is reached. */
  upgrade(request: IncomingMessage, connection: Duplex): (() => void) | null;
}

/**
 * A proxy keeps its connections for everybody: those of `trustedProxies` are not counted, and a WebSocket through one
 * counts by the address that it names.
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
