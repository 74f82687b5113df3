import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TrackerProtocol } from '@milepost/contract';
import pino from 'pino';
import { type App, createApp } from '../src/app.ts';
import { type Config, GATEWAY_NAMES } from '../src/config/config.ts';
import { createSessions, type Sessions } from '../src/modules/accounts/sessions.ts';
import { TEST_CONFIG } from './context.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch.ts';

export interface TestApp {
  readonly app: App;
  readonly context: App['context'];
  readonly database: TestDatabase;
  readonly sessions: Sessions;
  readonly url: string;
  port(protocol: TrackerProtocol): number;
  close(): Promise<void>;
}

/** The whole server with its own database and every listener on a free port. */
export async function startApp(config: Partial<Config> = {}): Promise<TestApp> {
  const database = await testDatabase();
  const dataDir = makeScratchFolder();
  const gateways = new Map(GATEWAY_NAMES.map(name => [name, 0]));
  const app = await createApp(
    { ...TEST_CONFIG, dataDir, mqttPort: 0, gateways, ...config },
    database.connection,
    pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
  );
  await app.start();
  return {
    app,
    context: app.context,
    database,
    sessions: createSessions(app.context),
    url: app.url,
    port: protocol => app.trackerPorts.get(protocol) ?? 0,
    close: async () => {
      await app.stop();
      await database.close();
      removeScratchFolder(dataDir);
    },
  };
}

const TIMEOUT_MS = 30_000;

/** A tracker's end of a TCP connection. */
export class Line {
  readonly socket: Socket;
  #heard: Buffer = Buffer.alloc(0);
  #isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', chunk => {
      this.#heard = Buffer.concat([this.#heard, chunk]);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
    });
  }

  static async to(port: number): Promise<Line> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const line = new Line(socket);
    await once(socket, 'connect');
    return line;
  }

  say(...bytes: Uint8Array[]): void {
    for (const piece of bytes) this.socket.write(piece);
  }

  get heardBytes(): number {
    return this.#heard.length;
  }

  /** The bytes received and not yet taken by `hear`, in hexadecimal. */
  get heard(): string {
    return this.#heard.toString('hex');
  }

  /** Takes the next bytes, in hexadecimal. */
  async hear(count: number): Promise<string> {
    await this.#until(() => this.#heard.length >= count, `${count} bytes`);
    const bytes = this.#heard.subarray(0, count);
    this.#heard = this.#heard.subarray(count);
    return bytes.toString('hex');
  }

  async closed(timeoutMs = TIMEOUT_MS): Promise<void> {
    await this.#until(() => this.#isClosed, 'the end of the connection', timeoutMs);
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  hangUp(): void {
    this.socket.destroy();
  }

  async #until(condition: () => boolean, what: string, timeoutMs = TIMEOUT_MS): Promise<void> {
    for (const deadline = Date.now() + timeoutMs; !condition(); await sleep(2)) {
      if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}; heard ${this.#heard.toString('hex')}`);
    }
  }
}
