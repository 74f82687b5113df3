import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { announce } from '../base/announce.ts';
import { markReady } from './splash/splash-state.ts';

/**
 * Rendered next to the pages in their Suspense boundary, so its effects run once a page has loaded. The first page ends
 * the splash. Each later page's title is announced, as a page load would be.
 */
export function PageReady() {
  const { pathname } = useLocation();
  const shown = useRef<string | null>(null);

  useEffect(() => {
    // The title in index.html comes first in the document and would override the page's own.
    document.head.querySelector('title[data-start]')?.remove();
    if (shown.current === null) markReady();
    else if (shown.current !== pathname) announce(document.title);
    shown.current = pathname;
  }, [pathname]);

  return null;
}
