import './app/theme/fonts.css';
import './app/theme/tokens.css';
import './app/theme/base.css';
import './app/splash/splash.css';
import './ui/tooltip.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { startAlerts } from './alerts/start-alerts.ts';
import { startAppearance } from './app/appearance.ts';
import { startConnectivity } from './app/connectivity/connectivity.ts';
import { startI18n } from './app/i18n.ts';
import { startInstall } from './app/install/install.ts';
import { browserLanguage, startLanguage } from './app/language/language.ts';
import { Spoken } from './app/language/Spoken.tsx';
import { Providers } from './app/Providers.tsx';
import { startPwa } from './app/pwa/start-pwa.ts';
import { startPreferences } from './app/session/preferences.ts';
import { useSession } from './app/session/session.ts';
import { startSubscriptions } from './app/session/subscriptions.ts';
import { startTenant } from './app/tenant/tenant.ts';
import { startSockets } from './changes/start-sockets.ts';
import { startLive } from './live/start-live.ts';
import { startOrganisation } from './organisation/start-organisation.ts';
import { paths } from './paths.ts';
import { AppRoutes } from './routes.tsx';
import { dismissTooltipsOnEscape } from './ui/dismiss-tooltips.ts';

startAppearance();
startI18n();
// Before the first render: nobody reads a language that they did not choose, not even for a moment.
await startLanguage(
  useSession.getState().me?.preferences.language ?? null,
  location.pathname === paths.shared() ? browserLanguage() : null,
).catch(() => {});
startInstall();
startConnectivity();
startTenant();
startPreferences();
startSubscriptions();
startLive();
startSockets();
startAlerts();
startOrganisation();
void startPwa();
dismissTooltipsOnEscape(document.documentElement);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element');
createRoot(root).render(
  <StrictMode>
    <Providers>
      <BrowserRouter>
        <Spoken>
          <AppRoutes />
        </Spoken>
      </BrowserRouter>
    </Providers>
  </StrictMode>,
);
