import { MESSAGING } from '@milepost/contract';
import mqtt from 'mqtt';

/** One connection to the broker, from opening to its end; each attempt creates a new one. */
export interface BrokerConnection {
  /** `done` is called when the broker has answered for all topics, or the connection ends before that. */
  subscribe(topics: readonly string[], done: () => void): void;
  unsubscribe(topics: readonly string[]): void;
  /**
   * At least once (QoS 1). `done` is called when the broker has accepted it; maybe never, if the connection ends before
   * that.
   */
  publish(topic: string, payload: string, done: (error?: Error) => void): void;
  /** Sends a ping, and closes if no answer comes within the connect timeout. */
  probe(): void;
  /** Sends what is pending, then closes. */
  end(): void;
  /** Closes at once. */
  abort(): void;
}

/** Events of a connection. `refused` or `closed` comes exactly once, and is the last event. */
export interface ConnectionEvents {
  opened(): void;
  /** The broker does not accept the credential. */
  refused(): void;
  closed(): void;
  message(topic: string, payload: Uint8Array): void;
  /** A problem that only needs to be logged [R8.02, R8.03]. */
  trouble(what: string, cause: unknown): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
  readonly clean: boolean;
}

/** CONNACK return codes 4 (bad user name or password) and 5 (not authorised), [MQTT-3.2.2-5] table 3.1. */
const REFUSALS: ReadonlySet<unknown> = new Set([4, 5]);
/** How long to wait for the broker to confirm the last packets before closing the socket anyway. */
const DISCONNECT_TIMEOUT_MS = 1000;
/** Topics in one SUBSCRIBE packet; a large fleet takes several. */
const TOPICS_PER_PACKET = 250;
/** SUBACK return code, MQTT 3.1.1 section 3.9.3. */
const GRANTED_FAILURE = 0x80;

/**
 * MQTT.js handles framing, message ids 1–65535, keepalive, the send buffer with its retries, and refuses a session that
 * is neither clean nor named. It does not reconnect, because it would reuse the first credential.
 */
export function openMqttConnection(options: ConnectionOptions, events: ConnectionEvents): BrokerConnection {
  const client = mqtt.connect(options.url, {
    clientId: options.clientId,
    username: options.userName,
    password: options.password,
    clean: options.clean,
    keepalive: MESSAGING.keepaliveS,
    connectTimeout: MESSAGING.connectTimeoutMs,
    browserBufferSize: MESSAGING.sendBufferBytes,
    browserBufferTimeout: MESSAGING.sendRetryMs,
    reconnectPeriod: 0,
    resubscribe: false,
    // The alternative runs from a blob: URL, which the content security policy forbids.
    timerVariant: 'native',
  });
  let over = false;
  let goodbye: ReturnType<typeof setTimeout> | undefined;
  let proof: ReturnType<typeof setTimeout> | undefined;

  const finish = (how: 'refused' | 'closed') => {
    if (over) return;
    over = true;
    clearTimeout(goodbye);
    clearTimeout(proof);
    events[how]();
  };
  client.on('connect', () => {
    if (!over) events.opened();
  });
  client.on('message', (topic, payload) => {
    if (!over) events.message(topic, payload);
  });
  client.on('error', error => {
    if (over) return;
    if (!client.connected && 'code' in error && REFUSALS.has(error.code)) finish('refused');
    else events.trouble('Live messaging', error);
  });
  client.on('close', () => finish('closed'));

  const failed = (what: string) => (error?: Error | null) => {
    if (error && !over) events.trouble(what, error);
  };
  return {
    subscribe(topics, done) {
      const packets = Math.ceil(topics.length / TOPICS_PER_PACKET);
      let answered = 0;
      if (packets === 0) done();
      for (let i = 0; i < packets; i++) {
        const some = topics.slice(i * TOPICS_PER_PACKET, (i + 1) * TOPICS_PER_PACKET);
        client.subscribe(some, { qos: 0 }, (error, _requested, answer) => {
          failed(`Subscription to ${namesOf(some, answer)}`)(error);
          if (++answered === packets) done();
        });
      }
    },
    unsubscribe(topics) {
      if (topics.length > 0) client.unsubscribe([...topics], failed('Unsubscription'));
    },
    publish(topic, payload, done) {
      client.publish(topic, payload, { qos: 1 }, error => (error ? done(error) : done()));
    },
    probe() {
      if (proof !== undefined) return;
      proof = setTimeout(() => client.stream.destroy(), MESSAGING.connectTimeoutMs);
      client.once('packetreceive', () => {
        clearTimeout(proof);
        proof = undefined;
      });
      client.sendPing();
    },
    end() {
      goodbye = setTimeout(() => client.stream.destroy(), DISCONNECT_TIMEOUT_MS);
      client.end();
    },
    abort() {
      client.end(true);
    },
  };
}

/** The topics that the broker refused; if it did not answer, their number. */
function namesOf(topics: readonly string[], answer: { readonly granted: readonly unknown[] } | undefined): string {
  const refused = topics.filter((_topic, i) => answer?.granted[i] === GRANTED_FAILURE);
  return refused.join(', ') || `${topics.length} topics`;
}
