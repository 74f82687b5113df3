import { may, type SocketNamespace } from '@milepost/contract';
import type { Socket } from 'socket.io';
import type { Session } from '../../http/session.ts';
import { Outbox } from './outbox.ts';

/** Someone in a namespace. */
export interface SocketClient {
  readonly namespace: SocketNamespace;
  readonly session: Session;
  readonly socket: Socket;
  readonly outbox: Outbox;
}

/** Who is connected to the sockets, from coming in to going out. */
export class SocketClients {
  readonly #byAccount = new Map<number, Set<SocketClient>>();
  readonly #arrivals: ((client: SocketClient) => void)[] = [];

  add(namespace: SocketNamespace, session: Session, socket: Socket): SocketClient {
    const client = { namespace, session, socket, outbox: new Outbox(socket) };
    const clients = this.#byAccount.get(session.accountId) ?? new Set();
    this.#byAccount.set(session.accountId, clients.add(client));
    socket.once('disconnect', () => {
      clients.delete(client);
      if (clients.size === 0) this.#byAccount.delete(session.accountId);
      // In no namespace it would be nobody's, and count for no session.
      if (![...clients].some(other => other.socket.conn === socket.conn)) socket.conn.close();
    });
    for (const greet of this.#arrivals) greet(client);
    return client;
  }

  /** Called for each client that comes in. */
  onArrival(namespace: SocketNamespace, greet: (client: SocketClient) => void): void {
    this.#arrivals.push(client => {
      if (client.namespace === namespace) greet(client);
    });
  }

  /** In this namespace, of this account. */
  *of(namespace: SocketNamespace, accountId: number): Iterable<SocketClient> {
    for (const client of this.#byAccount.get(accountId) ?? []) if (client.namespace === namespace) yield client;
  }

  countOf({ accountId, sessionId }: Session): number {
    let count = 0;
    for (const { session } of this.#byAccount.get(accountId) ?? []) if (session.sessionId === sessionId) count++;
    return count;
  }

  counts(): ReadonlyMap<SocketNamespace, number> {
    const counts = new Map<SocketNamespace, number>();
    for (const clients of this.#byAccount.values()) {
      for (const { namespace } of clients) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    }
    return counts;
  }

  /** They are cut at once, with all that they have open. */
  close(is: (session: Session) => boolean): void {
    for (const clients of this.#byAccount.values()) {
      for (const { session, socket } of [...clients]) if (is(session)) socket.disconnect(true);
    }
  }
}

/** Whether a session holds what an event asks for; null asks for nothing. */
export const holds = (session: Session, access: Parameters<typeof may>[1] | null): boolean =>
  access === null || may(session, access);
