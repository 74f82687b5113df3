/** Runs `run` in one tab of this browser at a time. Without Web Locks (old phones), only within this tab. */
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
