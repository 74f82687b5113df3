import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './install.mjs';

export interface StartOptions {
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Captures the child's output and passes it to `onExit`. */
  readonly quiet?: boolean;
  /** Not called when all children are being ended. */
  readonly onExit?: (code: number | null, printed: string) => void;
}

/** Our child processes. Each has an IPC channel that closes when we end, even by kill -9, so that it ends too. */
export interface Children {
  start(script: string, options?: StartOptions): ChildProcess;
  /** Ends all children, then this process. */
  stop(exitCode: number): Promise<void>;
}

/** The server commits its data and shuts its database down; after this long it is not going to finish. */
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
  // Listening for the parent's exit must not keep this process alive.
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
