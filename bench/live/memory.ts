import type { Page } from 'playwright-core';
import { memoryOf } from '../processes.ts';

/** A page's memory, in megabytes: its own heap after a collection, and its whole process, including workers. */
export interface PageMemory {
  readonly heap: number;
  readonly process: number;
}

/** The page's process is its browser's busiest renderer. */
export async function pageMemory(page: Page): Promise<PageMemory> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const browser = page.context().browser();
  const whole = await browser?.newBrowserCDPSession();
  const { processInfo } = (await whole?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
  await whole?.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryOf(id).now);
  return { heap: Math.round(usedSize / 1024 / 1024), process: Math.max(0, ...renderers) };
}
