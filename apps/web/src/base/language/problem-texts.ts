import { loadChunk } from '../chunks/load-chunk.ts';
import { addPageTexts } from './language.ts';

/** Loads the texts for every problem code. They aren't needed for the first screen, only by the time a form is sent. */
export async function loadProblemTexts(): Promise<void> {
  const { default: texts } = await loadChunk(() => import('../../locales/en-US/problems.json'));
  await addPageTexts('problems', texts);
}
