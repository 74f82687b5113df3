import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic, userTopic } from '@milepost/contract';
import type { MqttClient } from 'mqtt';
import type { TestVehicle } from '../ingest.ts';
import { asDevice, closed, MqttClients, outcome, positionReport } from '../mqtt.ts';
import type { Running } from './servers.ts';

/** As trackers wait: all of a large fleet that dial at once are not let in within a moment. */
const LET_IN_WITHIN_MS = 30_000;
/** Longer in a large fleet, which would otherwise do little but dial. */
const DIAL_AGAIN_MS = 50;
const PARKED_EVERY_MS = 1000;
const BEHIND_MS = 7_200_000;
/** Of 240 s it drives so many. */
const DRIVES_S = 180;

interface Report {
  readonly time: string;
  readonly payload: string;
}

/**
 * A tracker that reports each second of a day that is over, driving and halting, or stands and reports what is; each
 * until it is acknowledged, to whatever server lets it in.
 */
export class Reporter {
  readonly vehicle: TestVehicle;
  readonly isParked: boolean;
  /** Times of reports. */
  readonly acknowledged: string[] = [];
  readonly sent = new Set<string>();
  /** Commands that reached it. */
  readonly told: string[] = [];
  readonly #servers: readonly (Running | null)[];
  readonly #everyMs: number;
  readonly #dialAgainMs: number;
  readonly #began: number;
  #next: Report | null = null;
  #isCryingOut = false;
  #isOver = false;
  #n = 0;
  #lat = 41.5;
  #running: Promise<void> | null = null;

  constructor(
    vehicle: TestVehicle,
    servers: readonly (Running | null)[],
    isParked: boolean,
    everyMs = 25,
    dialAgainMs = DIAL_AGAIN_MS,
  ) {
    this.vehicle = vehicle;
    this.isParked = isParked;
    this.#servers = servers;
    this.#everyMs = isParked ? Math.max(PARKED_EVERY_MS, everyMs) : everyMs;
    this.#dialAgainMs = dialAgainMs;
    this.#began = Math.floor(Date.now() / 1000) * 1000 - BEHIND_MS;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The next report says so, until it is acknowledged. */
  cryOut(): void {
    this.#isCryingOut = true;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const server = this.#servers[(turn + this.vehicle.id) % this.#servers.length];
      if (!server) {
        await sleep(this.#dialAgainMs);
        continue;
      }
      const clients = new MqttClients({ url: server.url, port: () => server.mqtt });
      const client = clients.connect({ ...asDevice(this.vehicle), connectTimeout: LET_IN_WITHIN_MS });
      client.on('message', (_, payload) => this.told.push(payload.toString()));
      if ((await outcome(client)) === null) await this.#reportOver(client).catch(() => {});
      clients.endAll();
      await sleep(this.#dialAgainMs);
    }
  }

  async #reportOver(client: MqttClient): Promise<void> {
    const hasClosed = closed(client).then(() => {
      throw new Error('closed');
    });
    hasClosed.catch(() => {});
    await Promise.race([client.subscribeAsync(userTopic(this.vehicle.imei), { qos: 1 }), hasClosed]);
    while (!this.#isOver) {
      this.#next ??= this.#report();
      const { payload, time } = this.#next;
      this.sent.add(time);
      const published = client.publishAsync(deviceTopic(this.vehicle.imei), payload, { qos: 1 });
      await Promise.race([published, hasClosed]);
      this.acknowledged.push(time);
      this.#next = null;
      this.#n++;
      await sleep(this.#everyMs);
    }
  }

  #report(): Report {
    const now = this.isParked ? Math.floor(Date.now() / 1000) * 1000 : this.#began + this.#n * 1000;
    const time = new Date(now).toISOString();
    const isDriving = !this.isParked && this.#n % 240 < DRIVES_S;
    if (isDriving) this.#lat += 0.00015;
    const report = positionReport({
      ...{ reportDate: time.slice(0, 10), reportTime: time.slice(11, 19), lat: this.#lat },
      ...{ speed: isDriving ? 60 : 0, ignitionStatus: isDriving ? 1 : 0 },
      ...(this.#isCryingOut && { eventType: 'sos' }),
    });
    this.#isCryingOut = false;
    return { time, payload: JSON.stringify(report) };
  }
}
