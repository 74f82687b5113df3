import { once } from 'node:events';
import { SOCKET_NAMESPACES, SOCKET_PATH, type SocketNamespace } from '@milepost/contract';
import { Manager, type Socket } from 'socket.io-client';

/** A browser's socket in one namespace, on its own connection. */
export function socketTo(url: string, namespace: SocketNamespace, auth: object): Socket {
  const manager = new Manager(url, { path: SOCKET_PATH, transports: ['websocket'], reconnection: false });
  return manager.socket(namespace, { auth });
}

/** The same, once connected. */
export async function joined(url: string, namespace: SocketNamespace, token: string): Promise<Socket> {
  const socket = socketTo(url, namespace, { token });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/** The reason it was refused. */
export async function refusalOf(socket: Socket): Promise<string> {
  const [error] = (await once(socket as never, 'connect_error')) as [Error];
  socket.disconnect();
  return error.message;
}

export const endOf = (socket: Socket): Promise<void> =>
  new Promise(resolve => socket.once('disconnect', () => resolve()));

/** Collects all events from now on; `settled` resolves when the earlier ones have arrived. */
export function heardBy(socket: Socket): { readonly events: [string, unknown][]; settled(): Promise<void> } {
  const events: [string, unknown][] = [];
  socket.onAny((name: string, payload: unknown) => events.push([name, payload]));
  return {
    events,
    // Answers come in order, after all earlier events.
    settled: async () => {
      const question = NAMESPACE_QUESTION[socketNamespace(socket)];
      await socket.timeout(5000).emitWithAck(question, {});
    },
  };
}

const NAMESPACE_QUESTION: Readonly<Record<SocketNamespace, string>> = {
  '/eld': 'assignedTaskToDriver',
  '/geofence': 'register_vehicles',
};
const socketNamespace = (socket: Socket): SocketNamespace =>
  (socket as unknown as { nsp: string }).nsp === SOCKET_NAMESPACES.geofence ? '/geofence' : '/eld';
