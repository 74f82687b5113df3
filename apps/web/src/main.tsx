import './base/theme/fonts.css';
import './base/theme/tokens.css';
import './base/theme/base.css';
import './app/splash/splash.css';
import './ui/tooltip.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { startInstall } from './app/install/install.ts';
import { Providers } from './app/Providers.tsx';
import { startSignedIn } from './app/start-signed-in.ts';
import { startAppearance } from './base/appearance.ts';
import { loadChunk } from './base/chunks/load-chunk.ts';
import { startConnectivity } from './base/connectivity.ts';
import { startI18n } from './base/i18n.ts';
import { browserLanguage, startLanguage } from './base/language/language.ts';
import { loadProblemTexts } from './base/language/problem-texts.ts';
import { Spoken } from './base/language/Spoken.tsx';
import { startPreferences } from './base/session/preferences.ts';
import { useSession } from './base/session/session.ts';
import { startSubscriptions } from './base/session/subscriptions.ts';
import { startTenant } from './base/tenant/tenant.ts';
import { paths } from './paths.ts';
import { AppRoutes } from './routes.tsx';
import { dismissTooltipsOnEscape } from './ui/dismiss-tooltips.ts';
import { showFocusWhole } from './ui/show-focus-whole.ts';

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
startSignedIn();
dismissTooltipsOnEscape(document.documentElement);
showFocusWhole();

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

// No page waits for it.
loadChunk(() => import('./app/pwa/start-pwa.ts'))
  .then(({ startPwa }) => startPwa())
  .catch(() => {});

// If they can't be loaded, the server's own English words are shown.
loadProblemTexts().catch(() => {});
