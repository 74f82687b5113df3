import { type Verdict, verifyFile } from '@milepost/eld';
import { config } from 'zod';
import { wordsOf } from './words.ts';

/** The script of `verify-log.html`, which the build puts into a single file, so that it works from a disk, too. */

// The page's security policy forbids creating functions from text, which zod would otherwise try.
config({ jitless: true });

const ROOT = /^[0-9a-f]{64}$/i;
const form = document.querySelector('form');
const section = document.querySelector('section');

let file: File | null = null;
form?.addEventListener('submit', event => event.preventDefault());
form?.addEventListener('change', async event => {
  if (event.target instanceof HTMLInputElement) file = event.target.files?.[0] ?? null;
  if (file) show(await verdictOn(file), file.name);
});

async function verdictOn(chosen: File): Promise<Verdict> {
  const roots = (form?.querySelector('textarea')?.value ?? '').split(/[\s,;]+/).filter(root => root !== '');
  const noRoot = roots.find(root => !ROOT.test(root));
  if (noRoot !== undefined) {
    return {
      kind: 'unknown',
      ok: false,
      sentence: `“${noRoot}” is not a root or digest: they have 64 hexadecimal digits.`,
    };
  }
  try {
    return verifyFile(new Uint8Array(await chosen.arrayBuffer()), roots);
  } catch {
    return { kind: 'unknown', ok: false, sentence: 'The file can’t be read.' };
  }
}

function show(verdict: Verdict, name: string): void {
  if (!section) return;
  const { heading, sentence, terms } = wordsOf(verdict, name);
  const element = (tag: string, text: string): HTMLElement =>
    Object.assign(document.createElement(tag), { textContent: text });
  const list = element('dl', '');
  for (const [term, found] of terms) list.append(element('dt', term), ...found.map(text => element('dd', text)));
  section.dataset.ok = String(verdict.ok);
  section.replaceChildren(element('h2', heading), element('p', sentence), list);
}
