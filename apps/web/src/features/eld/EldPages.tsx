import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { DeskPage } from './DeskPage.tsx';

/** The desk loads at once, the other pages when someone opens them. */
const PAGES = {
  desk: DeskPage,
  drivers: lazyChunk(async () => (await import('./drivers/DriversPage.tsx')).DriversPage),
  performance: lazyChunk(async () => (await import('./performance/PerformancePage.tsx')).PerformancePage),
  log: lazyChunk(async () => (await import('./log/LogPage.tsx')).LogPage),
};

/** The carrier's logbook pages; they load separately from the rest of the app. */
export function Component({ page }: { readonly page: keyof typeof PAGES }) {
  const Page = PAGES[page];
  return <Page />;
}
