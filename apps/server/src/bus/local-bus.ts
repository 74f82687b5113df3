import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Bus, Listener, Reply, Server, Subject } from './bus.ts';

/** The bus of a single node: within this process, with nothing else to install. A shared bus begins here, too. */
export class LocalBus implements Bus {
  readonly nodeId: string = randomUUID();
  readonly isShared: boolean = false;
  readonly #exact = new Map<Subject, Set<Listener>>();
  readonly #patterns = new Map<Subject, { readonly matches: RegExp; readonly listeners: Set<Listener> }>();
  readonly #servers = new Map<Subject, Server>();
  readonly #returned = new Set<() => void>();
  readonly #log: Pick<Logger, 'error'>;

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log;
  }

  publish(subject: Subject, payload: string): void {
    this.deliver(subject, payload, this.nodeId);
  }

  listen(pattern: Subject, listener: Listener): () => void {
    const listeners = this.#listenersOf(pattern);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  async request(subject: Subject, payload: string, _timeoutMs: number): Promise<Reply> {
    const server = this.#servers.get(subject);
    if (!server) return { kind: 'nobody' };
    try {
      return { kind: 'answer', payload: await server(payload) };
    } catch (error) {
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  serve(subject: Subject, server: Server): () => void {
    this.#servers.set(subject, server);
    return () => {
      if (this.#servers.get(subject) === server) this.#servers.delete(subject);
    };
  }

  onReturn(handler: () => void): () => void {
    this.#returned.add(handler);
    return () => void this.#returned.delete(handler);
  }

  trouble(): string | null | undefined {
    return undefined;
  }

  awaySince(): Date | null {
    return null;
  }

  async stop(): Promise<void> {}

  protected deliver(subject: Subject, payload: string, from: string): void {
    for (const listener of this.#exact.get(subject) ?? []) this.#hear(subject, listener, payload, from);
    for (const { matches, listeners } of this.#patterns.values()) {
      if (matches.test(subject)) for (const listener of listeners) this.#hear(subject, listener, payload, from);
    }
  }

  protected isBack(): void {
    for (const handler of this.#returned) handler();
  }

  #listenersOf(pattern: Subject): Set<Listener> {
    if (!pattern.includes('*')) {
      const known = this.#exact.get(pattern) ?? new Set();
      this.#exact.set(pattern, known);
      return known;
    }
    const known = this.#patterns.get(pattern) ?? { matches: asRegExp(pattern), listeners: new Set() };
    this.#patterns.set(pattern, known);
    return known.listeners;
  }

  /** One listener's failure does not affect the sender or the others. */
  #hear(subject: Subject, listener: Listener, payload: string, from: string): void {
    try {
      listener(payload, from);
    } catch (error) {
      this.#log.error({ err: error, subject }, 'A message of the bus could not be processed');
    }
  }
}

const asRegExp = (pattern: Subject): RegExp =>
  new RegExp(`^${pattern.replace(/[.*]/g, sign => (sign === '.' ? '\\.' : '[^.]+'))}$`);
