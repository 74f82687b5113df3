import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServerUnderTest } from '../ingest/server-under-test.ts';
import type { FromSubscribers, ToSubscribers } from '../ingest/subscribers.ts';
import type { FromLoad, ToLoad } from './datagram-load.ts';
import type { FromWatchers, ToWatchers, WatchersPlan } from './watchers.ts';

export interface Load {
  count(): Promise<FromLoad>;
  end(): void;
}

/** All vehicles of the server report in turn, at this rate per second altogether. */
export async function startLoad(server: ServerUnderTest, rate: number): Promise<Load> {
  const child = start('datagram-load.ts');
  const tell = (message: ToLoad): boolean => child.send(message);
  tell({ type: 'plan', plan: { port: server.ports.teltonika ?? 0, imeis: server.imeis, rate } });
  return {
    count: () => {
      tell({ type: 'count' });
      return answer<FromLoad>(child);
    },
    end: () => child.disconnect(),
  };
}

export interface Subscribers {
  count(): Promise<FromSubscribers>;
  /** This many of them stop reading; 0: they read again. */
  pause(browsers: number): void;
  end(): void;
}

/** As many subscribers to every vehicle as the server has browsers. */
export async function startSubscribers(server: ServerUnderTest): Promise<Subscribers> {
  const child = start('../ingest/subscribers.ts');
  const tell = (message: ToSubscribers): boolean => child.send(message);
  const { browsers, imeis } = server;
  const url = `${server.url.replace('http', 'ws')}/mqtt`;
  tell({ type: 'plan', plan: { url, browsers, imeis, epochMs: Date.now() } });
  await answer<FromSubscribers>(child);
  return {
    count: () => {
      tell({ type: 'count' });
      return answer<FromSubscribers>(child);
    },
    pause: count => void tell({ type: 'pause', browsers: count }),
    end: () => child.disconnect(),
  };
}

export interface Watchers {
  count(): Promise<FromWatchers>;
  end(): void;
}

/** Browsers that watch geofences, once all of them are registered. */
export async function startWatchers(plan: WatchersPlan): Promise<Watchers> {
  const child = start('watchers.ts');
  const tell = (message: ToWatchers): boolean => child.send(message);
  tell({ type: 'plan', plan });
  await answer<FromWatchers>(child);
  return {
    count: () => {
      tell({ type: 'count' });
      return answer<FromWatchers>(child);
    },
    end: () => child.disconnect(),
  };
}

const start = (file: string): ChildProcess => fork(join(import.meta.dirname, file), { serialization: 'advanced' });

async function answer<T>(child: ChildProcess): Promise<T> {
  const answered = new AbortController();
  const gone = once(child, 'exit', { signal: answered.signal }).then(() => {
    throw new Error('A process of the bench ended before its time');
  });
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [T];
  answered.abort();
  return message;
}
