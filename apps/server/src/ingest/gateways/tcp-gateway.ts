import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TrackerProtocol } from '@milepost/contract';
import type { StreamProtocol } from '@milepost/decoders';
import { ConnectionLimiter } from '../../limits/connection-limiter.ts';
import { LogThrottle } from '../../limits/log-throttle.ts';
import type { Gateway, GatewayParts } from './gateway.ts';
import { TrackerConnection } from './tracker-connection.ts';

const LOGGED_EVERY_MS = 600_000;
const LINES = 200;

/** Listens for the trackers of one protocol that keep a connection open. Fails when the port can't be had. */
export async function listenTcp(
  protocolName: TrackerProtocol,
  protocol: StreamProtocol,
  port: number,
  parts: GatewayParts,
): Promise<Gateway> {
  const { limits, metrics } = parts;
  const log = parts.log.child({ gateway: protocolName });
  const open = new Set<TrackerConnection>();
  const limiter = new ConnectionLimiter(limits);
  const ends = new LogThrottle(LOGGED_EVERY_MS, LINES);

  const take = (socket: Socket): void => {
    const leaveCrowd = limiter.enter(socket.remoteAddress ?? '');
    if (!leaveCrowd) {
      metrics.connectionsCut.inc({ protocol: protocolName, reason: 'crowded' });
      socket.destroy();
      return;
    }
    const connection = new TrackerConnection(socket, {
      ...parts,
      log,
      protocol,
      protocolName,
      ends,
      onNamed: leaveCrowd,
    });
    open.add(connection);
    metrics.connections.inc({ protocol: protocolName });
    socket.once('close', () => {
      leaveCrowd();
      open.delete(connection);
      metrics.connections.dec({ protocol: protocolName });
    });
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, take);
  server.maxConnections = limits.connections;
  server.listen({ port, host: parts.host, backlog: 1024 });
  await once(server, 'listening');
  // For example out of file descriptors: open connections stay, and the next one may try again.
  server.on('error', error => log.error({ err: error }, 'Gateway error'));
  return {
    port: (server.address() as AddressInfo).port,
    stopListening: () => void server.close(),
    close: () => {
      for (const connection of open) connection.close('stopping');
    },
  };
}
