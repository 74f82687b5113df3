import { create } from 'zustand';

/** Chromium's event that offers to install the app. TypeScript's DOM types don't have it. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

interface Install {
  /** The browser's offer to install, until it is used or withdrawn [R2.21]. */
  readonly offer: InstallPromptEvent | null;
  readonly installed: boolean;
}

const TIP_KEY = 'install-tip';
const THIRTY_DAYS_MS = 30 * 86_400_000;

export const useInstall = create<Install>(() => ({ offer: null, installed: isStandalone() }));

function isStandalone(): boolean {
  const ios = 'standalone' in navigator && navigator.standalone === true;
  return ios || matchMedia('(display-mode: standalone)').matches;
}

/** iPadOS claims to be a Mac, but no Mac has a touch screen. */
export function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** Call this as early as possible: the browser makes its offer only once, soon after the page has loaded. */
export function startInstall(): void {
  window.addEventListener('beforeinstallprompt', event => {
    event.preventDefault();
    useInstall.setState({ offer: event as InstallPromptEvent });
  });
  window.addEventListener('appinstalled', () => useInstall.setState({ offer: null, installed: true }));
}

/** Accepts the browser's offer. Each offer can be used once; the browser decides when to make another. */
export async function acceptOffer(): Promise<void> {
  const { offer } = useInstall.getState();
  useInstall.setState({ offer: null });
  await offer?.prompt();
}

/** Whether to show the iOS tip: never after "Got it", not for 30 days after "Remind me" [R2.23]. */
export function isTipDue(nowMs: number, storage: Storage = localStorage): boolean {
  const until = storage.getItem(TIP_KEY);
  return until === null || (until !== 'never' && nowMs >= Number(until));
}

export function putTipOff(until: 'never' | 'later', nowMs: number, storage: Storage = localStorage): void {
  storage.setItem(TIP_KEY, until === 'never' ? 'never' : String(nowMs + THIRTY_DAYS_MS));
}
