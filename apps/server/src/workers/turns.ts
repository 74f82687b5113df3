/**
 * The most time that long work takes on the thread before others get a turn, in ms, so that acknowledgements are not
 * delayed much more.
 */
const TURN_MS = 4;
/** The number of items between checks of the clock. */
const ITEMS_BETWEEN_LOOKS = 16;

const waiting: (() => void)[] = [];
let isDue = false;

/**
 * Waits for a turn. Each turn of the event loop gives one, in the order of requests: all callers with long work
 * together take no more of the thread than one.
 */
export function turn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve);
    if (!isDue) setImmediate(next);
    isDue = true;
  });
}

function next(): void {
  waiting.shift()?.();
  isDue = waiting.length > 0;
  if (isDue) setImmediate(next);
}

/** For a loop over many items: call and await it before each, and others get their turn every few milliseconds. */
export function pauses(): () => Promise<void> | null {
  let [items, until] = [0, performance.now() + TURN_MS];
  return () => {
    if (++items % ITEMS_BETWEEN_LOOKS > 0 || performance.now() < until) return null;
    return turn().then(() => {
      until = performance.now() + TURN_MS;
    });
  };
}

/** Like `items.map`, a few milliseconds at a time. Short lists are mapped immediately. */
export async function mapInTurns<Item, Mapped>(items: readonly Item[], map: (item: Item) => Mapped): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  while (mapped.length < items.length) {
    if (items.length > ITEMS_BETWEEN_LOOKS) await turn();
    const until = performance.now() + TURN_MS;
    do {
      for (const item of items.slice(mapped.length, mapped.length + ITEMS_BETWEEN_LOOKS)) mapped.push(map(item));
    } while (mapped.length < items.length && performance.now() < until);
  }
  return mapped;
}

const later: (() => void)[] = [];
let isAtIt = false;

/** Runs the work in a turn, after earlier work: for thousands of small pieces. */
export function inTurns(work: () => void): void {
  later.push(work);
  if (!isAtIt) void doLater();
}

async function doLater(): Promise<void> {
  isAtIt = true;
  while (later.length > 0) {
    await turn();
    const until = performance.now() + TURN_MS;
    let done = 0;
    while (done < later.length && (done % ITEMS_BETWEEN_LOOKS > 0 || performance.now() < until)) later[done++]?.();
    later.splice(0, done);
  }
  isAtIt = false;
}
