/** What long work takes of the thread at a time, so that acknowledgements never wait for much more. */
const TURN_MS = 4;
/** Looked at the clock after so many. */
const ITEMS_BETWEEN_LOOKS = 16;

const waiting: (() => void)[] = [];
let isDue = false;

/**
 * Waits for a turn. There is one in each turn of the event loop, in the order in which they were asked for: however many
 * callers have long work, together they take no more of the thread than one.
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

/** Like `items.map`, a few milliseconds at a time. Short lists are done at once. */
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

/** Does it in a turn, behind what was handed in before: for what comes in thousands of small pieces. */
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
