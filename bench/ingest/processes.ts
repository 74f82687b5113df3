import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromLoad, LoadPlan, LoadResult } from './load-plan.ts';
import type { FromSubscribers, SubscribersPlan } from './subscribers.ts';

export interface ReadyLoad {
  /** Resolves when everything is acknowledged. */
  go(): Promise<LoadResult>;
}

/** A load process whose trackers are connected. */
export async function readyLoad(plan: LoadPlan): Promise<ReadyLoad> {
  const child = start('load.ts');
  child.send({ type: 'plan', plan });
  await answer<FromLoad>(child, 'ready');
  return {
    go: async () => {
      child.send({ type: 'go' });
      const done = (await answer<FromLoad>(child, 'done')) as LoadResult;
      child.disconnect();
      return done;
    },
  };
}

export interface Subscribers {
  /** What came since the last count. */
  count(): Promise<FromSubscribers>;
  end(): void;
}

export async function subscribers({ url, ...plan }: SubscribersPlan): Promise<Subscribers> {
  const child = start('subscribers.ts');
  child.send({ type: 'plan', plan: { ...plan, url: `${url.replace('http', 'ws')}/mqtt` } });
  await answer<FromSubscribers>(child, 'ready');
  return {
    count: () => {
      child.send({ type: 'count' });
      return answer<FromSubscribers>(child, 'counted');
    },
    end: () => child.disconnect(),
  };
}

const start = (file: string): ChildProcess => fork(join(import.meta.dirname, file), { serialization: 'advanced' });

async function answer<T extends { readonly type: string }>(child: ChildProcess, type: T['type']): Promise<T> {
  const gone = once(child, 'exit').then(() => {
    throw new Error('A process of the bench ended before its time');
  });
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [T];
  if (message.type !== type) throw new Error(`Expected ${type} and got ${message.type}`);
  return message;
}
