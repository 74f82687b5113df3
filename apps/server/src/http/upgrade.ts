import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UnidentifiedConnections } from './unidentified-connections.ts';

/** `known` is to be called when the caller has said who they are. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, known: () => void) => void;

/** What an HTTP server no longer counts among its connections, though it can't close before they have. */
export interface UpgradedConnections {
  cut(): void;
}

/**
 * Hands WebSocket upgrades to the part that owns their path. A page of another site is refused here (ASVS 5.0 4.4.2);
 * who the caller is, the owner of the path decides.
 */
export function routeUpgrades(
  server: Server,
  handlers: ReadonlyMap<string, UpgradeHandler>,
  publicUrl: string,
  unidentified: UnidentifiedConnections,
): UpgradedConnections {
  const open = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A caller that goes away in mid-handshake is no error of ours.
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
