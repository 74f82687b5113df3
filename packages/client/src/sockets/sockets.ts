import {
  type AskedOn,
  SOCKET_NAMESPACES,
  SOCKET_PATH,
  SOCKETS,
  type SocketNamespace,
  type SocketRefused,
  TOLD_EVENTS,
  type ToldOn,
} from '@milepost/contract';
import { Manager, type Socket } from 'socket.io-client';

/** `refused`: the server no longer knows this session; only a new `connect` leaves this state. */
export type SocketState = 'idle' | 'connecting' | 'connected' | 'refused';

/** Receives an event of a namespace, as the contract defines it. */
export type OnSocketEvent = <N extends SocketNamespace, E extends keyof ToldOn<N> & string>(
  namespace: N,
  event: E,
  payload: ToldOn<N>[E],
) => void;

export interface SocketsOptions {
  /** `https://host` of the server. */
  readonly origin: string;
  /** Called at every handshake, so that a renewed token is used; null: nobody is signed in. */
  readonly getToken: () => string | null;
  readonly onEvent: OnSocketEvent;
  /** State of each namespace. */
  readonly onState: (namespace: SocketNamespace, state: SocketState) => void;
  /** Connection problems; never contains a secret. */
  readonly log?: (what: string) => void;
}

/** The two realtime sockets over one connection, kept open with the constants of R9.06 [R4.08]. */
export interface Sockets {
  connect(): void;
  /** Ends both and keeps nothing [R4.10]. */
  disconnect(): void;
  /** Rejects with `SocketError` if refused, not connected, or not answered in time. */
  ask<N extends SocketNamespace, E extends keyof AskedOn<N> & string>(
    namespace: N,
    event: E,
    payload: AskedOn<N>[E] extends { readonly payload: infer P } ? P : never,
  ): Promise<AskedOn<N>[E] extends { readonly answer: infer A } ? A : never>;
}

/** The server refused the request, or could not be reached. */
export class SocketError extends Error {
  override readonly name = 'SocketError';
  readonly code: SocketRefused['error']['code'] | 'not-connected' | 'no-answer';

  constructor(code: SocketError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const ANSWER_WITHIN_MS = 10_000;
const NAMESPACES = Object.values(SOCKET_NAMESPACES);

/** For a browser or Node. */
export function createSockets(options: SocketsOptions): Sockets {
  const { getToken, onEvent, onState } = options;
  const log = options.log ?? (() => {});
  const manager = new Manager(options.origin, {
    path: SOCKET_PATH,
    // Long polling would send the session's token in many requests; every browser that we support has WebSockets.
    transports: ['websocket'],
    autoConnect: false,
    ...SOCKETS,
  });
  let wanted = false;
  const states = new Map<SocketNamespace, SocketState>();
  const retries = new Map<SocketNamespace, ReturnType<typeof setTimeout>>();

  const become = (namespace: SocketNamespace, state: SocketState): void => {
    if ((states.get(namespace) ?? 'idle') === state) return;
    states.set(namespace, state);
    onState(namespace, state);
  };
  /** Socket.IO reconnects after a lost connection, but not after the server has closed or refused it. */
  const retry = (namespace: SocketNamespace, socket: Socket): void => {
    clearTimeout(retries.get(namespace));
    const { randomizationFactor, reconnectionDelayMax } = SOCKETS;
    const delayMs = reconnectionDelayMax * (1 - randomizationFactor * Math.random());
    retries.set(
      namespace,
      setTimeout(() => wanted && socket.connect(), delayMs),
    );
  };

  const open = (namespace: SocketNamespace): Socket => {
    const socket = manager.socket(namespace, { auth: answer => answer({ token: getToken() ?? '' }) });
    socket.on('connect', () => become(namespace, 'connected'));
    socket.on('disconnect', reason => {
      if (!wanted) return;
      become(namespace, 'connecting');
      if (!socket.active) retry(namespace, socket);
      log(`${namespace}: ${reason}`);
    });
    socket.on('connect_error', error => {
      if (error.message === 'signed-out') {
        // The other namespace is refused as well; the rest of the connection is useless.
        become(namespace, 'refused');
        return;
      }
      log(`${namespace}: ${error.message}`);
      if (wanted && !socket.active) retry(namespace, socket);
    });
    // What the server sends is typed by the contract and not validated again, as its answers over HTTP are not.
    for (const event of TOLD_EVENTS[namespace]) {
      socket.on(event as string, (payload: unknown) =>
        (onEvent as (...given: readonly unknown[]) => void)(namespace, event, payload),
      );
    }
    return socket;
  };
  const sockets = new Map(NAMESPACES.map(namespace => [namespace, open(namespace)]));

  return {
    connect() {
      wanted = true;
      for (const [namespace, socket] of sockets) {
        if (states.get(namespace) === 'connected') continue;
        become(namespace, 'connecting');
        socket.connect();
      }
    },
    disconnect() {
      wanted = false;
      for (const [namespace, socket] of sockets) {
        clearTimeout(retries.get(namespace));
        socket.disconnect();
        become(namespace, 'idle');
      }
    },
    async ask(namespace, event, payload) {
      const socket = sockets.get(namespace);
      if (!socket?.connected) throw new SocketError('not-connected', 'The realtime connection is not there.');
      const answer: unknown = await socket
        .timeout(ANSWER_WITHIN_MS)
        .emitWithAck(event, payload)
        .catch(() => {
          throw new SocketError('no-answer', 'The server did not answer in time.');
        });
      if (isRefusal(answer)) throw new SocketError(answer.error.code, answer.error.message);
      return answer as never;
    },
  };
}

const isRefusal = (answer: unknown): answer is SocketRefused =>
  typeof answer === 'object' && answer !== null && 'error' in answer;
