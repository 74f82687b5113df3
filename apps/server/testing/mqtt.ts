import { type DeviceMessage, deviceMessageSchema } from '@milepost/contract';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { expect } from 'vitest';
import { messagingCredential } from '../src/modules/accounts/sessions.ts';
import type { TestApp } from './app.ts';
import type { SignedIn } from './http-server.ts';
import { DEVICE_KEY, type TestVehicle } from './ingest.ts';

export type Credentials = Pick<IClientOptions, 'clientId' | 'username' | 'password'>;
type Options = IClientOptions & { readonly url?: string };

export const asDevice = ({ imei }: TestVehicle): Credentials => ({
  clientId: imei,
  username: imei,
  password: DEVICE_KEY,
});
export const asBrowser = ({ userId, userName, token }: SignedIn, tab = '.1'): Credentials => ({
  clientId: userId + tab,
  username: userName,
  password: messagingCredential(token),
});

let programs = 0;

/** Connections to a test's broker. */
export class MqttClients {
  readonly #test: Pick<TestApp, 'url' | 'port'>;
  readonly #open: MqttClient[] = [];

  constructor(test: Pick<TestApp, 'url' | 'port'>) {
    this.#test = test;
  }

  /** The URL for browsers. */
  get socketUrl(): string {
    return `${this.#test.url.replace('http', 'ws')}/mqtt`;
  }

  /** Starts connecting; `outcome` tells whether it is accepted. */
  connect({ url = `mqtt://127.0.0.1:${this.#test.port('mqtt')}`, ...options }: Options): MqttClient {
    const client = mqtt.connect(url, { reconnectPeriod: 0, connectTimeout: 3000, ...options });
    client.on('error', () => {});
    this.#open.push(client);
    return client;
  }

  browser(who: SignedIn, tab?: string): Promise<MqttClient> {
    return this.#connected({ ...asBrowser(who, tab), url: this.socketUrl });
  }

  /** A program with an API token. */
  program(who: SignedIn, token: string, clientId = `program-${++programs}`): Promise<MqttClient> {
    return this.#connected({ clientId, username: who.userName, password: token });
  }

  device(of: TestVehicle): Promise<MqttClient> {
    return this.#connected(asDevice(of));
  }

  endAll(): void {
    for (const client of this.#open.splice(0)) client.end(true);
  }

  async #connected(options: Options): Promise<MqttClient> {
    const client = this.connect(options);
    expect(await outcome(client)).toBeNull();
    return client;
  }
}

/** Resolves to null once connected, or to the error. */
export const outcome = (client: MqttClient) =>
  new Promise<string | null>(resolve => {
    client.once('connect', () => resolve(null));
    client.once('error', error => resolve(error.message));
    client.once('close', () => resolve('closed'));
  });

export const closed = (client: MqttClient) => new Promise<void>(resolve => client.once('close', () => resolve()));

/** Whether the broker granted the subscription. */
export const granted = (client: MqttClient, topic: string) =>
  client.subscribeAsync(topic, { qos: 1 }).then(
    grants => grants.every(({ qos }) => qos !== 128),
    () => false,
  );

let second = 0;
/** A position report as a tracker publishes it, one second after the previous one. */
export function positionReport(fields: object = {}) {
  const time = new Date(Date.now() - 600_000 + ++second * 1000).toISOString();
  const now = { reportDate: time.slice(0, 10), reportTime: time.slice(11, 19) };
  return { action: 'positionReport', lat: 41.9, lon: -87.68, speed: 36, ignitionStatus: 1, ...now, ...fields };
}

/** Collects all messages from now on. */
export function messagesTo(client: MqttClient): (DeviceMessage & { topic: string })[] {
  const messages: (DeviceMessage & { topic: string })[] = [];
  client.on('message', (topic, payload) => {
    messages.push({ ...deviceMessageSchema.parse(JSON.parse(payload.toString())), topic });
  });
  return messages;
}
