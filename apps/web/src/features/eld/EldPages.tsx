import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { DeskPage } from './DeskPage.tsx';

/** The desk comes at once, the others when someone opens them. */
const PAGES = {
  desk: DeskPage,
  drivers: lazyChunk(async () => (await import('./drivers/DriversPage.tsx')).DriversPage),
  performance: lazyChunk(async () => (await import('./performance/PerformancePage.tsx')).PerformancePage),
  log: lazyChunk(async () => (await import('./log/LogPage.tsx')).LogPage),
};

/** The pages of the logbook for the carrier, in one chunk of their own. */
export function Component({ page }: { readonly page: keyof typeof PAGES }) {
  const Page = PAGES[page];
  return <Page />;
}
