import { readdirSync, readFileSync } from 'node:fs';
import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadChunk } from './load-chunk.ts';

const lost = () => new TypeError('Failed to fetch dynamically imported module: /assets/Wall-1.js');

describe('a file of the app', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    onlineManager.setOnline(true);
  });

  it('is asked for again when the connection broke meanwhile', async () => {
    const load = vi.fn().mockRejectedValueOnce(lost()).mockResolvedValue('there');
    const loaded = loadChunk(load);
    await vi.advanceTimersByTimeAsync(600);
    expect(await loaded).toBe('there');
  });

  it('waits as long as there is no connection', async () => {
    onlineManager.setOnline(false);
    const load = vi.fn().mockRejectedValueOnce(lost()).mockResolvedValue('there');
    const loaded = loadChunk(load);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(load).toHaveBeenCalledTimes(1);
    onlineManager.setOnline(true);
    expect(await loaded).toBe('there');
  });

  it('is missing at last when the server has it no more, and at once when it is broken', async () => {
    const gone = vi.fn(() => Promise.reject(lost()));
    const missing = expect(loadChunk(gone)).rejects.toThrow('dynamically imported');
    await vi.advanceTimersByTimeAsync(10_000);
    await missing;
    expect(gone).toHaveBeenCalledTimes(4);
    const broken = vi.fn(() => Promise.reject(new SyntaxError('Unexpected token')));
    await expect(loadChunk(broken)).rejects.toThrow('Unexpected token');
    expect(broken).toHaveBeenCalledTimes(1);
  });

  it('is never asked for only once', () => {
    const root = new URL('../../', import.meta.url);
    const asked = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path) && !path.includes('.test.') && !path.startsWith('locales/'))
      .flatMap(path => {
        const text = readFileSync(new URL(path, root), 'utf8');
        return [...text.matchAll(/\bimport\('[^']+'\)/g)].map(({ 0: call, index }) => ({
          path,
          call,
          before: text.slice(Math.max(0, index - 400), index),
        }));
      });
    expect(asked.length).toBeGreaterThan(50);
    // Each import is inside a call that retries, or in a function passed to one.
    const once = asked.filter(
      ({ before }) => !/(loadChunk|lazyChunk|lazyPart|withTexts)\((?![\s\S]*;\n)[\s\S]*$/.test(before),
    );
    expect([...new Set(once.map(({ path }) => path))].sort()).toEqual([
      // Only used if it has loaded already.
      'app/connectivity/use-kept-positions.ts',
      // Passed to functions that retry.
      'base/language/translations.ts',
      'commands/lazy.ts',
      // Preloaded here; the component itself loads it again.
      'features/dashboard/DashboardPage.tsx',
      // Passed to functions that retry.
      'features/eld-driver/home/BelowButtons.tsx',
      'features/eld-driver/later-texts.ts',
      'routes.tsx',
      'rules/vehicle-mutes/lazy.ts',
      // Until it loads, the browser's own select is shown.
      'ui/SelectField.tsx',
    ]);
  });
});
