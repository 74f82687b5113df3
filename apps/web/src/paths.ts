import type { RuleWord } from '@milepost/contract';

/** Every address of the app is built here and nowhere else. */

const RETURN_PARAMETER = 'from';
const RECOVERY_PARAMETER = 'recover';
/** Asks the map to follow the vehicle that it shows. */
export const FOLLOW_PARAMETER = 'follow';
/** Id of the item open beside a list. */
export const OPEN_PARAMETER = 'open';

/** The driver whose ledger is read. */
export const LEDGER_OF = 'driver';

/** What a replay shows; what is left out is the page's choice. */
export interface ReplayAddress {
  /** By their IDs. */
  readonly vehicles?: readonly string[];
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly atMs?: number;
  readonly speed?: number;
  /** With the evidence pack offered. */
  readonly pack?: boolean;
}

/** To the second, which is as exact as a replay's clock. */
const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The moment of the past that the dashboard or the fleet shows. */
export const AT_PARAMETER = 'at';

/** The word or channel of a rule whose fields open with it. */
export const EDIT_PARAMETER = 'edit';
export type RuleEditor = RuleWord | 'push' | 'webhooks';

export const paths = {
  dashboard: () => '/',
  /** The map with this vehicle as the current one. */
  vehicleOnMap: (imei: string) => `/?vehicle=${encodeURIComponent(imei)}`,
  /** The fleet at a moment of the past, with this vehicle as the current one. */
  dashboardAt: (atMs: number, imei?: string) =>
    `/?${AT_PARAMETER}=${instant(atMs)}${imei === undefined ? '' : `&vehicle=${encodeURIComponent(imei)}`}`,
  followedOnMap: (imei: string) => `/?vehicle=${encodeURIComponent(imei)}&${FOLLOW_PARAMETER}=1`,
  /** A list with one of its entries open beside it. */
  opened: (list: string, id: string) => `${list}?${OPEN_PARAMETER}=${encodeURIComponent(id)}`,
  /** The fleet, or the vehicles its address searches for (`search-tokens`). */
  fleet: (search = '', view: Readonly<Record<string, string>> = {}) => {
    const query = Object.entries({ q: search, ...view }).filter(([, value]) => value !== '');
    return ['/fleet', query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')]
      .filter(Boolean)
      .join('?');
  },
  /** These vehicles selected on the map. */
  vehiclesOnMap: (imeis: readonly string[]) => `/?selected=${imeis.map(encodeURIComponent).join(',')}`,
  overview: () => '/overview',
  /** One report, and all that it is asked for; without a name the first. */
  reports: (key?: string, query = '') =>
    `/reports${key === undefined ? '' : `/${key}`}${query === '' ? '' : `?${query}`}`,
  /** The past of these vehicles. */
  replay: ({ vehicles = [], fromMs, toMs, atMs, speed, pack }: ReplayAddress = {}) => {
    const parts = [
      vehicles.length > 0 && `vehicles=${vehicles.map(encodeURIComponent).join(',')}`,
      fromMs !== undefined && `from=${instant(fromMs)}`,
      toMs !== undefined && `to=${instant(toMs)}`,
      atMs !== undefined && `at=${instant(atMs)}`,
      speed !== undefined && `speed=${speed}`,
      pack && 'pack=1',
    ].filter(Boolean);
    return ['/replay', parts.join('&')].filter(Boolean).join('?');
  },
  alerts: () => '/alerts',
  /** The specification's spelling. */
  geofence: () => '/geo-fence',
  /** What the account is alerted about; `new` with a geofence begins a rule about it. */
  rules: () => '/rules',
  /** A rule with the fields of one of its words open. */
  ruleEditor: (id: string, editor: RuleEditor) =>
    `/rules?${OPEN_PARAMETER}=${encodeURIComponent(id)}&${EDIT_PARAMETER}=${editor}`,
  newRuleFor: (geofenceId: string) => `/rules?${OPEN_PARAMETER}=new&geofence=${encodeURIComponent(geofenceId)}`,
  /** The tasks of drivers. */
  dispatch: () => '/dispatch',
  /** Those of a vehicle, found by its name. */
  tasksOf: (deviceName: string) => `/dispatch?q=${encodeURIComponent(deviceName)}`,
  assets: () => '/assets',
  personal: () => '/personal',
  /** Who looked at the signed-in driver. */
  myPrivacy: () => '/personal/privacy',
  /** Who looked at another driver. */
  ledgerOf: (driverId: string) => `/personal/privacy?${LEDGER_OF}=${encodeURIComponent(driverId)}`,
  /** The desk of the logbook; for a driver their own log. */
  eld: () => '/eld',
  /** The desk with only the drivers of one of its counters. */
  eldShowing: (shown: 'violation' | 'soon' | 'uncertified') => `/eld?show=${shown}`,
  eldUnidentified: () => '/eld?tab=unidentified',
  /** Where the code in a vehicle leads: the driver's log, with that vehicle to sign in to. */
  eldSignIn: (vehicleId: string) => `/eld?vehicle=${encodeURIComponent(vehicleId)}`,
  /** The file itself, for an officer who scans its code; answered by the server (`readHandedFile`). */
  handedFile: (token: string) => `/api/v1/handed_file/${encodeURIComponent(token)}`,
  eldDrivers: () => '/eld/drivers',
  /** The own log of someone who works at the desk and drives as well. */
  eldOwn: () => '/eld/own',
  eldOwnLog: () => '/eld/own?view=log',
  /** One driver's log, of a day or of the newest. */
  eldLog: (driverId: string, date?: string) => `/eld/drivers/${driverId}${date === undefined ? '' : `?date=${date}`}`,
  eldPerformance: () => '/eld/performance',
  myPerformance: () => '/eld/my-performance',
  users: () => '/users',
  /** One's own things, and one section of them. */
  profile: (section?: string) => (section === undefined ? '/profile' : `/profile/${section}`),
  /** What has to be done before anything else; then it goes on to `from`. */
  welcome: (from?: string) =>
    from && from !== '/' ? `/welcome?${RETURN_PARAMETER}=${encodeURIComponent(from)}` : '/welcome',
  /** `from` is where the user wanted to go [R2.18]. */
  login: (from?: string) =>
    from && from !== '/' ? `/login?${RETURN_PARAMETER}=${encodeURIComponent(from)}` : '/login',
  /** Goes on to the identity provider, and is where the provider comes back to. */
  signOn: (from?: string) =>
    from && from !== '/' ? `/sign-on?${RETURN_PARAMETER}=${encodeURIComponent(from)}` : '/sign-on',
  /** On the login page; afterwards it goes on to `from`, as signing in does. */
  recovery: (from?: string) =>
    `/login?${RECOVERY_PARAMETER}=1${from && from !== '/' ? `&${RETURN_PARAMETER}=${encodeURIComponent(from)}` : ''}`,
  /** One section of them; without a name the first, or on a phone the list. */
  /** Where positions of a vehicle's private time are opened in an emergency. */
  hiddenPositions: (vehicleId: string) => `/settings/privacy?vehicle=${vehicleId}`,
  settings: (section?: string) => (section === undefined ? '/settings' : `/settings/${section}`),
  /** Every link that shares vehicles; what one of them shows is `shared`. */
  shareLinks: () => '/share-links',
  /** The first start of an installation. */
  setup: () => '/setup',
  demo: () => '/demo',
  /** A link's content. Its token is after the `#`, so it reaches no server log. */
  shared: () => '/s',
} as const;

/** The token of a link that leads to the login page: an invitation, or an e-mail address to confirm. */
export const linkToken = (hash: string, kind: 'invitation' | 'email' | 'owner'): string | null =>
  new URLSearchParams(hash.slice(1)).get(kind);

/** Whether someone on the login page has forgotten their password. */
export const isRecovery = (search: string): boolean => new URLSearchParams(search).has(RECOVERY_PARAMETER);

/** The page to return to after signing in. Only an address of this app: `//elsewhere` or `https://…` would leave it. */
export function returnPath(search: string): string {
  const from = new URLSearchParams(search).get(RETURN_PARAMETER);
  if (!from?.startsWith('/')) return paths.dashboard();
  const here = 'https://app.invalid';
  const url = URL.canParse(from, here) ? new URL(from, here) : null;
  if (!url || url.origin !== here || /^\/(login|sign-on)$/.test(url.pathname)) return paths.dashboard();
  return url.pathname + url.search + url.hash;
}
