import {
  DEFAULT_SETTINGS,
  latestPositions,
  listAlerts,
  listDepartments,
  listFolders,
  listSubscriptions,
  listVehicleMutes,
  type Me,
  NO_PREFERENCES,
  PERMISSIONS_OF_ROLE,
  readClientSettings,
  readMe,
  readRuleProgress,
  readSettings,
  readTenant,
  readTenantOfHost,
} from '@milepost/contract';
import { BrowserRouter } from 'react-router';
import { cleanup, render } from 'vitest-browser-react';
import { Providers } from '../src/app/Providers.tsx';
import { setAppearance } from '../src/base/appearance.ts';
import { setLanguage } from '../src/base/language/language.ts';
import { Spoken } from '../src/base/language/Spoken.tsx';
import { queryClient } from '../src/base/queries.ts';
import { beginSession, endSession, setMe, useSession } from '../src/base/session/session.ts';
import { forgetToasts } from '../src/base/toasts/toast.ts';
import { AppRoutes } from '../src/routes.tsx';
import { type Answer, answerWith, when } from './answers.ts';

/** The owner of an account, as the server answers `read_me`. */
export function someone(changes: Partial<Me> = {}): Me {
  const role = changes.role ?? 'owner';
  return {
    id: '0199c000-0000-7000-8000-000000000001',
    userName: 'nora.kessler',
    displayName: 'Nora Kessler',
    email: null,
    phone: null,
    gender: 0,
    image: null,
    role,
    customRole: null,
    permissions: [...PERMISSIONS_OF_ROLE[role]],
    scope: null,
    readOnly: false,
    duty: null,
    preferences: { ...NO_PREFERENCES, setupDone: [], setupSkipped: [] },
    account: { id: '0199c000-0000-7000-8000-000000000002', name: 'Rockfish Freight', demo: false, operator: true },
    messaging: { path: '/mqtt', clientIdPrefix: 'nora', userName: 'nora', password: 'messaging' },
    ...changes,
  };
}

/** Goes there as a link of the app does. Unsaved changes stop it. */
export function goTo(path: string): void {
  const { idx = 0 } = (history.state ?? {}) as { idx?: number };
  history.pushState({ usr: null, key: `test-${idx + 1}`, idx: idx + 1 }, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

/** What the frame around every page asks; a test's own answers win. */
const everywhere = (me: Me): readonly Answer[] => [
  when(readMe, me),
  when(readSettings, { settings: DEFAULT_SETTINGS }),
  when(readTenant, { tenant: null }),
  when(readTenantOfHost, { tenant: null }),
  when(readRuleProgress, { behindSeconds: 0 }),
  when(listVehicleMutes, []),
  when(listFolders, []),
  when(listDepartments, []),
  when(listSubscriptions, []),
  when(latestPositions, []),
  when(listAlerts, { alerts: [], unacknowledged: { critical: 0, warning: 0, info: 0 } }),
  when(readClientSettings, {
    version: '0.0.0',
    appName: 'Milepost',
    demo: false,
    demoVisit: false,
    needsOwner: false,
    signOn: null,
  }),
];

/**
 * Opens a page of the app as a link in a new browser does: with the app's own router, providers, texts and styles, signed
 * in as `me` (null: a guest). The server is the table of answers; there are no sockets.
 */
export async function open(
  path: string,
  answers: readonly Answer[] = [],
  { me = someone() }: { readonly me?: Me | null } = {},
): Promise<void> {
  // In a test that opens a second page, the first would stay beside it.
  await cleanup();
  answerWith([...everywhere(me ?? someone()), ...answers]);
  await startAnew(me);
  history.replaceState(null, '', path);
  const root = document.body.appendChild(Object.assign(document.createElement('div'), { id: 'root' }));
  await render(
    // Without the strict mode, which in a development build runs effects twice; a built app runs them once.
    <Providers>
      <BrowserRouter>
        <Spoken>
          <AppRoutes />
        </Spoken>
      </BrowserRouter>
    </Providers>,
    { container: root },
  );
}

async function startAnew(me: Me | null): Promise<void> {
  if (useSession.getState().token !== null) endSession('signed-out');
  useSession.setState({ end: null });
  localStorage.clear();
  sessionStorage.clear();
  queryClient.removeQueries({ queryKey: ['client-settings'] });
  forgetToasts();
  setAppearance('light');
  await setLanguage('en-US');
  if (!me) return;
  sessionStorage.setItem('loginNotified', '1');
  beginSession('token');
  setMe(me);
}
