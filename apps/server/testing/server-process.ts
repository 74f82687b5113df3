import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { GATEWAY_NAMES } from '../src/config/config.ts';
import { isReadyMessage, type ReadyMessage } from '../src/lifecycle/launcher.ts';
import { INHERITED } from './processes.ts';

const MAIN = join(import.meta.dirname, '../src/main.ts');
/** Free ports for all listeners, so that tests interfere neither with each other nor with a running Milepost. */
export const ANY_PORTS = {
  PORT: '0',
  MQTT_PORT: '0',
  GATEWAYS: GATEWAY_NAMES.map(name => `${name}:0`).join(),
} as const;

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Resolves to its message for the launcher, or to null if it ends before it is ready. */
  readonly ready: Promise<ReadyMessage | null>;
  /** Exit status; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** What it wrote to standard error. */
  complaint(): string;
}

/** Runs the real server in its own process, as the launcher starts it; or that of another checkout. */
export function startServerProcess(env: Readonly<Record<string, string>>, main = MAIN): ServerProcess {
  const { promise: saidAll, resolve: hasSaidAll } = Promise.withResolvers<void>();
  const child = fork(main, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...INHERITED, LOG_LEVEL: 'error', ...ANY_PORTS, ...env },
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.stderr?.once('close', hasSaidAll);
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    await saidAll;
    if (complaint === '') complaint = `It ended without a word: ${signal ?? `status ${code}`}`;
    return code as number | null;
  });
  const ready = new Promise<ReadyMessage | null>(resolve => {
    child.on('message', message => isReadyMessage(message) && resolve(message));
    ended.then(() => resolve(null));
  });
  return { child, ready, ended, complaint: () => complaint };
}
