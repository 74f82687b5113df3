import { type DeviceMessage, deviceTopic, MESSAGING, type MessagingCredential, userTopic } from '@milepost/contract';
import { askCredential, type CredentialAnswer, type GetCredential } from './ask-credential.ts';
import { readDeviceMessage } from './device-message.ts';
import {
  type BrokerConnection,
  type ConnectionEvents,
  type ConnectionOptions,
  openMqttConnection,
} from './mqtt-connection.ts';
import { type LiveEffect, type LiveEvent, type LiveState, TRANSITIONS } from './transitions.ts';

export interface LiveMessagingOptions {
  /** `https://host` of the server, or `wss://…` of a separate broker; the credential's path is appended. */
  readonly origin: string;
  /**
   * Called before every attempt, so that an expired credential is never used twice. Null, or a refusal with status 401,
   * means that nobody is signed in. Given up after the connect timeout.
   */
  readonly getCredential: GetCredential;
  readonly onMessage: (message: DeviceMessage) => void;
  readonly onState?: (state: LiveState) => void;
  /** The broker has confirmed all subscriptions: a snapshot read from now on leaves no gap before the messages. */
  readonly onSubscribed?: () => void;
  /** Connection problems are only logged; it recovers automatically [R8.02, R8.03]. */
  readonly log?: (what: string, cause?: unknown) => void;
  /** Follows the user's id in the client id: one for each tab, random by default. */
  readonly clientIdSuffix?: string;
  /** A session that survives the connection needs a client id that does, too [R5.02]. */
  readonly clean?: boolean;
  readonly openConnection?: (options: ConnectionOptions, events: ConnectionEvents) => BrokerConnection;
}

/**
 * Live messaging over MQTT: one connection at a time, which reconnects automatically and repeats its subscriptions. See
 * `transitions.ts` for the states.
 */
export interface LiveMessaging {
  readonly state: LiveState;
  connect(): void;
  /** Unsubscribes from all device topics, ends the connection and drops all subscriptions [R4.12]. */
  disconnect(): void;
  /** Call when the network or the page is back: connects at once; a connection that seems to be up is probed. */
  wake(): void;
  /** Subscribes to the device topics of these vehicles, now and after every reconnection. */
  subscribe(imeis: Iterable<string>): void;
  unsubscribe(imeis: Iterable<string>): void;
  /** Leaving a live page [R4.13]. */
  unsubscribeAll(): void;
  /**
   * Sends an action to a vehicle's tracker [R7.34]. Resolves when the broker has accepted it; rejects with "Connection
   * closed" if the connection closes first or is not open. Nothing is kept for sending later.
   */
  publish(imei: string, action: string): Promise<void>;
}

const EVENT_OF_ANSWER: Readonly<Record<CredentialAnswer['kind'], LiveEvent>> = {
  given: 'credential',
  none: 'no-credential',
  failed: 'credential-failed',
};

const connectionClosed = (): Error => new Error('Connection closed');
/** Between half and one and a half times the period, so that a fleet's browsers do not all reconnect at once. */
const withJitter = (periodMs: number): number => periodMs * (0.5 + Math.random());
const decoder = new TextDecoder();
const randomSuffix = (): string => crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? '0';

/** For a browser, a worker or Node. */
export function createLiveMessaging(options: LiveMessagingOptions): LiveMessaging {
  const {
    getCredential,
    onMessage,
    onState,
    onSubscribed,
    clean = MESSAGING.cleanSession,
    openConnection = openMqttConnection,
  } = options;
  const log = options.log ?? ((what, cause) => console.warn(what, cause));
  if (!clean && !options.clientIdSuffix) throw new Error('A session that is not clean needs a client id.');
  const suffix = options.clientIdSuffix ?? randomSuffix();

  let state: LiveState = 'idle';
  let connection: BrokerConnection | null = null;
  let credential: MessagingCredential | null = null;
  let stopAsking: (() => void) | null = null;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const wanted = new Set<string>();
  const unanswered = new Set<(error: Error) => void>();

  const events: LiveEvent[] = [];
  let running = false;
  /** Events raised by an effect wait until the transition is complete. */
  function dispatch(event: LiveEvent): void {
    events.push(event);
    if (running) return;
    running = true;
    try {
      for (let next = events.shift(); next !== undefined; next = events.shift()) {
        const transition = TRANSITIONS[state][next];
        if (transition === null) continue;
        const changed = transition.to !== state;
        state = transition.to;
        for (const effect of transition.effects) perform[effect]();
        if (changed) onState?.(state);
      }
    } finally {
      running = false;
    }
  }

  const perform: Readonly<Record<LiveEffect, () => void>> = {
    ask,
    'stop-asking': () => stopAsking?.(),
    open,
    replay: () => subscribeOn([...wanted]),
    release: () => {
      connection = null;
      for (const reject of unanswered) reject(connectionClosed());
      unanswered.clear();
    },
    leave: () => {
      connection?.unsubscribe([...wanted]);
      connection?.end();
    },
    abort: () => connection?.abort(),
    wait: () => {
      retryTimer = setTimeout(() => dispatch('retry'), withJitter(MESSAGING.reconnectPeriodMs));
    },
    'stop-waiting': () => clearTimeout(retryTimer),
    clear: () => wanted.clear(),
  };

  function ask(): void {
    stopAsking = askCredential(getCredential, answer => {
      if (answer.kind === 'given') credential = answer.credential;
      if (answer.kind === 'failed') log('Live messaging: no credential', answer.cause);
      dispatch(EVENT_OF_ANSWER[answer.kind]);
    });
  }

  function open(): void {
    if (!credential) return;
    const { path, clientIdPrefix, userName, password } = credential;
    credential = null;
    const url = options.origin.replace(/^http/, 'ws') + path;
    const own: ConnectionEvents = {
      opened: () => dispatch('opened'),
      refused: () => dispatch('refused'),
      closed: () => dispatch('closed'),
      message: receive,
      trouble: log,
    };
    try {
      connection = openConnection({ url, clientId: `${clientIdPrefix}-${suffix}`, userName, password, clean }, own);
    } catch (error) {
      log('Live messaging: no connection', error);
      dispatch('closed');
    }
  }

  function subscribeOn(topics: readonly string[]): void {
    const current = connection;
    current?.subscribe(topics, () => {
      if (connection === current && state === 'connected') onSubscribed?.();
    });
  }

  function receive(topic: string, payload: Uint8Array): void {
    if (!wanted.has(topic)) return;
    const received = readDeviceMessage(topic, decoder.decode(payload));
    if (received.kind === 'message') onMessage(received.message);
    else if (received.kind === 'unreadable') log(`Live messaging: not a message on ${topic}`);
    else if (received.action !== 'positionPacket') log(`Live messaging: ${received.action} on ${topic}`);
  }

  return {
    get state() {
      return state;
    },
    connect: () => dispatch('connect'),
    disconnect: () => dispatch('disconnect'),
    wake() {
      if (state === 'connected') connection?.probe();
      else dispatch('retry');
    },
    subscribe(imeis) {
      const topics = [...new Set(imeis)].map(deviceTopic).filter(topic => !wanted.has(topic));
      for (const topic of topics) wanted.add(topic);
      if (state === 'connected' && topics.length > 0) subscribeOn(topics);
    },
    unsubscribe(imeis) {
      const topics = [...imeis].map(deviceTopic).filter(topic => wanted.delete(topic));
      if (state === 'connected') connection?.unsubscribe(topics);
    },
    unsubscribeAll() {
      if (state === 'connected') connection?.unsubscribe([...wanted]);
      wanted.clear();
    },
    publish(imei, action) {
      if (state !== 'connected' || !connection) return Promise.reject(connectionClosed());
      const sender = connection;
      return new Promise((resolve, reject) => {
        unanswered.add(reject);
        sender.publish(userTopic(imei), action, error => {
          unanswered.delete(reject);
          if (error) reject(error);
          else resolve();
        });
      });
    },
  };
}
