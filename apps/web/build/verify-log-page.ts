import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const SOURCE = 'src/verify-log';
const PAGE = 'verify-log.html';

/**
 * Makes `/verify-log.html`: the page that checks an exported log without a server, all of it in one file that can be
 * kept and mailed. Its script and style are inside; its own policy lets exactly those run and nothing be loaded.
 */
export function verifyLogPage(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'milepost-verify-log-page',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const script = await bundle(root);
        const style = readFileSync(join(root, SOURCE, 'page.css'), 'utf8').trim();
        const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
        const parts = { policy, style, script } as const;
        const page = readFileSync(join(root, SOURCE, 'page.html'), 'utf8').replaceAll(
          /\s*\/\* (policy|style|script) \*\/\s*/g,
          (_, part: keyof typeof parts) => parts[part],
        );
        writeFileSync(join(outDir, PAGE), page);
      },
    },
  };
}

async function bundle(root: string): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: `${SOURCE}/main.ts`, formats: ['iife'], name: 'verifyLog', fileName: () => 'verify-log.js' },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap(result => ('output' in result ? result.output : []));
  const script = outputs.find(output => output.type === 'chunk');
  if (!script) throw new Error('The script of verify-log.html was not built.');
  // Inside an element of HTML, these would end or confuse it.
  return script.code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
