import { deviceTopic, parseTopic } from '@milepost/contract';
import type { Client } from 'aedes';
import { Gauge, type Registry } from 'prom-client';
import type { Directory, DirectoryEntry } from '../fleet/directory.ts';
import type { Session } from '../http/session.ts';
import type { DeviceConnections } from '../ingest/gateways/device-connections.ts';
import type { Signals } from '../lifecycle/signals.ts';
import { MQTT_LIMITS } from './connect-rules.ts';
import { DevicePublishes, type DevicePublishParts } from './device-publish.ts';
import type { FanOut, Subscriber } from './fan-out.ts';
import { MqttTracker } from './mqtt-tracker.ts';
import { type Identity, refuseSubscribe, type Sees } from './rights.ts';

export interface BrokerClientsParts extends DevicePublishParts {
  readonly signals: Signals;
  readonly connections: DeviceConnections;
  readonly directory: Directory;
  readonly fanOut: FanOut;
  readonly sees: Sees;
  /** Told of every vehicle whose live positions a browser gets from now on. */
  readonly listens: (session: Session, vehicle: DirectoryEntry) => void;
}

/** A browser's connection, and the IMEIs of the vehicles whose live positions it gets. */
export interface Listening {
  readonly session: Session;
  readonly imeis: readonly string[];
}

interface Known {
  readonly identity: Identity;
  /** A browser's ear. */
  readonly subscriber: Subscriber | null;
  /** As bytes: the topic a tracker reports to. */
  readonly ownTopic: Buffer | null;
  /** A tracker's mouth, */
  readonly publishes: DevicePublishes | null;
  /** and the topic that reaches it. */
  readonly device: MqttTracker | null;
}

/** The client's address, as its transport knows it. */
export const addressOf = ({ conn }: Pick<Client, 'conn'>): string | null =>
  'remoteAddress' in conn ? ((conn as { readonly remoteAddress?: string }).remoteAddress ?? null) : null;

/** The clients connected to the broker, from login to disconnection. */
export class BrokerClients {
  readonly #parts: BrokerClientsParts;
  readonly #known = new Map<Client, Known>();

  constructor(registry: Registry, parts: BrokerClientsParts) {
    this.#parts = parts;
    const known = this.#known;
    new Gauge({
      name: 'milepost_mqtt_connections',
      help: 'Signed-in connections to the broker',
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        const counts = { device: 0, browser: 0 };
        for (const { identity } of known.values()) counts[identity.kind]++;
        for (const [kind, count] of Object.entries(counts)) this.set({ kind }, count);
      },
    });
  }

  get count(): number {
    return this.#known.size;
  }

  /** An API token has as many connections as it may have. Of browsers, each tab has one. */
  isCrowded({ kind, sessionId }: Session): boolean {
    if (kind !== 'api-token') return false;
    let count = 0;
    for (const { identity } of this.#known.values()) {
      if (identity.kind === 'browser' && identity.session.sessionId === sessionId) count++;
    }
    return count >= MQTT_LIMITS.ofToken;
  }

  find(client: Client): Known | null {
    return this.#known.get(client) ?? null;
  }

  /** Whether this is a tracker, and that its topic. */
  isOwnTopic(client: Client, topic: Buffer): boolean {
    return this.find(client)?.ownTopic?.equals(topic) ?? false;
  }

  add(client: Client, identity: Identity): void {
    // Disconnected during the lookup: nothing would remove it again.
    if (client.closed) return;
    if (identity.kind === 'browser') {
      const subscriber = { accountId: identity.session.accountId, stream: client.conn };
      this.#known.set(client, { identity, subscriber, ownTopic: null, publishes: null, device: null });
      return;
    }
    const { vehicle } = identity;
    const device = new MqttTracker(vehicle, client, addressOf(client), reference =>
      this.#parts.signals.emit('command-delivered', { vehicleId: vehicle.id, reference }),
    );
    this.#known.set(client, {
      identity,
      subscriber: null,
      ownTopic: Buffer.from(deviceTopic(vehicle.imei)),
      publishes: new DevicePublishes(vehicle, device, client.conn, this.#parts),
      device,
    });
  }

  remove(client: Client): void {
    const known = this.#known.get(client);
    if (!known) return;
    this.#known.delete(client);
    if (known.subscriber) this.#parts.fanOut.leave(known.subscriber);
    if (known.device) this.#parts.connections.remove(known.device);
  }

  /** `qos` is what was asked for. A tracker can be reached from now on. */
  subscribe(client: Client, topic: string, qos: number): void {
    const known = this.find(client);
    if (known?.device) {
      known.device.subscribed(qos);
      this.#parts.connections.add(known.device);
      return;
    }
    if (!known?.subscriber || parseTopic(topic)?.kind !== 'device') return;
    // What was allowed when it was asked for may be out of sight by now.
    if (refuseSubscribe(known.identity, topic, this.#parts.sees) !== null) return;
    this.#parts.fanOut.subscribe(topic, known.subscriber);
    const vehicle = this.#parts.directory.findByImei(parseTopic(topic)?.imei ?? '');
    if (vehicle && known.identity.kind === 'browser') this.#parts.listens(known.identity.session, vehicle);
  }

  /** Who gets live positions now, and of what. */
  *listening(): Iterable<Listening> {
    for (const { identity, subscriber } of this.#known.values()) {
      if (identity.kind !== 'browser' || !subscriber) continue;
      const topics = this.#parts.fanOut.topicsOf(subscriber);
      yield { session: identity.session, imeis: topics.flatMap(topic => parseTopic(topic)?.imei ?? []) };
    }
  }

  unsubscribe(client: Client, topics: readonly string[]): void {
    const { device, subscriber } = this.find(client) ?? {};
    // The broker has granted it no other topic.
    if (device && topics.length > 0) this.#parts.connections.remove(device);
    if (subscriber) for (const topic of topics) this.#parts.fanOut.unsubscribe(topic, subscriber);
  }

  /** A tracker has confirmed that a message arrived. */
  acknowledged(client: Client): void {
    this.find(client)?.device?.acknowledged();
  }

  closeSessions(sessionIds: ReadonlySet<string>): void {
    for (const [client, { identity }] of this.#known) {
      if (identity.kind === 'browser' && sessionIds.has(identity.session.sessionId)) client.close();
    }
  }

  /** Vehicles of an account went out of someone's sight: anyone who may not see them hears no more of them. */
  recheckSight(accountId: number): void {
    const { fanOut, sees } = this.#parts;
    for (const { identity, subscriber } of this.#known.values()) {
      if (!subscriber || subscriber.accountId !== accountId) continue;
      for (const topic of fanOut.topicsOf(subscriber)) {
        if (refuseSubscribe(identity, topic, sees) !== null) fanOut.unsubscribe(topic, subscriber);
      }
    }
  }

  /** What they may do has changed: they come back, and are looked at again. */
  closeUsers(userIds: ReadonlySet<string>): void {
    for (const [client, { identity }] of this.#known) {
      if (identity.kind === 'browser' && userIds.has(identity.session.userId)) client.close();
    }
  }

  /** A vehicle was removed, changed hands or got a new key: what rested on it ends. */
  recheckVehicle(imei: string): void {
    const { directory, fanOut } = this.#parts;
    fanOut.revoke(`device/${imei}`, directory.findByImei(imei)?.accountId ?? null);
    for (const [client, { identity }] of this.#known) {
      if (identity.kind !== 'device' || identity.vehicle.imei !== imei) continue;
      const isSame = directory.findByImei(imei)?.id === identity.vehicle.id;
      if (!isSame || !directory.verifyDeviceKey(imei, identity.key)) client.close();
    }
  }
}
