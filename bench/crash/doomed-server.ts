import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningPostmaster } from '../../apps/server/src/db/embedded/leftover.ts';
import { isReadyMessage } from '../../apps/server/src/lifecycle/launcher.ts';
import { ownPort } from '../../apps/server/testing/own-port.ts';
import { childrenOf, INHERITED } from '../../apps/server/testing/processes.ts';

const MAIN = join(import.meta.dirname, '../../apps/server/src/main.ts');
const OWNER = { OWNER_NAME: 'owner', OWNER_PASSWORD: 'a long password for crashing' } as const;
/** On a busy machine, a start after a kill takes its time. */
const READY_WITHIN_MS = 300_000;

export interface Ports {
  readonly http: number;
  readonly mqtt: number;
  readonly teltonika: number;
}

export interface Health {
  readonly status: number;
  readonly checks: Readonly<Record<string, string>>;
}

/** The real server with its embedded database, in its own process group, to be killed. */
export class DoomedServer {
  readonly ports: Ports;
  readonly #dataDir: string;
  /** Loaded before it. */
  readonly #preload: string | null;
  #child: ChildProcess | null = null;

  private constructor(dataDir: string, ports: Ports, preload: string | null) {
    this.#dataDir = dataDir;
    this.ports = ports;
    this.#preload = preload;
  }

  /** Its trackers must find it again, so its ports stay the same across restarts. */
  static async in(dataDir: string, preload: string | null = null): Promise<DoomedServer> {
    const ports = { http: await ownPort(), mqtt: await ownPort(), teltonika: await ownPort() };
    return new DoomedServer(dataDir, ports, preload);
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { http, mqtt, teltonika } = this.ports;
    const before = this.#preload === null ? [] : ['--import', this.#preload];
    const child = spawn(process.execPath, [...before, MAIN], {
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...INHERITED,
        DATA_DIR: this.#dataDir,
        DEMO: 'off',
        PORT: String(http),
        MQTT_PORT: String(mqtt),
        GATEWAYS: `teltonika:${teltonika}`,
        LOG_LEVEL: 'fatal',
        ...OWNER,
        ...more,
      },
    });
    this.#child = child;
    const ready = new Promise<void>(resolve => child.on('message', message => isReadyMessage(message) && resolve()));
    const ended = once(child, 'exit').then(() => {
      throw new Error('The server ended instead of starting');
    });
    ended.catch(() => {});
    const late = sleep(READY_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error('The server did not start in time');
    });
    late.catch(() => {});
    await Promise.race([ready, ended, late]);
  }

  /** A message to what is loaded before it; resolves when that has heard it, or the server has ended. */
  async tell(message: object): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const heard = new Promise<void>(resolve => {
      child.on('message', answer => (answer as { readonly heard?: boolean })?.heard === true && resolve());
      child.once('exit', () => resolve());
    });
    child.send(message);
    await heard;
  }

  /** Kills the whole process group at once; the database's processes with it, or not, so that they have to notice. */
  async kill(withDatabase: boolean): Promise<void> {
    const child = this.#child;
    if (!child?.pid) return;
    const ended = once(child, 'exit');
    const database = withDatabase ? this.#databaseProcesses() : [];
    process.kill(-child.pid, 'SIGKILL');
    for (const pid of database) killIfThere(pid);
    await ended;
  }

  /** Kills the postmaster and its backends, while the server keeps running. */
  killDatabase(): void {
    for (const pid of this.#databaseProcesses()) killIfThere(pid);
  }

  async stop(): Promise<void> {
    if (!this.#child || !this.isRunning) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  async health(): Promise<Health> {
    const response = await fetch(`http://127.0.0.1:${this.ports.http}/health`);
    const { checks } = (await response.json()) as { checks: Record<string, string> };
    return { status: response.status, checks };
  }

  async signIn(): Promise<(method: string, path: string, body?: unknown) => Promise<unknown>> {
    const user = await this.user();
    return async (method, path, body) => {
      const { answer, status } = await user(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
      return answer;
    };
  }

  /** The same, who gets whatever the server answers. */
  async user() {
    const call = async (method: string, path: string, body?: unknown, token?: string) => {
      const response = await fetch(`http://127.0.0.1:${this.ports.http}/api/v1/${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, answer: (await response.json()) as unknown };
    };
    const credentials = { userName: OWNER.OWNER_NAME, password: OWNER.OWNER_PASSWORD };
    const { answer, status } = await call('POST', 'signin', credentials);
    if (status !== 200) throw new Error(`Could not sign in: ${JSON.stringify(answer)}`);
    const { token } = answer as { token: string };
    return (method: string, path: string, body?: unknown) => call(method, path, body, token);
  }

  /** The address of the running database; the password is in DATA_DIR. */
  databaseUrl(): string {
    const password = readFileSync(join(this.#dataDir, 'database.password'), 'utf8').trim();
    return `postgresql://milepost:${password}@127.0.0.1:${this.#postmaster()?.port ?? 0}/milepost`;
  }

  #postmaster(): { pid: number; port: number } | null {
    return runningPostmaster(join(this.#dataDir, 'database'));
  }

  #databaseProcesses(): number[] {
    const postmaster = this.#postmaster();
    return postmaster ? [postmaster.pid, ...childrenOf(postmaster.pid)] : [];
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
