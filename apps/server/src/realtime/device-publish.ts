import { setTimeout as sleep } from 'node:timers/promises';
import { type EpochMs, epochMs } from '@milepost/units';
import type { DirectoryEntry } from '../fleet/directory.ts';
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

/** One tracker's publishes. Each resolves when it may be acknowledged, in order of arrival [MQTT-4.6.0-2]. */
export class DevicePublishes {
  readonly #vehicle: DirectoryEntry;
  readonly #device: DeviceConnection;
  readonly #parts: DevicePublishParts;
  readonly #bucket = new TokenBucket(LIMITS, Date.now());
  #previous: Promise<void> = Promise.resolve();

  constructor(vehicle: DirectoryEntry, device: DeviceConnection, parts: DevicePublishParts) {
    this.#device = device;
    this.#vehicle = vehicle;
    this.#parts = parts;
  }

  /** Rejects if the message must not be acknowledged. */
  take(payload: Buffer): Promise<void> {
    const taken = this.#inTurn(this.#store(payload, epochMs(Date.now())), this.#previous);
    this.#previous = taken.catch(() => {});
    return taken;
  }

  async #inTurn(stored: Promise<void>, previous: Promise<void>): Promise<void> {
    await stored;
    await previous;
  }

  async #store(payload: Buffer, receivedAt: EpochMs): Promise<void> {
    const { connections, pipeline, reception } = this.#parts;
    connections.heard(this.#device, receivedAt);
    const message = readTrackerMessage(payload);
    if (message.kind === 'invalid') throw new Error(`This is no report of a tracker: ${message.reason}`);
    // Aedes reads on only after an answer, so waiting here is the tracker's backpressure.
    this.#bucket.spend(1, receivedAt);
    if (this.#bucket.pauseMs > 0) await sleep(this.#bucket.pauseMs);
    if (message.kind !== 'position') {
      if (message.kind === 'reply') reception.replied(this.#vehicle, { ...message.reply, protocol: 'mqtt' });
      pipeline.heard(this.#vehicle, receivedAt);
      return;
    }
    while (!pipeline.hasRoom()) await pipeline.whenRoom();
    const frame = { bytes: payload, over: 'mqtt' } as const;
    await reception.take(this.#vehicle, [message.position], 'mqtt', receivedAt, frame, this.#device);
  }
}
