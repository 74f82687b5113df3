import { userTopic } from '@milepost/contract';
import { type PositionMessage, type ProtocolName, protocols, type TrackerSide } from '@milepost/decoders';
import { metresPerSecond } from '@milepost/units';
import mqtt, { type MqttClient } from 'mqtt';
import { Line } from './app.ts';
import { DEVICE_KEY, positionMessage, type TestVehicle } from './ingest.ts';

/** How a tracker answers a command: obeys it, refuses it, or stays silent. */
export type AnswerMode = 'obeys' | 'refuses' | 'silent';

export interface TestTracker {
  answerMode: AnswerMode;
  /** The commands it received, in its protocol. */
  readonly told: readonly string[];
  report(fields?: Partial<PositionMessage>): Promise<void> | void;
  hangUp(): void;
}

/** Parked, ignition off, just now. */
export const parked = (fields: Partial<PositionMessage> = {}): PositionMessage =>
  positionMessage(Date.now(), { speed: metresPerSecond(0), ignition: false, ...fields });
export const driving = (fields: Partial<PositionMessage> = {}): PositionMessage =>
  positionMessage(Date.now(), { speed: metresPerSecond(15), ignition: true, ...fields });

/** A signed-in tracker on a TCP connection. */
export class StreamTracker implements TestTracker {
  answerMode: AnswerMode = 'obeys';
  readonly told: string[] = [];
  readonly #line: Line;
  readonly #side: TrackerSide;
  readonly #imei: string;
  #unheard = Buffer.alloc(0);
  #last = parked();
  #serial = 2;

  private constructor(line: Line, side: TrackerSide, imei: string) {
    this.#line = line;
    this.#side = side;
    this.#imei = imei;
    line.socket.on('data', bytes => this.#hear(bytes));
  }

  static async dial(port: number, protocol: ProtocolName, { imei }: Pick<TestVehicle, 'imei'>): Promise<StreamTracker> {
    const side = protocols[protocol].tracker;
    if (!side?.hear) throw new Error(`${protocol} has no tracker that hears`);
    const tracker = new StreamTracker(await Line.to(port), side, imei);
    const greeting = side.greeting(imei);
    if (greeting) tracker.#line.say(greeting);
    return tracker;
  }

  report(fields: Partial<PositionMessage> = {}): void {
    this.#last = parked(fields);
    this.#line.say(...this.#side.reports(this.#imei, [this.#last], this.#serial++));
  }

  hangUp(): void {
    this.#line.hangUp();
  }

  #hear(bytes: Buffer): void {
    this.#unheard = Buffer.concat([this.#unheard, bytes]);
    for (;;) {
      const heard = this.#side.hear?.(this.#imei, this.#unheard);
      if (!heard || heard.status === 'more' || this.#unheard.length === 0) return;
      this.#unheard = this.#unheard.subarray(heard.end);
      if (heard.status !== 'command') continue;
      this.told.push(heard.command.text);
      const reply = this.answerMode === 'silent' ? null : heard.command.reply(this.answerMode === 'obeys', this.#last);
      if (reply) this.#line.say(reply);
    }
  }
}

/** A tracker on the broker, subscribed to its commands. */
export class MqttTestTracker implements TestTracker {
  answerMode: AnswerMode = 'obeys';
  readonly told: string[] = [];
  readonly #client: MqttClient;
  readonly #imei: string;

  private constructor(client: MqttClient, imei: string) {
    this.#client = client;
    this.#imei = imei;
    client.on('message', (_, payload) => this.#hear(payload.toString()));
  }

  static async dial(port: number, { imei }: Pick<TestVehicle, 'imei'>, qos: 0 | 1 = 1): Promise<MqttTestTracker> {
    const credentials = { clientId: imei, username: imei, password: DEVICE_KEY };
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { ...credentials, reconnectPeriod: 0 });
    client.on('error', () => {});
    const tracker = new MqttTestTracker(client, imei);
    await client.subscribeAsync(userTopic(imei), { qos });
    return tracker;
  }

  async say(message: object): Promise<void> {
    await this.#client.publishAsync(`device/${this.#imei}`, JSON.stringify(message), { qos: 1 });
  }

  report({ speed = metresPerSecond(0), ignition = false }: Partial<PositionMessage> = {}): Promise<void> {
    const time = new Date().toISOString();
    const when = { reportDate: time.slice(0, 10), reportTime: time.slice(11, 19) };
    const how = { speed: (speed ?? 0) * 3.6, ignitionStatus: ignition ? 1 : 0 };
    return this.say({ action: 'positionReport', lat: 41.9, lon: -87.68, ...how, ...when });
  }

  hangUp(): void {
    this.#client.end(true);
  }

  #hear(payload: string): void {
    this.told.push(payload);
    if (this.answerMode === 'silent') return;
    const { action, id } = payload.startsWith('{') ? JSON.parse(payload) : { action: payload };
    const end = this.answerMode === 'obeys' ? 'Confirmed' : 'Refused';
    void this.say({ action: `${action}${end}`, ...(id !== undefined && { id }) }).catch(() => {});
  }
}
