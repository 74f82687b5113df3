import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic } from '@milepost/contract';
import { type PositionMessage, teltonikaEncode } from '@milepost/decoders';
import { connectAsync } from 'mqtt';
import { drivenPosition } from '../ingest/drive.ts';

/** One position for each number: the n-th position of a vehicle, identified by time and odometer. */
export interface TrackerPlan {
  readonly imei: string;
  readonly deviceKey: string;
  readonly protocol: 'teltonika' | 'mqtt';
  readonly port: number;
  readonly perMessage: number;
  /** Milliseconds between two messages. */
  readonly everyMs: number;
  /** Time of position 0; the following ones are one second apart. */
  readonly firstFixMs: number;
}

const ACKNOWLEDGED_WITHIN_MS = 10_000;
const DIAL_AGAIN_AFTER_MS = 100;

/** Like a good tracker: keeps unacknowledged positions, reconnects, and sends them again. */
export class PersistentTracker {
  readonly plan: TrackerPlan;
  /** All positions below this number were acknowledged. */
  acknowledged = 0;
  /** No position from this number on has been sent. */
  sent = 0;
  #isStopping = false;

  constructor(plan: TrackerPlan) {
    this.plan = plan;
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      const link = await (this.plan.protocol === 'teltonika' ? this.#dialTcp() : this.#dialMqtt()).catch(() => null);
      while (link && !this.#isStopping) {
        const numbers = Array.from({ length: this.plan.perMessage }, (_, i) => this.acknowledged + i);
        this.sent = Math.max(this.sent, this.acknowledged + numbers.length);
        const pause = sleep(this.plan.everyMs);
        try {
          await link.send(numbers);
        } catch {
          break;
        }
        this.acknowledged += numbers.length;
        await pause;
      }
      link?.hangUp();
      await sleep(DIAL_AGAIN_AFTER_MS);
    }
  }

  stop(): void {
    this.#isStopping = true;
  }

  #position(n: number) {
    return drivenPosition(0, this.plan.firstFixMs + n * 1000, n);
  }

  async #dialTcp(): Promise<Link> {
    const line = await dialTeltonika(this.plan.port, this.plan.imei);
    return { send: numbers => line.send(numbers.map(n => this.#position(n))), hangUp: () => line.hangUp() };
  }

  async #dialMqtt(): Promise<Link> {
    const { deviceKey, imei, port } = this.plan;
    const credentials = { clientId: imei, username: imei, password: deviceKey };
    const client = await connectAsync({
      host: '127.0.0.1',
      port,
      ...credentials,
      reconnectPeriod: 0,
      connectTimeout: 2000,
    });
    client.on('error', () => {});
    const gone = new Promise<never>((_, reject) => client.once('close', () => reject(new Error('The server hung up'))));
    gone.catch(() => {});
    return {
      send: async numbers => {
        const published = numbers.map(n => client.publishAsync(deviceTopic(imei), this.#report(n), { qos: 1 }));
        await within(Promise.race([Promise.all(published), gone]));
      },
      hangUp: () => client.end(true),
    };
  }

  #report(n: number): string {
    const { lat, lon, time, course } = this.#position(n);
    const at = new Date(time).toISOString();
    const when = { reportDate: at.slice(0, 10), reportTime: at.slice(11, 19) };
    return JSON.stringify({ action: 'positionReport', lat, lon, course, speed: 50, mileage: n / 1000, ...when });
  }
}

interface Link {
  /** Resolves when every one of these positions is acknowledged. */
  send(numbers: readonly number[]): Promise<unknown>;
  hangUp(): void;
}

/** A tracker's connection; `send` resolves when the server has accepted every position. */
export async function dialTeltonika(port: number, imei: string) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const answers = readAnswers(socket);
  socket.write(teltonikaEncode.encodeLogin(imei));
  if ((await answers(1))[0] !== 1) throw new Error('The server does not know this tracker');
  return {
    send: async (positions: readonly PositionMessage[]): Promise<void> => {
      socket.write(teltonikaEncode.encodePacket(positions));
      const accepted = (await answers(4)).readUInt32BE(0);
      if (accepted !== positions.length) throw new Error('The server did not accept every record');
    },
    hangUp: (): void => {
      socket.destroy();
    },
  };
}

function readAnswers(socket: Socket): (bytes: number) => Promise<Buffer> {
  let received: Buffer = Buffer.alloc(0);
  let listen: () => void = () => {};
  let isClosed = false;
  socket.on('data', chunk => {
    received = Buffer.concat([received, chunk]);
    listen();
  });
  socket.on('close', () => {
    isClosed = true;
    listen();
  });
  return bytes =>
    within(
      new Promise<Buffer>((resolve, reject) => {
        listen = () => {
          if (received.length >= bytes) {
            resolve(received.subarray(0, bytes));
            received = received.subarray(bytes);
            listen = () => {};
          } else if (isClosed) {
            reject(new Error('The server hung up'));
          }
        };
        listen();
      }),
    );
}

function within<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('No acknowledgement')), ACKNOWLEDGED_WITHIN_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
