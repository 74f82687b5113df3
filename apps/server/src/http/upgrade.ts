import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UnidentifiedConnections } from './unidentified-connections.ts';

/** Call `known` when the caller is identified. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, known: () => void) => void;

/** Upgraded connections: the HTTP server no longer counts them, but can't close before they have. */
export interface UpgradedConnections {
  cut(): void;
}

/**
 * Routes WebSocket upgrades by path. Requests from another site's page are refused here (ASVS 5.0 4.4.2); the path's
 * handler identifies the caller.
 */
export function routeUpgrades(
  server: Server,
  handlers: ReadonlyMap<string, UpgradeHandler>,
  publicUrl: string,
  unidentified: UnidentifiedConnections,
): UpgradedConnections {
  const open = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that disconnects during the handshake is not our error.
    socket.on('error', () => socket.destroy());
    const handler = handlers.get((request.url ?? '').split('?', 1)[0] ?? '');
    if (!handler) return refuse(socket, '404 Not Found');
    if (!isOwnOrigin(request, publicUrl)) return refuse(socket, '403 Forbidden');
    const known = unidentified.upgrade(request, socket);
    if (!known) return refuse(socket, '503 Service Unavailable');
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    handler(request, socket, head, known);
  });
  return {
    cut: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Trackers and tools send no Origin; browsers always do. */
export function isOwnOrigin(request: Pick<IncomingMessage, 'headers'>, publicUrl: string): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
