import { type RefObject, useEffect } from 'react';

/** ID of the element that scrolls a page's list. */
export const LIST_ID = 'registry-list';

export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Moves the focus to the page's list or, if there is none, to the page. */
export const focusList = (): void => (document.getElementById(LIST_ID) ?? document.getElementById('main'))?.focus();

/** When this part of the page is removed while it has the focus, moves the focus to the list. */
export function useFocusAfter(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const page = part.current?.parentElement;
    return () => {
      if (page?.isConnected && isFocusLost()) focusList();
    };
  }, [part]);
}
