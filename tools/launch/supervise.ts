import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './install.mjs';

export interface StartOptions {
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Keeps what it prints to itself, and hands it to `onExit`. */
  readonly quiet?: boolean;
  /** Not called for a child that ends because everything is being ended. */
  readonly onExit?: (code: number | null, printed: string) => void;
}

/** Our child processes. Each has an IPC channel, whose end tells it that we are gone, be it by kill -9. */
export interface Children {
  start(script: string, options?: StartOptions): ChildProcess;
  /** Ends all children, then this process. */
  stop(exitCode: number): Promise<void>;
}

/** The server commits what it has and shuts its database down; past this it is not going to. */
const TIMEOUT_MS = 30_000;

export function superviseChildren({ interruptedStatus = 0 } = {}): Children {
  const running = new Map<ChildProcess, Promise<void>>();
  let stopping = false;

  const stop = async (exitCode: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    for (const child of running.keys()) child.kill('SIGTERM');
    const ended = Promise.all(running.values()).then(() => 'ended');
    if ((await Promise.race([ended, sleep(TIMEOUT_MS, 'late')])) === 'late') {
      for (const child of running.keys()) child.kill('SIGKILL');
      await ended;
    }
    process.exit(exitCode);
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(interruptedStatus));
  process.on('disconnect', () => void stop(interruptedStatus));
  // Listening for the parent's end is no reason to go on.
  process.channel?.unref();

  return {
    start: (script, { args = [], execArgv = [], env = {}, cwd = ROOT, quiet = false, onExit } = {}) => {
      const child = fork(script, [...args], {
        cwd,
        execArgv: [...execArgv],
        env: { ...process.env, ...env },
        silent: quiet,
      });
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
        });
      }
      running.set(
        child,
        new Promise(resolve => {
          child.once('exit', code => {
            running.delete(child);
            resolve();
            if (!stopping) onExit?.(code, printed);
          });
        }),
      );
      return child;
    },
    stop,
  };
}
