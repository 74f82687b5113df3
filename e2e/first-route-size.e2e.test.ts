import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AIM_KB, measureWebSize } from '../bench/web-size.ts';

it('the first page of a visit, whichever it is, stays within its JavaScript budget', () => {
  const { firstRouteKb } = measureWebSize();
  expect(Object.keys(firstRouteKb)).toEqual(Object.keys(AIM_KB));
  for (const [route, kb] of Object.entries(firstRouteKb)) expect(kb, route).toBeLessThanOrEqual(AIM_KB[route] ?? 0);
});

it('[R2.27] maps, charts and what installs the app are loaded only when a page needs them', () => {
  const { chunks, firstRouteChunks } = measureWebSize();
  // Every chart stands in a page of its own: the overview, replay or a report.
  const late = [/^_map-.*\.js$/, /\/(Overview|Replay|Reports)Page\.tsx$/, /\/InstallDialog\.tsx$/];
  for (const part of late) {
    expect(chunks.filter(key => part.test(key))).not.toEqual([]);
    for (const [route, keys] of Object.entries(firstRouteChunks)) {
      expect(
        keys.filter(key => part.test(key)),
        route,
      ).toEqual([]);
    }
  }
});

it('a page loads no schemas until a form is opened, unless it consists of forms', () => {
  const { pages } = measureWebSize();
  const withZod = Object.keys(pages).filter(page => pages[page]?.hasZod);
  expect(withZod.toSorted()).toEqual(['Profile', 'Settings', 'Setup', 'Welcome']);
});

it('workers parse no schemas: a page starts one, and its code is compiled anew at each load', () => {
  const assets = new URL('../apps/web/dist/assets/', import.meta.url);
  const workers = readdirSync(assets).filter(name => /^worker-.*\.js$/.test(name));
  expect(workers.length).toBeGreaterThan(0);
  for (const name of workers) expect(readFileSync(new URL(name, assets), 'utf8'), name).not.toContain('_zod');
});
