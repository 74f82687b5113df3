/**
 * Draws the PNG icons of the web manifest from `public/icons/mark.svg`; run it after changing the mark:
 * `node apps/web/build/draw-icons.ts /usr/bin/chromium`. The pictures are committed, so a build needs no browser.
 */
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const ICONS = new URL('../public/icons/', import.meta.url);
const NAVY = '#002e5c';

/** `bleed` fills the square to its edges: a launcher cuts its own shape out and keeps the middle 80 %. */
const SHEETS = [
  { file: 'icon-192.png', size: 192, bleed: false },
  { file: 'icon-512.png', size: 512, bleed: false },
  { file: 'icon-maskable-512.png', size: 512, bleed: true },
  { file: 'apple-touch-icon.png', size: 180, bleed: true },
] as const;

const executablePath = process.argv[2];
if (!executablePath) throw new Error('Say where Chromium is: node draw-icons.ts /usr/bin/chromium');
const mark = readFileSync(new URL('mark.svg', ICONS), 'utf8');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
for (const { file, size, bleed } of SHEETS) {
  await page.setViewportSize({ width: size, height: size });
  const drawn = bleed ? mark.replace('rx="15"', '').replace('translate(17 12) scale(1.25)', 'translate(20 16)') : mark;
  await page.setContent(
    `<style>html,body{margin:0;background:${bleed ? NAVY : 'transparent'}}svg{display:block;width:100vw;height:100vh}</style>${drawn}`,
  );
  await page.screenshot({ path: new URL(file, ICONS).pathname, omitBackground: true });
}
await browser.close();
