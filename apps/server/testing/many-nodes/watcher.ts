import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic } from '@milepost/contract';
import type { SignedIn } from '../http-server.ts';
import type { TestVehicle } from '../ingest.ts';
import { asBrowser, closed, MqttClients, outcome } from '../mqtt.ts';
import type { Running } from './servers.ts';

/** A browser that follows vehicles live, and connects to another server when its own is gone. */
export class Watcher {
  messages = 0;
  /** The newest report of each vehicle, by IMEI. */
  readonly newest = new Map<string, string>();
  /** IMEIs. */
  readonly follows: ReadonlySet<string>;
  readonly #who: SignedIn;
  readonly #tab: number;
  readonly #vehicles: readonly TestVehicle[];
  readonly #servers: readonly (Running | null)[];
  #end: (() => void) | null = null;
  #isOver = false;
  #running: Promise<void> | null = null;

  constructor(who: SignedIn, tab: number, vehicles: readonly TestVehicle[], servers: readonly (Running | null)[]) {
    this.#who = who;
    this.#tab = tab;
    this.#vehicles = vehicles;
    this.follows = new Set(vehicles.map(({ imei }) => imei));
    this.#servers = servers;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#end?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let turn = this.#tab; !this.#isOver; turn++) {
      const server = this.#servers[turn % this.#servers.length];
      if (server) await this.#watch(server).catch(() => {});
      await sleep(200);
    }
  }

  async #watch(server: Running): Promise<void> {
    const clients = new MqttClients({ url: server.url, port: () => server.mqtt });
    this.#end = () => clients.endAll();
    const client = clients.connect({ ...asBrowser(this.#who, `.${this.#tab}`), url: clients.socketUrl, keepalive: 10 });
    client.on('message', (_, payload) => {
      const { imei, reportDate, reportTime } = JSON.parse(payload.toString()) as Record<string, string>;
      this.messages++;
      if (!imei || !reportDate || !reportTime) return;
      const time = new Date(`${reportDate}T${reportTime}Z`).toISOString();
      if (time > (this.newest.get(imei) ?? '')) this.newest.set(imei, time);
    });
    if ((await outcome(client)) === null) {
      const hasClosed = closed(client);
      const topics = this.#vehicles.map(({ imei }) => deviceTopic(imei));
      await Promise.race([client.subscribeAsync(topics, { qos: 0 }).catch(() => client.end(true)), hasClosed]);
      await hasClosed;
    }
    clients.endAll();
  }
}
