import type { Page } from 'playwright-core';
import { nextFrame } from './browser.ts';

interface Stop {
  readonly name: string;
  /** Its position in the tab order, from 0. */
  readonly place: number;
  readonly troubles: readonly string[];
}

/** More tab stops than any page has; a longer walk goes in circles. */
const MOST_STOPS = 400;
const PATIENCE = 20;

/**
 * Walks a page with Tab until it is back at the first stop. Returns problems: stops without visible focus (WCAG 2.4.7),
 * out of view or covered (2.4.11), or that trap the focus (2.1.2).
 */
export async function troublesOfTabbing(page: Page, mostStops = MOST_STOPS): Promise<string[]> {
  const troubles = (await isWalkedAtOnce(page, mostStops)) ? [] : await walk(page, mostStops);
  // Hide anything that shows only with the focus, such as a skip link.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  return troubles;
}

/** Tab presses that are sent without looking at the page in between. */
const AT_ONCE = 20;

/**
 * Whether a walk without a wait between stops comes round and finds nothing, as on most pages. Otherwise the page gets
 * time at each stop, in a walk of its own.
 */
async function isWalkedAtOnce(page: Page, mostStops: number): Promise<boolean> {
  await page.evaluate(`
    const focusedStop = ${focusedStop};
    const walked = [];
    const note = () => {
      let stop = focusedStop();
      if (stop?.troubles.length > 0) {
        // A focus ring that fades in is judged as it ends.
        for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
        stop = focusedStop();
      }
      if (stop !== null && stop.place !== walked.at(-1)?.place) walked.push(stop);
    };
    Object.assign(window, { tabStops: [], walked, stopNoting: () => removeEventListener('keydown', note, true) });
    addEventListener('keydown', note, true);
  `);
  let isRound = false;
  let isFine = true;
  for (let presses = 0; presses < mostStops && isFine && !isRound; presses += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => page.keyboard.down('Tab')));
    const stops = await page.evaluate(() => (window as unknown as { walked: Stop[] }).walked);
    const again = stops.findIndex(({ place }, index) => place < index);
    isRound = again > 0 && stops[again]?.place === 0;
    isFine = (again === -1 || isRound) && stops.every(({ troubles }) => troubles.length === 0);
  }
  await page.keyboard.up('Tab');
  await page.evaluate(() => {
    (window as unknown as { stopNoting: () => void }).stopNoting();
    (document.activeElement as HTMLElement | null)?.blur();
  });
  return isRound && isFine;
}

async function walk(page: Page, mostStops: number): Promise<string[]> {
  const troubles: string[] = [];
  let stops = 0;
  let last: number | null = null;
  await page.evaluate(() => Object.assign(window, { tabStops: [] }));
  for (let presses = 0; presses < mostStops; presses++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focusedStop);
    // Between the last and the first stop, the browser itself has the focus.
    if (stop === null) last = null;
    // A date field has a stop for each of its parts.
    if (stop === null || stop.place === last) continue;
    last = stop.place;
    if (stop.place < stops) return stop.place === 0 ? troubles : [...troubles, `${stop.name}: Tab leads back here`];
    stops++;
    // A focus ring may still fade in; if it isn't there after some frames, it won't come.
    let seen: Stop | null = stop;
    for (let frames = 0; seen !== null && seen.troubles.length > 0 && frames < PATIENCE; frames++) {
      await nextFrame(page);
      seen = await page.evaluate(focusedStop);
    }
    troubles.push(...(seen?.troubles ?? []).map(trouble => `${stop.name}: ${trouble}`));
  }
  return [...troubles, 'Tab never comes round'];
}

/** Runs in the page. */
function focusedStop(): Stop | null {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const { tabStops } = window as unknown as { tabStops: Element[] };
  if (!tabStops.includes(element)) tabStops.push(element);

  // A checkbox may be drawn by the element around it.
  const isDrawnByOthers = element.getBoundingClientRect().width < 4 || getComputedStyle(element).opacity === '0';
  const label = element.closest('label') ?? (element instanceof HTMLInputElement ? element.labels?.[0] : undefined);
  const shown = isDrawnByOthers ? (label ?? element.parentElement ?? element) : element;
  const around = [
    element,
    element.nextElementSibling,
    label,
    element.parentElement,
    element.parentElement?.parentElement,
  ];
  const isRing = (candidate: Element | null | undefined): boolean => {
    if (!candidate) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(candidate);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !/, 0\)$|transparent/.test(outlineColor);
  };

  const parts = [0.5, 0.1, 0.9];
  // A link in a text may start on one line and end on the next.
  const isSeen = [...shown.getClientRects()].some(({ left, top, width, height }) =>
    parts.some(x =>
      parts.some(y => {
        const hit = document.elementFromPoint(left + width * x, top + height * y);
        return hit !== null && (shown.contains(hit) || label?.contains(hit) === true);
      }),
    ),
  );
  return {
    name: `<${element.tagName.toLowerCase()}> ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`,
    place: tabStops.indexOf(element),
    troubles: [...(around.some(isRing) ? [] : ['shows no focus']), ...(isSeen ? [] : ['is not in view'])],
  };
}
