import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { build } from 'vite';

/** Not needed to start without a network, or never asked for by the app itself. */
const LEFT_OUT = /\.(br|gz|map)$|^sw\.js$|(^|\/)\./;

/**
 * Builds `src/service-worker/sw.ts` into the root-level script `/sw.js` after the app, with the list of the app's files
 * and a version made of their content.
 */
export function serviceWorker(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'milepost-service-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      async handler() {
        if (!existsSync(join(outDir, 'index.html'))) return;
        const names = readdirSync(outDir, { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry =>
            join(entry.parentPath, entry.name)
              .slice(outDir.length + 1)
              .replaceAll('\\', '/'),
          )
          .filter(name => !LEFT_OUT.test(name))
          .sort();
        const hash = createHash('sha256');
        for (const name of names) hash.update(name).update(readFileSync(join(outDir, name)));
        const shell = { version: hash.digest('hex').slice(0, 12), files: names.map(name => `/${name}`) };
        await build({
          configFile: false,
          root,
          publicDir: false,
          logLevel: 'warn',
          define: { __SHELL__: JSON.stringify(shell) },
          build: {
            outDir,
            emptyOutDir: false,
            target: 'es2023',
            lib: {
              entry: 'src/service-worker/sw.ts',
              formats: ['iife'],
              name: 'serviceWorker',
              fileName: () => 'sw.js',
            },
          },
        });
      },
    },
  };
}
