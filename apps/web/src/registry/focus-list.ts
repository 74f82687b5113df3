import { type RefObject, useEffect } from 'react';

/** The scroller of a page's list. */
export const LIST_ID = 'registry-list';

export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Moves the focus to the page's list, or else to the page. */
export const focusList = (): void => (document.getElementById(LIST_ID) ?? document.getElementById('main'))?.focus();

/** What goes while its page stays, with the focus in it, leaves the focus to the list. */
export function useFocusAfter(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const page = part.current?.parentElement;
    return () => {
      if (page?.isConnected && isFocusLost()) focusList();
    };
  }, [part]);
}
