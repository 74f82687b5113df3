import type { CDPSession, Page } from 'playwright-core';

/** The work of a thread while it was observed. */
export interface ThreadWork {
  /** Chromium's name of the thread, or the URL of a worker's script. */
  readonly name: string;
  /** Processor time of its tasks, in milliseconds per second. */
  readonly msPerSecond: number;
  /** Processor time of its longest task, in milliseconds. */
  readonly longestTaskMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own clock, without the time of other processes. */
  readonly tdur?: number;
  readonly args?: {
    readonly name?: string;
    readonly data?: { readonly url?: string; readonly workerThreadId?: number };
  };
}

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata'];

/**
 * Observes the threads of a page's process for a number of seconds, using Chromium's trace. The busiest comes first.
 */
export async function watchThreads(page: Page, seconds: number): Promise<ThreadWork[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { includedCategories: CATEGORIES, recordMode: 'recordAsMuchAsPossible' },
  });
  await page.waitForTimeout(seconds * 1000);
  const events = await endTrace(session);
  await session.detach();
  return threadsOf(events, seconds);
}

async function endTrace(session: CDPSession): Promise<TraceEvent[]> {
  const complete = new Promise<string>(resolve => {
    session.once('Tracing.tracingComplete', ({ stream }) => resolve(stream ?? ''));
  });
  await session.send('Tracing.end');
  const handle = await complete;
  let text = '';
  for (let eof = false; !eof; ) {
    const part = await session.send('IO.read', { handle });
    text += part.base64Encoded ? Buffer.from(part.data, 'base64').toString('utf8') : part.data;
    eof = part.eof;
  }
  await session.send('IO.close', { handle });
  return (JSON.parse(text) as { traceEvents: TraceEvent[] }).traceEvents;
}

function threadsOf(events: readonly TraceEvent[], seconds: number): ThreadWork[] {
  const names = new Map<string, string>();
  const scripts = new Map<string, string>();
  const tasks = new Map<string, number[]>();
  for (const event of events) {
    const thread = `${event.pid} ${event.tid}`;
    if (event.ph === 'M' && event.name === 'thread_name') names.set(thread, event.args?.name ?? '');
    const { url, workerThreadId } = event.args?.data ?? {};
    if (event.name === 'TracingSessionIdForWorker') scripts.set(`${event.pid} ${workerThreadId}`, url ?? '');
    if (event.name !== 'RunTask' || event.tdur === undefined) continue;
    const known = tasks.get(thread);
    if (known) known.push(event.tdur);
    else tasks.set(thread, [event.tdur]);
  }
  return [...tasks]
    .map(([thread, durations]) => ({
      name: scripts.get(thread) ?? names.get(thread) ?? thread,
      msPerSecond: rounded(durations.reduce((sum, us) => sum + us, 0) / 1000 / seconds),
      longestTaskMs: rounded(durations.reduce((longest, us) => Math.max(longest, us), 0) / 1000),
    }))
    .sort((a, b) => b.msPerSecond - a.msPerSecond);
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
