import {
  fieldErrorOf,
  problemTitle,
  SOCKET_EVENTS,
  type SocketNamespace,
  type SocketRefused,
} from '@milepost/contract';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import { SOCKET_LIMITS } from './limits.ts';
import { holds, type SocketClient } from './socket-clients.ts';

type Asked<N extends SocketNamespace> = (typeof SOCKET_EVENTS)[N]['asked'];

/** The handlers of a namespace's events: one for each in the contract, or it doesn't compile. */
export type AskHandlers<N extends SocketNamespace> = {
  readonly [E in keyof Asked<N>]: Asked<N>[E] extends {
    readonly payload: infer P extends z.ZodType;
    readonly answer: infer A extends z.ZodType;
  }
    ? (client: SocketClient, payload: z.output<P>) => z.input<A> | Promise<z.input<A>>
    : never;
};

/** For how long a session's events are counted. */
const WAIT_S = 60;

type Code = SocketRefused['error']['code'];
const TOLD_CODES: ReadonlySet<string> = new Set<Code>(['not-allowed', 'read-only', 'not-found', 'invalid-input']);

/** Answers clients' events: checks rights, rate and schema, then calls the handler. */
export class Asking {
  readonly #log: Logger;
  readonly #rate = new RateLimiterMemory({
    points: SOCKET_LIMITS.events.count,
    duration: SOCKET_LIMITS.events.withinS,
  });

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Everything else is dropped. */
  listen(namespace: SocketNamespace, client: SocketClient, handlers: AskHandlers<SocketNamespace>): void {
    const asked: Readonly<Record<string, Event>> = SOCKET_EVENTS[namespace].asked;
    for (const [name, event] of Object.entries(asked)) {
      const handler = (handlers as Readonly<Record<string, unknown>>)[name] as Handler;
      client.socket.on(name, (...given: readonly unknown[]) => {
        const acknowledge = given.at(-1);
        const payload = typeof given[0] === 'function' ? undefined : given[0];
        void this.#answer(name, event, client, payload, handler).then(answer => {
          if (typeof acknowledge === 'function') acknowledge(answer);
        });
      });
    }
  }

  async #answer(name: string, event: Event, client: SocketClient, payload: unknown, handler: Handler) {
    const { session } = client;
    try {
      await this.#rate.consume(session.sessionId);
      if (!holds(session, event.access)) {
        const byRole = holds({ ...session, readOnly: false }, event.access);
        return refused(session.readOnly && byRole ? 'read-only' : 'not-allowed');
      }
      const read = event.payload.safeParse(payload);
      if (!read.success) return refused('invalid-input', read.error.issues.map(fieldErrorOf)[0]?.message);
      return event.answer.parse(await handler(client, read.data));
    } catch (error) {
      if (error instanceof RateLimiterRes) return refused('too-many-requests');
      if (error instanceof AppError && TOLD_CODES.has(error.code)) return refused(error.code as Code);
      this.#log.error({ err: error, event: name }, 'Could not answer a socket event');
      return refused('internal');
    }
  }
}

interface Event {
  readonly access: Parameters<typeof holds>[1];
  readonly payload: z.ZodType;
  readonly answer: z.ZodType;
}
type Handler = (client: SocketClient, payload: unknown) => unknown;

function refused(code: Code, message?: string): SocketRefused {
  return { error: { code, message: message ?? problemTitle(code, { waitS: WAIT_S }) } };
}
