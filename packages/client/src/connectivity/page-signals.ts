/** What a browser knows about its page and its network. */
export interface PageSignals {
  isHidden(): boolean;
  /** False when the browser is sure that there is no network; true is not reliable. */
  hasNetwork(): boolean;
  /**
   * Runs the callback when the page is shown or hidden, and when the network comes or goes; returns a function that
   * stops it.
   */
  onChange(callback: () => void): () => void;
}

interface BrowserGlobals {
  readonly document?: EventTarget & { readonly visibilityState: string };
  readonly navigator?: { readonly onLine?: boolean };
  readonly addEventListener?: EventTarget['addEventListener'];
  readonly removeEventListener?: EventTarget['removeEventListener'];
}

/** The signals of this page; in a worker or Node, of a page that is always visible. */
export function browserPage(browser = globalThis as BrowserGlobals): PageSignals {
  return {
    isHidden: () => browser.document?.visibilityState === 'hidden',
    hasNetwork: () => browser.navigator?.onLine !== false,
    onChange(callback) {
      browser.document?.addEventListener('visibilitychange', callback);
      for (const event of ['online', 'offline']) browser.addEventListener?.(event, callback);
      return () => {
        browser.document?.removeEventListener('visibilitychange', callback);
        for (const event of ['online', 'offline']) browser.removeEventListener?.(event, callback);
      };
    },
  };
}
