import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/db/embedded/free-port.ts';

export const WHY_NO_NATS = 'nats-server is not installed; Debian and Ubuntu have a package of that name';

export interface NatsProcess {
  readonly url: string;
  processId(): number;
  /** As a machine that is lost. */
  kill(): void;
  /** On the same port; resolves when it listens. */
  restart(): Promise<void>;
  /** It keeps its connections and reads nothing any more. */
  freeze(): void;
  stop(): Promise<void>;
}

export const findNats = (): string | null =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map(folder => join(folder, 'nats-server'))
    .find(path => existsSync(path)) ?? null;

/** The real program, on a free port of this machine. */
export async function startNats(): Promise<NatsProcess> {
  const program = findNats();
  if (!program) throw new Error(WHY_NO_NATS);
  const port = await freePort();
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(program, ['-a', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' });
    while (!(await listens(port))) await sleep(20);
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    processId: () => child.pid ?? 0,
    kill: () => void child.kill('SIGKILL'),
    restart: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await start();
    },
    freeze: () => void child.kill('SIGSTOP'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
