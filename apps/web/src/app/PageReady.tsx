import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { announce } from '../base/announce.ts';
import { markReady } from './splash/splash-state.ts';

/**
 * Stands beside the pages inside their Suspense boundary, so its effects run once a page is really there: the first
 * one ends the splash, each later one is announced by its title, as a page load would be.
 */
export function PageReady() {
  const { pathname } = useLocation();
  const shown = useRef<string | null>(null);

  useEffect(() => {
    // The title of index.html comes first in the document and would hide the page's own.
    document.head.querySelector('title[data-start]')?.remove();
    if (shown.current === null) markReady();
    else if (shown.current !== pathname) announce(document.title);
    shown.current = pathname;
  }, [pathname]);

  return null;
}
