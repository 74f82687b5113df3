import { may } from '@milepost/contract';
import { Navigate, useLocation } from 'react-router';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { useSession } from '../../base/session/session.ts';
import { paths } from '../../paths.ts';
import { DeskPage } from './DeskPage.tsx';

/** The desk loads at once, the other pages when someone opens them. */
const PAGES = {
  desk: DeskPage,
  drivers: lazyChunk(async () => (await import('./drivers/DriversPage.tsx')).DriversPage),
  performance: lazyChunk(async () => (await import('./performance/PerformancePage.tsx')).PerformancePage),
  mine: lazyChunk(async () => (await import('./performance/MyPerformancePage.tsx')).MyPerformancePage),
  log: lazyChunk(async () => (await import('./log/LogPage.tsx')).LogPage),
};

/** The carrier's logbook pages; they load separately from the rest of the app. */
export function Component({ page }: { readonly page: keyof typeof PAGES }) {
  const { search } = useLocation();
  const hasOwnLog = useSession(({ me }) => me !== null && may(me, 'logbook.own'));
  const seesDrivers = useSession(({ me }) => me !== null && may(me, 'logbook.read'));
  // Someone at the desk who drives as well scanned the code in a vehicle (`paths.eldSignIn`).
  if (page === 'desk' && hasOwnLog && new URLSearchParams(search).has('vehicle')) {
    return <Navigate to={paths.eldOwn() + search} replace />;
  }
  if (page === 'performance' && hasOwnLog && !seesDrivers) return <Navigate to={paths.myPerformance()} replace />;
  const Page = PAGES[page];
  return <Page />;
}
