import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EpochMs, epochMs } from '@milepost/units';
import type { DirectoryEntry } from '../fleet/directory.ts';
import { AnswersInOrder } from '../ingest/gateways/answers-in-order.ts';
import type { DeviceConnection, DeviceConnections } from '../ingest/gateways/device-connections.ts';
import { LIMITS } from '../ingest/gateways/limits.ts';
import type { Pipeline } from '../ingest/pipeline.ts';
import type { Reception } from '../ingest/reception.ts';
import { TokenBucket } from '../limits/token-bucket.ts';
import { readTrackerMessage } from './tracker-report.ts';

export interface DevicePublishParts {
  readonly pipeline: Pipeline;
  readonly reception: Reception;
  readonly connections: DeviceConnections;
}

/** The answer to a publish, once. */
export interface PublishAnswer {
  acknowledge(): void;
  /** It won't be stored, and must not be acknowledged: its connection ends. */
  refuse(error: unknown): void;
}

/** One tracker's publishes. Each is acknowledged when it is committed, in order of arrival [MQTT-4.6.0-2]. */
export class DevicePublishes {
  readonly #vehicle: DirectoryEntry;
  readonly #device: DeviceConnection;
  readonly #parts: DevicePublishParts;
  readonly #bucket = new TokenBucket(LIMITS, Date.now());
  readonly #answers: AnswersInOrder<PublishAnswer>;

  constructor(vehicle: DirectoryEntry, device: DeviceConnection, stream: Writable, parts: DevicePublishParts) {
    this.#device = device;
    this.#vehicle = vehicle;
    this.#parts = parts;
    this.#answers = new AnswersInOrder<PublishAnswer>(
      stream,
      answer => answer.acknowledge(),
      () => {},
      (error, answer) => answer?.refuse(error),
    );
  }

  take(payload: Buffer, answer: PublishAnswer): void {
    try {
      this.#answers.add(answer, this.#receive(payload, epochMs(Date.now())));
    } catch (error) {
      answer.refuse(error);
    }
  }

  /** Resolves when it is committed; null when there is nothing to wait for. */
  #receive(payload: Buffer, receivedAt: EpochMs): Promise<void> | null {
    const { connections, pipeline } = this.#parts;
    connections.heard(this.#device, receivedAt);
    const message = readTrackerMessage(payload);
    if (message.kind === 'invalid') throw new Error(`This is no report of a tracker: ${message.reason}`);
    this.#bucket.spend(1, receivedAt);
    const mustWait = this.#bucket.pauseMs > 0 || (message.kind === 'position' && !pipeline.hasRoom());
    return mustWait ? this.#storeLater(message, payload, receivedAt) : this.#store(message, payload, receivedAt);
  }

  /** Reading stops while too many wait for an answer, so waiting here is the tracker's backpressure. */
  async #storeLater(message: ValidMessage, payload: Buffer, receivedAt: EpochMs): Promise<void> {
    const { pipeline } = this.#parts;
    if (this.#bucket.pauseMs > 0) await sleep(this.#bucket.pauseMs);
    while (message.kind === 'position' && !pipeline.hasRoom()) await pipeline.whenRoom();
    await this.#store(message, payload, receivedAt);
  }

  #store(message: ValidMessage, payload: Buffer, receivedAt: EpochMs): Promise<void> | null {
    const { pipeline, reception } = this.#parts;
    if (message.kind === 'position') {
      const frame = { bytes: payload, over: 'mqtt' } as const;
      return reception.take(this.#vehicle, [message.position], 'mqtt', receivedAt, frame, this.#device);
    }
    if (message.kind === 'reply') reception.replied(this.#vehicle, { ...message.reply, protocol: 'mqtt' });
    pipeline.heard(this.#vehicle, receivedAt);
    return null;
  }
}

type ValidMessage = Exclude<ReturnType<typeof readTrackerMessage>, { readonly kind: 'invalid' }>;
