import { loadChunk } from '../chunks/load-chunk.ts';
import { addPageTexts } from './language.ts';

/** The words for every problem. The first screen does without them; they are here before anyone has sent a form. */
export async function loadProblemTexts(): Promise<void> {
  const { default: texts } = await loadChunk(() => import('../../locales/en-US/problems.json'));
  await addPageTexts('problems', texts);
}
