import '../src/base/theme/fonts.css';
import '../src/base/theme/tokens.css';
import '../src/base/theme/base.css';
import '../src/ui/tooltip.css';
import { afterEach, expect } from 'vitest';
import { page } from 'vitest/browser';
import { startAppearance } from '../src/base/appearance.ts';
import { startI18n } from '../src/base/i18n.ts';
import { loadProblemTexts } from '../src/base/language/problem-texts.ts';
import { startPreferences } from '../src/base/session/preferences.ts';
import { startSubscriptions } from '../src/base/session/subscriptions.ts';
import { useToasts } from '../src/base/toasts/toast.ts';
import { followSession } from '../src/organisation/organisation.ts';
import { dismissTooltipsOnEscape } from '../src/ui/dismiss-tooltips.ts';
import { showFocusWhole } from '../src/ui/show-focus-whole.ts';
import { answerCalls, takeWrong } from './answers.ts';

/** What `main.tsx` starts, without sockets, service worker and watch on the connection. */
async function start(): Promise<void> {
  answerCalls();
  startAppearance();
  startI18n();
  startPreferences();
  startSubscriptions();
  followSession();
  dismissTooltipsOnEscape(document.documentElement);
  showFocusWhole();
  leaveMapsOut();
  letClicksThroughToasts();
  showNewestToast();
  await loadProblemTexts();
}
await start();

afterEach(async () => {
  // The next file of this browser starts as a new visitor.
  localStorage.clear();
  sessionStorage.clear();
  expect(takeWrong()).toEqual([]);
  await page.viewport(1440, 900);
});

/** Without a graphics card, the map is the most expensive part of a page; component tests assert nothing of it. */
function leaveMapsOut(): void {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...rest]);
  } as typeof getContext;
}

/** Toasts close after 5 seconds. A user waits or closes them; waiting in tests would prove nothing. */
function letClicksThroughToasts(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :is([role='status'], [role='alert']) > [data-tone] { pointer-events: none }
    :is([role='status'], [role='alert']) > [data-tone] > button:not([aria-label]) { pointer-events: auto }
  `);
  document.adoptedStyleSheets.push(sheet);
}

/** In place of the older ones, behind which it would wait. */
function showNewestToast(): void {
  useToasts.subscribe(({ queue }) => {
    if (queue.length > 1) useToasts.setState({ queue: queue.slice(-1) });
  });
}
