import type { Writable } from 'node:stream';
import { userTopic } from '@milepost/contract';
import mqttPacket from 'mqtt-packet';
import type { DirectoryEntry } from '../fleet/directory.ts';
import type { DeviceConnection } from '../ingest/gateways/device-connections.ts';

/** The part of a tracker's broker connection that is needed here. */
export interface TrackerClient {
  readonly conn: Writable;
  close(): void;
}

const LAST_MESSAGE_ID = 65_535;

/**
 * A tracker on the broker, as commands reach it on `user/{own imei}`. They are written past Aedes, which would put them
 * off to a later turn: what was checked must hold when the bytes leave.
 */
export class MqttTracker implements DeviceConnection {
  readonly imei: string;
  readonly identity: string;
  readonly vehicleId: number;
  readonly protocol = 'mqtt';
  readonly address: string | null;
  readonly #client: TrackerClient;
  readonly #onDelivered: (reference: number) => void;
  #qos: 0 | 1 = 0;
  #messageId = 0;
  /** References of what was sent with QoS 1 and is not acknowledged, in order [MQTT-4.6.0-2]. */
  #unacknowledged: (number | null)[] = [];

  constructor(
    { id, imei }: DirectoryEntry,
    client: TrackerClient,
    address: string | null,
    onDelivered: (reference: number) => void,
  ) {
    this.imei = imei;
    this.identity = imei;
    this.vehicleId = id;
    this.address = address;
    this.#client = client;
    this.#onDelivered = onDelivered;
  }

  /** It has subscribed; its QoS is no higher than it asked for [MQTT-3.8.4-6]. */
  subscribed(qos: number): void {
    this.#qos = qos > 0 ? 1 : 0;
  }

  encode(command: string, reference: number): Uint8Array {
    // A bare action is the whole payload; only an object can carry a number.
    if (!command.startsWith('{')) return Buffer.from(command);
    return Buffer.from(JSON.stringify({ ...(JSON.parse(command) as object), id: reference }));
  }

  send(bytes: Uint8Array, reference: number | null = null): void {
    const packet = { cmd: 'publish', topic: userTopic(this.imei), retain: false, dup: false } as const;
    const payload = Buffer.from(bytes);
    if (this.#qos === 0) {
      this.#client.conn.write(mqttPacket.generate({ ...packet, payload, qos: 0 }));
      return;
    }
    this.#messageId = (this.#messageId % LAST_MESSAGE_ID) + 1;
    this.#unacknowledged.push(reference);
    this.#client.conn.write(mqttPacket.generate({ ...packet, payload, qos: 1, messageId: this.#messageId }));
  }

  /** PUBACK: the oldest that waits for one has arrived. */
  acknowledged(): void {
    const reference = this.#unacknowledged.shift() ?? null;
    if (reference !== null) this.#onDelivered(reference);
  }

  close(): void {
    this.#client.close();
  }
}
