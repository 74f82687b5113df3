import type { Health } from '../lifecycle/health.ts';

/** Words joined by dots, such as `live.7`. A pattern may have `*` in place of a word. */
export type Subject = string;

/** `from` is the node that published it. */
export type Listener = (payload: string, from: string) => void;

/** Whoever serves a subject answers, or throws: the caller then gets the error's message. */
export type Server = (payload: string) => string | Promise<string>;

export type Reply =
  | { readonly kind: 'answer'; readonly payload: string }
  /** No node serves it, so nobody has seen the request; also while the bus is away. */
  | { readonly kind: 'nobody' }
  /** Nobody knows whether it was seen: no answer within the time, or the connection was lost meanwhile. */
  | { readonly kind: 'silence' }
  /** Seen, and refused. */
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Carries messages between the nodes of an installation, and within this one. It keeps nothing: what is published while
 * the bus is away reaches this node only, so what must not be lost belongs in the database. Nothing here waits for the
 * bus, except an answer.
 */
export interface Bus {
  /** This process; another one after each start. */
  readonly nodeId: string;
  /** There may be other nodes. */
  readonly isShared: boolean;
  /** To the listeners of this node within the call, then to those of the others, in order. */
  publish(subject: Subject, payload: string): void;
  listen(pattern: Subject, listener: Listener): () => void;
  /** Asks the node that serves the subject; this one first. */
  request(subject: Subject, payload: string, timeoutMs: number): Promise<Reply>;
  /** One node at a time should serve a subject: of several, the first answer counts. */
  serve(subject: Subject, server: Server): () => void;
  /**
   * Called when messages were lost and what they told has to be read from the database: the bus was away, this node did
   * not read, or another node could not publish.
   */
  onReturn(handler: () => void): () => void;
  /** What is missing while the bus is away, as a sentence; null if nothing is; undefined where there is only one node. */
  trouble(): string | null | undefined;
  /** Since when it is away; null if it is not. */
  awaySince(): Date | null;
  /** Sends what was published and closes the connection. */
  stop(): Promise<void>;
}

export const watchBus = (bus: Bus, health: Health): void => health.register('bus', () => bus.trouble(), 'warning');
