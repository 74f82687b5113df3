import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { borrowPage } from './support/contexts.ts';
import { launchBrowser } from './support/launch.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';

let milepost: Milepost;
beforeAll(async () => {
  milepost = await startMilepost();
});
afterAll(async () => {
  await (await launchBrowser()).close();
  await milepost?.close();
});

async function borrow() {
  const browser = await launchBrowser();
  const borrowed = await borrowPage(browser, { baseURL: milepost.url, serviceWorkers: 'block' });
  const response = await borrowed.page.goto('/login');
  return { ...borrowed, browser, status: response?.status() };
}

describe('a borrowed page', () => {
  it('is in the context of the page before, with everything stored by that one gone', async () => {
    const first = await borrow();
    await first.page.evaluate(async () => {
      localStorage.setItem('left', 'behind');
      sessionStorage.setItem('left', 'behind');
      await cookieStore.set('left', 'behind');
      await caches.open('left behind');
      await new Promise(done => {
        indexedDB.open('left behind').onsuccess = ({ target }) => {
          (target as IDBOpenDBRequest).result.close();
          done(null);
        };
      });
    });
    await first.page.reload();
    await first.giveBack();
    const contexts = first.browser.contexts().length;
    const second = await borrow();
    expect(second.status).toBe(200);
    expect(second.browser.contexts()).toHaveLength(contexts);
    expect(
      await second.page.evaluate(async () => ({
        local: localStorage.getItem('left'),
        session: sessionStorage.getItem('left'),
        cookie: document.cookie,
        databases: (await indexedDB.databases()).map(({ name }) => name).filter(name => name === 'left behind'),
        caches: await caches.keys(),
      })),
    ).toEqual({ local: null, session: null, cookie: '', databases: [], caches: [] });
    await second.giveBack();
  });

  it.each([
    ['the clock', page => page.clock.install()],
    ['the network', page => page.context().setOffline(true)],
    ['its scripts', page => page.context().addInitScript(() => {})],
  ] as const satisfies readonly (readonly [string, (page: Awaited<ReturnType<typeof borrow>>['page']) => unknown])[])(
    'takes its context with it once a test has changed %s',
    async (_, change) => {
      const changed = await borrow();
      const before = changed.browser.contexts();
      await change(changed.page);
      await changed.giveBack();
      const after = changed.browser.contexts();
      expect(after).toHaveLength(before.length - 1);
    },
  );
});
