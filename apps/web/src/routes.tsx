import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { addTexts } from './app/i18n.ts';
import { PageBoundary } from './app/PageBoundary.tsx';
import { PageReady } from './app/PageReady.tsx';
import { RequireSession } from './app/session/RequireSession.tsx';
import { useSession } from './app/session/session.ts';
import { Alone } from './app/shell/Alone.tsx';
import type { PageTexts } from './locales/en-US/resources.ts';
import { paths } from './paths.ts';

interface PageModule {
  readonly Component: ComponentType;
}

/** A page comes in its own chunk, as the export `Component` of its module, side by side with its texts. */
function page<N extends keyof PageTexts>(
  load: () => Promise<PageModule>,
  namespace: N,
  loadTexts: () => Promise<{ readonly default: PageTexts[N] }>,
) {
  return lazy(async () => {
    const [{ Component }, { default: texts }] = await Promise.all([load(), loadTexts()]);
    addTexts(namespace, texts);
    return { default: Component };
  });
}

const loadDashboard = () => import('./features/dashboard/DashboardPage.tsx');
const DashboardPage = page(loadDashboard, 'dashboard', () => import('./locales/en-US/dashboard.json'));
const LoginPage = page(
  () => import('./features/login/LoginPage.tsx'),
  'login',
  () => import('./locales/en-US/login.json'),
);
const NotFoundPage = page(
  () => import('./features/not-found/NotFoundPage.tsx'),
  'notFound',
  () => import('./locales/en-US/not-found.json'),
);

const Shell = lazy(async () => {
  // Side by side: the page inside would otherwise be asked for only once the shell is there.
  void loadDashboard();
  return { default: (await import('./app/shell/Shell.tsx')).Shell };
});

/** Every page of the app. A line stands here only once its page exists. */
export function AppRoutes() {
  const signedIn = useSession(session => session.token !== null);
  const { pathname } = useLocation();
  return (
    <PageBoundary place={pathname}>
      <Suspense>
        <Routes>
          <Route element={<RequireSession />}>
            <Route element={<Shell />}>
              <Route path={paths.dashboard()} element={<DashboardPage />} />
            </Route>
          </Route>
          <Route path={paths.login()} element={<LoginPage />} />
          {/* Inside the shell for who is signed in, alone for who is not. */}
          <Route element={signedIn ? <Shell /> : <Alone />}>
            <Route path="*" element={<NotFoundPage />} />
          </Route>
        </Routes>
        <PageReady />
      </Suspense>
    </PageBoundary>
  );
}
