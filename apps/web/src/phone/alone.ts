/** Runs one at a time in all tabs of this browser. Without Web Locks (an old phone), in this tab. */
export async function alone(name: string, run: () => Promise<void>): Promise<void> {
  if (globalThis.navigator?.locks) {
    await navigator.locks.request(name, run);
    return;
  }
  const before = turns.get(name) ?? Promise.resolve();
  const mine = before.catch(() => {}).then(run);
  turns.set(name, mine);
  await mine;
}

const turns = new Map<string, Promise<void>>();
