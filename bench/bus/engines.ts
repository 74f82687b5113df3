import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { runningPostmaster } from '../../apps/server/src/db/embedded/leftover.ts';
import { startEmbedded } from '../../apps/server/src/db/embedded.ts';
import { childrenOf } from '../../apps/server/testing/processes.ts';
import { processorSecondsOf } from '../processes.ts';
import type { EngineName } from './client.ts';

/** A program that carries messages between nodes. */
export interface Engine {
  readonly name: EngineName;
  /** One address, or several of a cluster. */
  readonly urls: readonly string[];
  /** Processor time used so far by the first program and its children, in seconds. */
  processorSeconds(): number;
  /** Kills the first program, as a lost machine does. */
  kill(): void;
  /** Starts it again where it was; resolves when it listens. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian's packages of the same names, or null where one is not installed. */
export async function startEngine(name: EngineName): Promise<Engine | null> {
  if (name === 'postgres') return startPostgres();
  const port = await freePort();
  return name === 'nats'
    ? startProgram(name, 'nats-server', ['-a', '127.0.0.1', '-p', `${port}`], port, `nats://127.0.0.1:${port}`)
    : startProgram(
        name,
        'redis-server',
        ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no'],
        port,
        `redis://127.0.0.1:${port}`,
      );
}

/** Three NATS servers that know each other. */
export async function startNatsCluster(): Promise<Engine | null> {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const routes = await Promise.all([freePort(), freePort(), freePort()]);
  const addresses = routes.map(port => `nats://127.0.0.1:${port}`);
  const programs: Engine[] = [];
  for (const [n, port] of ports.entries()) {
    const program = await startProgram(
      'nats',
      'nats-server',
      [
        ...['-a', '127.0.0.1', '-p', `${port}`, '--cluster_name', 'bench', '--cluster', addresses[n] ?? ''],
        ...['--routes', addresses.join()],
      ],
      port,
      `nats://127.0.0.1:${port}`,
    );
    if (!program) return null;
    programs.push(program);
  }
  const [first] = programs as [Engine];
  await sleep(1000);
  return {
    ...first,
    urls: programs.flatMap(({ urls }) => urls),
    stop: async () => {
      for (const program of programs) await program.stop();
    },
  };
}

async function startProgram(
  name: EngineName,
  file: string,
  args: readonly string[],
  port: number,
  url: string,
): Promise<Engine | null> {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-bus-'));
  let child: ChildProcess;
  const start = async (): Promise<boolean> => {
    child = spawn(file, args, { cwd: folder, stdio: 'ignore' });
    const failed = once(child, 'error').then(() => false);
    return Promise.race([failed, listens(port).then(() => true)]);
  };
  if (!(await start())) return null;
  return {
    name,
    urls: [url],
    processorSeconds: () => processorSecondsOf(child.pid ?? 0),
    kill: () => void child.kill('SIGKILL'),
    restart: async () => void (await start()),
    stop: async () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With the settings of `npm start`; its supervisor starts it again by itself. */
async function startPostgres(): Promise<Engine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bus-'));
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  const postmaster = (): number => runningPostmaster(join(dataDir, 'database'))?.pid ?? 0;
  const all = (): number[] => [postmaster(), ...childrenOf(postmaster())];
  return {
    name: 'postgres',
    urls: [database.url],
    processorSeconds: () => all().reduce((sum, pid) => sum + processorSecondsOf(pid), 0),
    kill: () => {
      for (const pid of all()) if (pid > 0) process.kill(pid, 'SIGKILL');
    },
    restart: () => listens(Number(new URL(database.url).port)),
    stop: async () => {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function listens(port: number): Promise<void> {
  const { connect } = await import('node:net');
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await sleep(5);
  }
}
