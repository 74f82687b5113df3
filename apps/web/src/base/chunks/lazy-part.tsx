import type { ComponentType } from 'react';
import { lazyChunk } from './load-chunk.ts';
import { Part } from './Part.tsx';

/**
 * A part of a page that loads when it is first shown, such as a dialog. A form stands in one, so that the page loads
 * neither the form nor zod and the schemas that it validates with.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Lazy = lazyChunk(load) as ComponentType<P>;
  return function LazyPart(props: P) {
    return (
      <Part>
        <Lazy {...props} />
      </Part>
    );
  };
}
