import { connect, errors, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Listener, Reply, Server, Subject } from './bus.ts';
import { LocalBus } from './local-bus.ts';
import type { BusMetrics } from './metrics.ts';

export interface NatsBusOptions {
  /** As in NATS_URL: one address, or several servers of a cluster, separated by commas. */
  readonly url: string;
  /** Keeps the installations that share a NATS apart. */
  readonly installation: string;
  readonly log: Logger;
  readonly metrics: BusMetrics;
}

const RECONNECT_MS = 250;
/** A connection that says nothing for two of these is lost. */
const PING_MS = 5000;
/** Published and not yet taken by NATS: more is dropped, so that a slow bus costs messages and not memory. */
const UNCONFIRMED_BYTES = 8 * 1024 * 1024;
/** From here on NATS is asked what it has taken, which costs a message each way: not after each of ours. */
const ASKED_FROM_BYTES = UNCONFIRMED_BYTES / 16;
const FAILED = 'Milepost-Failed';
/** Published by a node that had to drop messages. */
const MISSED = 'bus.missed';

/** Nodes that share a NATS. While it is away, this node goes on alone, and connects again by itself. */
export class NatsBus extends LocalBus {
  override readonly isShared = true;
  readonly #options: NatsBusOptions;
  /** Subjects of what one node tells all others, and of what is asked of one. */
  readonly #said: string;
  readonly #asked: string;
  /** What NATS delivers to this node, again after each connection. */
  readonly #subscribers: ((connection: NatsConnection) => void)[] = [];
  readonly #patterns = new Set<Subject>();
  #connection: NatsConnection | null = null;
  #isConnected = false;
  #awaySince: number | null = performance.now();
  #isStopped = false;
  #unconfirmed = 0;
  #isConfirming = false;
  /** This node dropped messages, and has not told the others yet. */
  #hasDropped = false;

  constructor(options: NatsBusOptions) {
    super(options.log);
    this.#options = options;
    this.#said = `milepost.${options.installation}.said`;
    this.#asked = `milepost.${options.installation}.asked`;
    this.listen(MISSED, (_, from) => {
      if (from !== this.nodeId) this.isBack();
    });
    void this.#connect();
  }

  override publish(subject: Subject, payload: string): void {
    super.publish(subject, payload);
    const { metrics } = this.#options;
    if (!this.#connection || !this.#isConnected || this.#unconfirmed > UNCONFIRMED_BYTES) {
      metrics.dropped.inc();
      this.#hasDropped = true;
      return;
    }
    this.#connection.publish(`${this.#said}.${this.nodeId}.${subject}`, payload);
    this.#unconfirmed += payload.length;
    metrics.published.inc();
    if (this.#unconfirmed > ASKED_FROM_BYTES && !this.#isConfirming) void this.#confirm(this.#connection);
  }

  override listen(pattern: Subject, listener: Listener): () => void {
    const leave = super.listen(pattern, listener);
    if (!this.#patterns.has(pattern)) {
      this.#patterns.add(pattern);
      this.#subscribe(connection => {
        const callback = (_: unknown, message: Msg): void => this.#hear(message);
        connection.subscribe(`${this.#said}.*.${pattern}`, { callback });
      });
    }
    return leave;
  }

  override async request(subject: Subject, payload: string, timeoutMs: number): Promise<Reply> {
    const own = await super.request(subject, payload, timeoutMs);
    if (own.kind !== 'nobody' || !this.#connection || !this.#isConnected) return own;
    try {
      const answer = await this.#connection.request(`${this.#asked}.${subject}`, payload, { timeout: timeoutMs });
      const reason = answer.headers?.get(FAILED);
      return reason ? { kind: 'failed', reason } : { kind: 'answer', payload: answer.string() };
    } catch (error) {
      const isNobody =
        error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders());
      return { kind: isNobody ? 'nobody' : 'silence' };
    }
  }

  override serve(subject: Subject, server: Server): () => void {
    const leave = super.serve(subject, server);
    let isOver = false;
    let end = (): void => {};
    this.#subscribe(connection => {
      if (isOver) return;
      const callback = (_: unknown, message: Msg): void => void answer(server, message);
      const subscription = connection.subscribe(`${this.#asked}.${subject}`, { callback });
      end = () => subscription.unsubscribe();
    });
    return () => {
      isOver = true;
      leave();
      if (this.#connection) end();
    };
  }

  override trouble(): string | null {
    if (this.#awaySince === null) return null;
    const seconds = Math.round((performance.now() - this.#awaySince) / 1000);
    return `The live bus (NATS_URL) has not been reachable for ${seconds} s. This server stores and acknowledges positions, and its users see what its own trackers report; what trackers report to other servers appears when the bus is back.`;
  }

  override awaySince(): Date | null {
    return this.#awaySince === null ? null : new Date(Date.now() - (performance.now() - this.#awaySince));
  }

  override async stop(): Promise<void> {
    this.#isStopped = true;
    const connection = this.#connection;
    this.#connection = null;
    if (!connection) return;
    // Without a connection, there is nothing to send it to.
    if (this.#isConnected) await connection.flush().catch(() => {});
    await connection.close().catch(() => {});
  }

  async #connect(): Promise<void> {
    const { log, metrics, url } = this.#options;
    const connection = await connect({
      servers: url.split(','),
      name: `milepost ${this.nodeId}`,
      noEcho: true,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      reconnectJitter: RECONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
    }).catch((error: unknown) => {
      log.error({ err: error }, 'Could not connect to the live bus (NATS_URL)');
      return null;
    });
    if (!connection) {
      if (!this.#isStopped) setTimeout(() => void this.#connect(), RECONNECT_MS * 4).unref();
      return;
    }
    if (this.#isStopped) return void connection.close();
    this.#connection = connection;
    for (const subscribe of this.#subscribers) subscribe(connection);
    this.#here();
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        this.#isConnected = false;
        this.#awaySince ??= performance.now();
        log.warn('The connection to the live bus was lost; connecting again');
      } else if (type === 'reconnect') {
        metrics.reconnected.inc();
        this.#here();
      } else if (type === 'slowConsumer') {
        this.isBack();
      }
    }
    // Closed for good by the other side, such as for a wrong password: a new connection may be let in.
    this.#isConnected = false;
    this.#awaySince ??= performance.now();
    this.#connection = null;
    if (!this.#isStopped) setTimeout(() => void this.#connect(), RECONNECT_MS * 4).unref();
  }

  #here(): void {
    this.#isConnected = true;
    this.#awaySince = null;
    this.#unconfirmed = 0;
    this.#options.log.info('Connected to the live bus');
    this.#tellMissed();
    this.isBack();
  }

  #tellMissed(): void {
    if (!this.#hasDropped) return;
    this.#hasDropped = false;
    this.publish(MISSED, '');
  }

  #subscribe(subscribe: (connection: NatsConnection) => void): void {
    this.#subscribers.push(subscribe);
    if (this.#connection) subscribe(this.#connection);
  }

  #hear(message: Msg): void {
    const [from = '', ...words] = message.subject.slice(this.#said.length + 1).split('.');
    this.#options.metrics.received.inc();
    this.deliver(words.join('.'), message.string(), from);
  }

  /** NATS answers a ping when it has taken everything before it. */
  async #confirm(connection: NatsConnection): Promise<void> {
    this.#isConfirming = true;
    while (this.#isConnected && this.#unconfirmed > ASKED_FROM_BYTES) {
      const before = this.#unconfirmed;
      const isTaken = await connection.flush().then(
        () => true,
        () => false,
      );
      if (!isTaken) break;
      this.#unconfirmed = Math.max(0, this.#unconfirmed - before);
    }
    this.#isConfirming = false;
    if (this.#isConnected && this.#unconfirmed <= ASKED_FROM_BYTES) this.#tellMissed();
  }
}

async function answer(server: Server, message: Msg): Promise<void> {
  try {
    message.respond(await server(message.string()));
  } catch (error) {
    const said = headers();
    // A header is one line.
    said.set(FAILED, (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ') || 'failed');
    message.respond('', { headers: said });
  }
}
