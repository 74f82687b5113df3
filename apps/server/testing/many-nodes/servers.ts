import { call } from '../http-server.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';

export interface Running {
  readonly process: ServerProcess;
  readonly url: string;
  /** Where trackers connect. */
  readonly mqtt: number;
}

/** Servers as processes of their own, each of which may be killed and started again. */
export class Servers {
  /** Null while one is away. */
  readonly running: (Running | null)[];
  readonly #envOf: (n: number) => Readonly<Record<string, string>>;
  readonly #mqttOf: (n: number, port: number) => number;
  readonly #mainOf: (n: number) => string | undefined;

  /** Trackers may have to go another way than straight to the server's port, and a server may be another version's. */
  constructor(
    count: number,
    envOf: (n: number) => Readonly<Record<string, string>>,
    mqttOf: (n: number, port: number) => number = (_, port) => port,
    mainOf: (n: number) => string | undefined = () => undefined,
  ) {
    this.running = Array.from({ length: count }, () => null);
    this.#envOf = envOf;
    this.#mqttOf = mqttOf;
    this.#mainOf = mainOf;
  }

  async start(n: number): Promise<void> {
    const ours = { DEMO: 'off', HOST: '127.0.0.1', WEBHOOK_HTTP: 'on', WEBHOOK_NETWORKS: '127.0.0.1' };
    const process = startServerProcess({ ...ours, ...this.#envOf(n) }, this.#mainOf(n));
    const ready = await process.ready;
    if (!ready) throw new Error(process.complaint());
    this.running[n] = { process, url: ready.url, mqtt: this.#mqttOf(n, ready.trackerPorts.mqtt ?? 0) };
  }

  /** All at once. */
  async startAll(): Promise<void> {
    await Promise.all(this.running.map((_, n) => this.start(n)));
  }

  async kill(n: number): Promise<void> {
    const victim = this.running[n];
    this.running[n] = null;
    victim?.process.child.kill('SIGKILL');
    await victim?.process.ended;
  }

  async killAll(): Promise<void> {
    await Promise.all(this.running.map((_, n) => this.kill(n)));
  }

  /** The answer's body; null if that server is away, or is killed meanwhile. */
  async post(n: number, path: string, token: string, body: object): Promise<unknown> {
    const server = this.running[n];
    if (!server) return null;
    const answer = await call(server.url, 'POST', `/api/v1/${path}`, { token, body }).catch(() => null);
    return answer?.body ?? null;
  }
}
