/**
 * `node tools/transcript.ts [URL]`: what a screen reader announces on the dashboard and in the command dialog, in
 * order, from the browser's accessibility tree, written to docs/accessibility.md. Requires the demo to be running at
 * the URL.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { launchAlone } from '../e2e/support/launch.ts';

const DOCUMENT = new URL('../docs/accessibility.md', import.meta.url);
/** Of repeated items, this many are written out. */
const WRITTEN_OUT = 3;
/** Long enough for a tracker to report and be drawn. */
const TIMEOUT_MS = 60_000;

const url = process.argv[2] ?? 'http://127.0.0.1:8080';
const browser = await launchAlone();
try {
  const page = await browser.newPage({ baseURL: url, viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(TIMEOUT_MS);
  await signIn(page);
  await page.goto('/');
  await page.getByRole('button', { name: /^Live/ }).waitFor();
  await page
    .getByText(/^41\d\d$/)
    .first()
    .click();
  await page.getByRole('complementary', { name: /^Vehicle / }).waitFor();
  const dashboard = await transcriptOf(page.locator('body'));

  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Send command' });
  await dialog.getByRole('combobox').fill('Stop engine');
  await dialog.getByRole('option').first().click();
  await dialog.getByText('Safety interlock').waitFor();
  await dialog.getByRole('region', { name: 'Safety interlock' }).getByRole('listitem').first().waitFor();
  const command = await transcriptOf(dialog);

  let text = readFileSync(DOCUMENT, 'utf8');
  text = written(text, 'dashboard', dashboard);
  text = written(text, 'command', command);
  writeFileSync(DOCUMENT, text);
} finally {
  await browser.close();
}

async function signIn(page: Page): Promise<void> {
  const answer = await page.request.post('/api/v1/signin', { data: { userName: 'demo', password: 'demo-fleet' } });
  const { token } = (await answer.json()) as { token: string };
  await page.addInitScript(stored => {
    localStorage.setItem('token', stored);
    sessionStorage.setItem('loginNotified', '1');
  }, token);
}

/** Roles and names as in the accessibility tree, without link addresses and with repetitions shortened. */
async function transcriptOf(part: Locator): Promise<string> {
  const lines = (await part.ariaSnapshot()).split('\n').filter(line => !/^\s*- \/(url|placeholder):/.test(line));
  return shortened(lines)
    .map(line => line.replace(/:$/, ''))
    .join('\n');
}

function depthOf(line: string): number {
  return line.search(/\S/);
}

function roleOf(line: string): string {
  return /^\s*- '?(\w+)/.exec(line)?.[1] ?? '';
}

/** Keeps the first few of adjacent items with the same role, with their content. */
function shortened(lines: readonly string[]): string[] {
  const kept: string[] = [];
  /** By depth: the role that repeats there, and how many times. */
  const runs: { role: string; count: number }[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const depth = depthOf(line);
    if (depth > hiddenBelow) continue;
    runs.length = Math.min(runs.length, depth + 1);
    const role = roleOf(line);
    const count = runs[depth]?.role === role ? (runs[depth]?.count ?? 0) + 1 : 1;
    runs[depth] = { role, count };
    const isRepeated = count > WRITTEN_OUT && ['listitem', 'treeitem', 'row', 'option'].includes(role);
    hiddenBelow = isRepeated ? depth : Number.POSITIVE_INFINITY;
    if (!isRepeated) kept.push(line);
    else if (count === WRITTEN_OUT + 1) kept.push(`${' '.repeat(depth)}- … more like these`);
  }
  return kept;
}

function written(text: string, part: string, transcript: string): string {
  const [begin, end] = [`<!-- ${part} -->\n`, `<!-- /${part} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`docs/accessibility.md has no place for ${part}`);
  return `${text.slice(0, from)}${begin}\n\`\`\`text\n${transcript}\n\`\`\`\n\n${text.slice(to)}`;
}
