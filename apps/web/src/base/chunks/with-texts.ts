import { type ComponentType, lazy } from 'react';
import type { PageTexts } from '../../locales/en-US/resources.ts';
import { addPageTexts } from '../language/language.ts';
import { loadChunk } from './load-chunk.ts';

type TextLoaders = { readonly [N in keyof PageTexts]?: () => Promise<{ readonly default: PageTexts[N] }> };

/** A page or dialog in a separate chunk, exported as `Component`. Its texts load at the same time. */
export function withTexts<P extends object>(
  load: () => Promise<{ readonly Component: ComponentType<P> }>,
  texts: TextLoaders,
) {
  return lazy(async () => {
    const loadTexts = async <N extends keyof PageTexts>(namespace: N): Promise<void> => {
      const loadOne = texts[namespace];
      const loaded = loadOne && (await loadChunk(loadOne));
      if (loaded) await addPageTexts(namespace, loaded.default);
    };
    const [{ Component }] = await Promise.all([
      loadChunk(load),
      ...(Object.keys(texts) as (keyof PageTexts)[]).map(loadTexts),
    ]);
    return { default: Component };
  });
}
