import { describe, expect, it } from 'vitest';
import { findCycle, importsOf, judge, resolveRelative } from './imports.ts';

const judged = (from: string, specifier: string, dependencies: string[] = []) =>
  judge({ from, specifier, typeOnly: false }, new Set(dependencies));

describe('the table of who may import whom', () => {
  it('lets the arrows run one way', () => {
    expect(judged('packages/geo/src/motion.ts', '@milepost/units')).toBeNull();
    expect(judged('packages/geo/src/motion.ts', '@milepost/contract')).toMatch(/may not import contract/);
    expect(judged('apps/server/src/app.ts', '@milepost/client')).toMatch(/may not import client/);
    expect(judged('apps/web/src/main.tsx', '@milepost/decoders')).toMatch(/may not import decoders/);
    expect(judged('apps/simulator/src/main.ts', '../../server/src/app.ts')).toMatch(/leaves apps\/simulator/);
    expect(judged('packages/geo/src/motion.ts', '@milepost/units/src/index.ts')).toMatch(/by its entry/);
  });

  it('keeps features apart', () => {
    expect(judged('apps/web/src/features/dashboard/Page.tsx', './List.tsx')).toBeNull();
    expect(judged('apps/web/src/features/dashboard/Page.tsx', '../login/Form.tsx')).toMatch(
      /may not import feature login/,
    );
    expect(judged('apps/web/src/ui/Plate.tsx', '../features/login/Form.tsx')).toMatch(/only routes.tsx/);
    expect(judged('apps/web/src/routes.tsx', './features/login/LoginPage.tsx')).toBeNull();
  });

  it('keeps pure packages pure, their command lines and tests excepted', () => {
    expect(judged('packages/decoders/src/gt06/decode.ts', 'node:fs')).toMatch(/pure/);
    expect(judged('packages/decoders/src/cli.ts', 'node:fs')).toBeNull();
    expect(judged('packages/decoders/src/gt06/decode.test.ts', 'node:fs')).toBeNull();
  });

  it('wants every npm package declared where it is used', () => {
    expect(judged('packages/contract/src/fields.ts', 'zod', ['zod'])).toBeNull();
    expect(judged('packages/contract/src/fields.ts', 'zod/v4', ['zod'])).toBeNull();
    expect(judged('packages/contract/src/fields.ts', '@tanstack/query', ['zod'])).toMatch(/not among the dependencies/);
    const types = { from: 'apps/web/src/map/map.ts', specifier: 'geojson' };
    expect(judge({ ...types, typeOnly: true }, new Set(['@types/geojson']))).toBeNull();
    expect(judge({ ...types, typeOnly: false }, new Set(['@types/geojson']))).toMatch(/not among the dependencies/);
  });
});

describe('reading imports', () => {
  it('finds every form and tells types from values', () => {
    const text = `
      import type { A } from './a.ts';
      import { b,
        c } from '@milepost/b';
      import './style.css';
      export * from './d.ts';
      // import { no } from './comment.ts';
      const page = () => import('./page.tsx');
    `;
    expect(importsOf('x.ts', text).map(one => [one.specifier, one.typeOnly])).toEqual([
      ['./a.ts', true],
      ['@milepost/b', false],
      ['./style.css', false],
      ['./d.ts', false],
      ['./page.tsx', false],
    ]);
  });

  it('resolves relative paths and drops queries', () => {
    expect(resolveRelative('apps/web/src/map/map.ts', '../live/store.ts?url')).toBe('apps/web/src/live/store.ts');
  });
});

describe('circles', () => {
  it('names the files of a circle and passes a tree', () => {
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(findCycle(circle)).toEqual(['b', 'c', 'b']);
    expect(
      findCycle(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toBeNull();
  });
});
