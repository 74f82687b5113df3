import { describe, expect, it } from 'vitest';
import { findCycle, importsOf, judge, judgeFloors, judgePurity, judgeTables, resolveRelative } from './imports.ts';

const judged = (from: string, specifier: string, dependencies: string[] = []) =>
  judge({ from, specifier, typeOnly: false }, new Set(dependencies));

describe('the table of allowed imports', () => {
  it('allows imports in one direction only', () => {
    expect(judged('packages/geo/src/motion.ts', '@milepost/units')).toBeNull();
    expect(judged('packages/geo/src/motion.ts', '@milepost/contract')).toMatch(/may not import contract/);
    expect(judged('apps/server/src/app.ts', '@milepost/client')).toMatch(/may not import client/);
    expect(judged('apps/web/src/main.tsx', '@milepost/decoders')).toMatch(/may not import decoders/);
    expect(judged('apps/simulator/src/main.ts', '../../server/src/app.ts')).toMatch(/leaves apps\/simulator/);
    expect(judged('packages/geo/src/motion.ts', '@milepost/units/src/index.ts')).toMatch(/by its entry/);
    expect(judged('apps/web/src/routes.tsx', '@milepost/contract/texts/en-US/audit.json')).toBeNull();
    expect(judged('packages/geo/src/motion.ts', '@milepost/contract/texts/en-US/audit.json')).toMatch(/may not import/);
    expect(judged('apps/web/src/routes.tsx', '@milepost/contract/src/texts/en-US/audit.json')).toMatch(/by its entry/);
  });

  it('keeps features apart', () => {
    expect(judged('apps/web/src/features/dashboard/Page.tsx', './List.tsx')).toBeNull();
    expect(judged('apps/web/src/features/dashboard/Page.tsx', '../login/Form.tsx')).toMatch(
      /may not import feature login/,
    );
    expect(judged('apps/web/src/ui/Plate.tsx', '../features/login/Form.tsx')).toMatch(/only routes.tsx/);
    expect(judged('apps/web/src/routes.tsx', './features/login/LoginPage.tsx')).toBeNull();
  });

  it('keeps the base of the web app below its other rooms, and the shell above them', () => {
    expect(judged('apps/web/src/base/api.ts', './session/session.ts')).toBeNull();
    expect(judged('apps/web/src/base/api.ts', '../live/live.ts')).toMatch(/base stands under live/);
    expect(judged('apps/web/src/live/live.ts', '../base/api.ts')).toBeNull();
    expect(judged('apps/web/src/live/live.ts', '../app/shell/Shell.tsx')).toMatch(/only pages and routes/);
    expect(judged('apps/web/src/features/fleet/FleetPage.tsx', '../../app/shell/Start.tsx')).toBeNull();
  });

  it('keeps pure packages pure, except their command lines and tests', () => {
    expect(judged('packages/decoders/src/gt06/decode.ts', 'node:fs')).toMatch(/pure/);
    expect(judged('packages/decoders/src/cli.ts', 'node:fs')).toBeNull();
    expect(judged('packages/decoders/src/gt06/decode.test.ts', 'node:fs')).toBeNull();
  });

  it.each(['Date.now()', 'Math.random()', 'Buffer.from(bytes)', 'process.env', 'fetch(url)'])(
    '[I3] finds %s in a pure package, and nowhere else',
    code => {
      expect(judgePurity('packages/decoders/src/gt06/decode.ts', `const made = ${code};`)).toMatch(/is pure/);
      expect(judgePurity('packages/decoders/src/cli-samples.ts', code)).toBeNull();
      expect(judgePurity('packages/geo/src/trips.test.ts', code)).toBeNull();
      expect(judgePurity('apps/server/src/main.ts', code)).toBeNull();
    },
  );

  it('requires every npm package to be declared where it is used', () => {
    expect(judged('packages/contract/src/fields.ts', 'zod', ['zod'])).toBeNull();
    expect(judged('packages/contract/src/fields.ts', 'zod/v4', ['zod'])).toBeNull();
    expect(judged('packages/contract/src/fields.ts', '@tanstack/query', ['zod'])).toMatch(/not among the dependencies/);
    const types = { from: 'apps/web/src/map/map.ts', specifier: 'geojson' };
    expect(judge({ ...types, typeOnly: true }, new Set(['@types/geojson']))).toBeNull();
    expect(judge({ ...types, typeOnly: false }, new Set(['@types/geojson']))).toMatch(/not among the dependencies/);
  });
});

describe('the floors of the server', () => {
  const complaint = (from: string, specifier: string) => judgeFloors({ from, specifier, typeOnly: true });

  it('allows a room to import from rooms below, types included, and from itself', () => {
    expect(complaint('apps/server/src/modules/alerts/routes.ts', '../../http/handle.ts')).toBeNull();
    expect(complaint('apps/server/src/modules/alerts/routes.ts', '../users/store.ts')).toBeNull();
    expect(complaint('apps/server/src/main.ts', './app.ts')).toBeNull();
    expect(complaint('apps/server/src/http/handle.ts', '../modules/alerts/routes.ts')).toMatch(/http stands no higher/);
    expect(complaint('apps/server/src/db/open.ts', '../mail/mailer.ts')).toMatch(/db stands no higher than mail/);
    expect(complaint('apps/server/src/context.ts', './ingest/lane.ts')).toMatch(/context.ts stands no higher/);
    expect(complaint('apps/server/src/attic/old.ts', '../db/open.ts')).toMatch(/attic has no floor/);
  });

  it('keeps test helpers out of the product', () => {
    expect(complaint('apps/server/src/http/handle.ts', '../../testing/imei.ts')).toMatch(/only tests/);
    expect(complaint('apps/server/src/http/server.test.ts', '../../testing/imei.ts')).toBeNull();
    expect(complaint('apps/server/src/http/server.test.ts', '../modules/users/store.ts')).toBeNull();
  });
});

describe('reading imports', () => {
  it('finds every form and distinguishes types from values', () => {
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

describe('the table of positions', () => {
  const reads = [
    'sql`select * from position where vehicle_id = 1`',
    "trx.selectFrom('position').selectAll()",
    "trx.deleteFrom('position').where(a)",
    "trx.insertInto('position').values(rows)",
    'client.query("insert into position (lat) values (1)")',
    'client.query(`update position set event = $3`)',
    'client.query(`copy position (lat) from stdin`)',
    'sql`select fix_at from "position" p`',
    'sql`drop table position_2026_01 cascade`',
  ];

  it.each(reads)('has one owner: %s', text => {
    expect(judgeTables('apps/server/src/modules/roads/store.ts', text)).toContain('only apps/server/src/tracks/');
    expect(judgeTables('apps/server/src/tracks/read.ts', text)).toBeNull();
    expect(judgeTables('apps/server/src/ingest/pipeline.test.ts', text)).toBeNull();
  });

  it.each(["kind: 'position'", '// from position to position', "a('position')", '/** Read from position p. */'])(
    'accepts other uses of the words: %s',
    text => expect(judgeTables('apps/server/src/modules/roads/store.ts', text)).toBeNull(),
  );
});

describe('import cycles', () => {
  it('returns the files of a cycle and accepts a tree', () => {
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
