import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { GATEWAY_NAMES } from '../config/config.ts';
import { isReadyMessage, type ReadyMessage } from '../lifecycle/launcher.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
/** Any free port for everything, so that tests disturb neither each other nor a running Milepost. */
export const ANY_PORTS = {
  PORT: '0',
  MQTT_PORT: '0',
  GATEWAYS: GATEWAY_NAMES.map(name => `${name}:0`).join(),
} as const;

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Resolves to what it tells its launcher, or to null when it ends without having been ready. */
  readonly ready: Promise<ReadyMessage | null>;
  /** Exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** What it has written to standard error. */
  complaint(): string;
}

/** The real server in a process of its own, as the launcher starts it. */
export function startServerProcess(env: Readonly<Record<string, string>>): ServerProcess {
  const { promise: saidAll, resolve: hasSaidAll } = Promise.withResolvers<void>();
  const child = fork(MAIN, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...ANY_PORTS, ...env },
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.stderr?.once('close', hasSaidAll);
  const ended = once(child, 'exit').then(async ([code]) => {
    await saidAll;
    return code as number | null;
  });
  const ready = new Promise<ReadyMessage | null>(resolve => {
    child.on('message', message => isReadyMessage(message) && resolve(message));
    ended.then(() => resolve(null));
  });
  return { child, ready, ended, complaint: () => complaint };
}
