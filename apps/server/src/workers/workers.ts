import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Gauge, type Registry } from 'prom-client';
import { tooMany } from '../app-error.ts';
import type * as tasks from './tasks.ts';

type Tasks = typeof tasks;
type TaskName = keyof Tasks;

export const WORKER_LIMITS = {
  /** The most tasks of one account that run at the same time. */
  running: 2,
  /** The most tasks of one account in its queue; further ones are refused. */
  waiting: 50,
  /** A task that takes longer is stopped, together with its worker. */
  withinMs: 30_000,
  /** A worker that has been idle for this long is stopped. */
  idleMs: 30_000,
} as const;

type WorkerLimits = Readonly<Record<keyof typeof WORKER_LIMITS, number>>;

const RETRY_AFTER_MS = 1000;

/**
 * Runs heavy pure functions away from the thread that receives positions: in worker threads, one fewer than there are
 * processors. One account's tasks can't keep others waiting for long.
 */
export interface Workers {
  run<K extends TaskName>(
    accountId: number,
    name: K,
    input: Parameters<Tasks[K]>[0],
  ): Promise<Awaited<ReturnType<Tasks[K]>>>;
  stop(): Promise<void>;
}

export function createWorkers(metrics: Registry, limits: WorkerLimits = WORKER_LIMITS): Workers {
  const pool = new Piscina({
    filename: new URL('./tasks.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    idleTimeout: limits.idleMs,
  });
  const byAccount = new Map<number, TaskQueue>();
  new Gauge({
    name: 'milepost_worker_tasks',
    help: 'Tasks of heavy work that wait for a worker',
    registers: [metrics],
    collect() {
      this.set(pool.queueSize);
    },
  });

  return {
    run: async (accountId, name, input) => {
      const queue = byAccount.get(accountId) ?? new TaskQueue(limits);
      byAccount.set(accountId, queue);
      await queue.enter();
      try {
        return await pool.run(input, { name, signal: AbortSignal.timeout(limits.withinMs) });
      } finally {
        if (queue.leave()) byAccount.delete(accountId);
      }
    },
    stop: () => pool.destroy(),
  };
}

/** The queue of one account's tasks: a few run, others wait. */
class TaskQueue {
  readonly #limits: WorkerLimits;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
  }

  async enter(): Promise<void> {
    if (this.#running < this.#limits.running) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= this.#limits.waiting) throw tooMany('too-many-requests', RETRY_AFTER_MS);
    // A finished task passes its slot on.
    await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  /** Passes the slot to the next task or frees it; true if no task is left. */
  leave(): boolean {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
    return this.#running === 0;
  }
}
