import { type ComponentType, lazy } from 'react';
import type { PageTexts } from '../locales/en-US/resources.ts';
import { addTexts } from './i18n.ts';

/** A page or dialog in its own chunk, as the export `Component` of its module, side by side with its texts. */
export function withTexts<N extends keyof PageTexts, P extends object>(
  load: () => Promise<{ readonly Component: ComponentType<P> }>,
  namespace: N,
  loadTexts: () => Promise<{ readonly default: PageTexts[N] }>,
) {
  return lazy(async () => {
    const [{ Component }, { default: texts }] = await Promise.all([load(), loadTexts()]);
    addTexts(namespace, texts);
    return { default: Component };
  });
}
