import { Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { PageBoundary } from './app/PageBoundary.tsx';
import { PageReady } from './app/PageReady.tsx';
import { BarePage } from './app/shell/BarePage.tsx';
import { Start } from './app/shell/Start.tsx';
import { loadForThisWidth } from './app/shell/wide-parts.ts';
import { lazyChunk } from './base/chunks/load-chunk.ts';
import { withTexts } from './base/chunks/with-texts.ts';
import { RequireSession } from './base/session/RequireSession.tsx';
import { useSession } from './base/session/session.ts';
import { paths } from './paths.ts';

/** Texts of more than one page. */
const alerts = () => import('@milepost/contract/texts/en-US/alerts.json');
const audit = () => import('@milepost/contract/texts/en-US/audit.json');
const documents = () => import('@milepost/contract/texts/en-US/documents.json');
const geofence = () => import('./locales/en-US/geofence.json');
const notifications = () => import('./locales/en-US/notifications.json');
const organisation = () => import('./locales/en-US/organisation.json');
const overview = () => import('./locales/en-US/overview.json');
const people = () => import('./locales/en-US/people.json');
const privacy = () => import('./locales/en-US/privacy.json');
const profile = () => import('./locales/en-US/profile.json');
const rules = () => import('./locales/en-US/rules.json');
const settings = () => import('./locales/en-US/settings.json');

const loadDashboard = () => import('./features/dashboard/DashboardPage.tsx');
const DashboardPage = withTexts(loadDashboard, { dashboard: () => import('./locales/en-US/dashboard.json') });
const AlertsPage = withTexts(() => import('./features/alerts/AlertsPage.tsx'), {
  alerts,
});
const OverviewPage = withTexts(() => import('./features/overview/OverviewPage.tsx'), {
  overview,
});
const ReportsPage = withTexts(() => import('./features/reports/ReportsPage.tsx'), {
  reports: () => import('./locales/en-US/reports.json'),
});
const ReplayPage = withTexts(() => import('./features/replay/ReplayPage.tsx'), {
  alerts,
  replay: () => import('./locales/en-US/replay.json'),
});
const AssetsPage = withTexts(() => import('./features/assets/AssetsPage.tsx'), {
  assets: () => import('./locales/en-US/assets.json'),
  audit,
  documents,
  organisation,
});
const FleetPage = withTexts(() => import('./features/fleet/FleetPage.tsx'), {
  documents,
  fleet: () => import('./locales/en-US/fleet.json'),
  logbook: () => import('./locales/en-US/logbook.json'),
  overview,
  organisation,
  searchTokens: () => import('./locales/en-US/search-tokens.json'),
});
const DispatchPage = withTexts(() => import('./features/dispatch/DispatchPage.tsx'), {
  dispatch: () => import('./locales/en-US/dispatch.json'),
  tasks: () => import('./locales/en-US/tasks.json'),
});
const GeofencePage = withTexts(() => import('./features/geofence/GeofencePage.tsx'), {
  alerts,
  geofence,
  visits: () => import('./locales/en-US/visits.json'),
  rules,
});
const RulesPage = withTexts(() => import('./features/rules/RulesPage.tsx'), {
  alerts,
  rules,
  geofence,
  vehicleMutes: () => import('./locales/en-US/vehicle-mutes.json'),
});
const PersonalPage = withTexts(() => import('./features/personal/PersonalPage.tsx'), {
  audit,
  documents,
  logbook: () => import('./locales/en-US/logbook.json'),
  organisation,
  personal: () => import('./locales/en-US/personal.json'),
  tasks: () => import('./locales/en-US/tasks.json'),
});
const PrivacyPage = withTexts(() => import('./features/personal/privacy/PrivacyPage.tsx'), { privacy });
const EldPages = withTexts(() => import('./features/eld/EldPages.tsx'), {
  eld: () => import('./locales/en-US/eld.json'),
  hosRules: () => import('@milepost/contract/texts/en-US/hos-rules.json'),
  logbook: () => import('./locales/en-US/logbook.json'),
});
const loadDriverPage = () => import('./features/eld-driver/DriverPage.tsx');
const DriverPage = withTexts(loadDriverPage, {
  eldDriver: () => import('./locales/en-US/eld-driver.json'),
});
const UsersPage = withTexts(() => import('./features/users/UsersPage.tsx'), {
  audit,
  people,
  users: () => import('./locales/en-US/users.json'),
});
const ShareLinksPage = withTexts(() => import('./features/share-links/ShareLinksPage.tsx'), {
  shareLinks: () => import('./locales/en-US/share-links.json'),
  sharing: () => import('./locales/en-US/sharing.json'),
});
const ProfilePage = withTexts(() => import('./features/profile/ProfilePage.tsx'), {
  alerts,
  notifications,
  people,
  profile,
});
const WelcomePage = withTexts(() => import('./features/profile/welcome/WelcomePage.tsx'), {
  profile,
});
const SetupPage = withTexts(() => import('./features/setup/SetupPage.tsx'), {
  addVehicle: () => import('./locales/en-US/add-vehicle.json'),
  notifications,
  profile,
  settings,
  setup: () => import('./locales/en-US/setup.json'),
});
const LoginPage = withTexts(() => import('./features/login/LoginPage.tsx'), {
  login: () => import('./locales/en-US/login.json'),
});
const SignOnPage = withTexts(() => import('./features/login/SignOnPage.tsx'), {
  login: () => import('./locales/en-US/login.json'),
  signOn: () => import('./locales/en-US/sign-on.json'),
});
const SettingsPage = withTexts(() => import('./features/settings/SettingsPage.tsx'), {
  alerts,
  audit,
  notifications,
  privacy,
  settings,
});
const DemoPage = withTexts(() => import('./features/demo/DemoPage.tsx'), {
  demo: () => import('./locales/en-US/demo.json'),
});
const SharedPage = withTexts(() => import('./features/shared/SharedPage.tsx'), {
  shared: () => import('./locales/en-US/shared.json'),
});
const NotFoundPage = withTexts(() => import('./features/not-found/NotFoundPage.tsx'), {
  notFound: () => import('./locales/en-US/not-found.json'),
});

const Shell = lazyChunk(async () => {
  // Side by side: the page inside would otherwise be asked for only once the shell is there.
  const isDriver = useSession.getState().me?.role === 'driver';
  const isStart = location.pathname === paths.dashboard();
  if (isDriver && (isStart || location.pathname === paths.eld())) loadDriverPage().catch(() => {});
  else if (isStart) loadDashboard().catch(() => {});
  const [{ Shell }] = await Promise.all([import('./app/shell/Shell.tsx'), loadForThisWidth()]);
  return Shell;
});

/** Every page of the app comes in its own chunk. A line stands here only once its page exists. */
export function AppRoutes() {
  const signedIn = useSession(session => session.token !== null);
  const isVisitor = useSession(({ token, me }) => token !== null && me?.readOnly === true);
  const isDriver = useSession(({ me }) => me?.role === 'driver');
  const { pathname } = useLocation();
  return (
    <PageBoundary place={pathname}>
      <Suspense>
        <Routes>
          <Route element={<RequireSession />}>
            <Route path={paths.welcome()} element={<WelcomePage />} />
            <Route path={paths.setup()} element={<SetupPage />} />
            <Route element={<Shell />}>
              <Route
                path={paths.dashboard()}
                element={
                  <Start>
                    <DashboardPage />
                  </Start>
                }
              />
              <Route path={paths.fleet()} element={<FleetPage />} />
              <Route path={paths.dispatch()} element={<DispatchPage />} />
              <Route path={paths.alerts()} element={<AlertsPage />} />
              <Route path={paths.overview()} element={<OverviewPage />} />
              <Route path={paths.reports(':key?')} element={<ReportsPage />} />
              <Route path={paths.replay()} element={<ReplayPage />} />
              <Route path={paths.assets()} element={<AssetsPage />} />
              <Route path={paths.geofence()} element={<GeofencePage />} />
              <Route path={paths.rules()} element={<RulesPage />} />
              <Route path={paths.personal()} element={<PersonalPage />} />
              <Route path={paths.myPrivacy()} element={<PrivacyPage />} />
              <Route path={paths.eld()} element={isDriver ? <DriverPage /> : <EldPages page="desk" />} />
              <Route path={paths.eldOwn()} element={<DriverPage />} />
              <Route path={paths.eldDrivers()} element={<EldPages page="drivers" />} />
              <Route path={paths.eldPerformance()} element={<EldPages page="performance" />} />
              <Route path={paths.myPerformance()} element={<EldPages page="mine" />} />
              <Route path={paths.eldLog(':id')} element={<EldPages page="log" />} />
              <Route path={paths.settings(':section?')} element={<SettingsPage />} />
              <Route path={paths.users()} element={<UsersPage />} />
              <Route path={paths.shareLinks()} element={<ShareLinksPage />} />
              <Route path={paths.profile(':section?')} element={<ProfilePage />} />
            </Route>
          </Route>
          <Route path={paths.login()} element={<LoginPage />} />
          <Route path={paths.signOn()} element={<SignOnPage />} />
          <Route element={isVisitor ? <Shell /> : <BarePage />}>
            <Route path={paths.demo()} element={<DemoPage />} />
          </Route>
          <Route path={paths.shared()} element={<SharedPage />} />
          {/* Inside the shell for who is signed in, alone for who is not. */}
          <Route element={signedIn ? <Shell /> : <BarePage />}>
            <Route path="*" element={<NotFoundPage />} />
          </Route>
        </Routes>
        <PageReady />
      </Suspense>
    </PageBoundary>
  );
}
