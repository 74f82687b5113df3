/**
 * Addresses that the server answers itself; everything else that is opened as a page is the app. The page of share links
 * (`/s`) comes with headers of its own.
 */
const SERVER_PATH = /^\/(api|map|docs|problems|mqtt|socket\.io|health|metrics|openapi\.json|s)(\/|$)/;

export function isPageRequest(mode: RequestMode, pathname: string): boolean {
  return mode === 'navigate' && !SERVER_PATH.test(pathname) && !/\.[^/]*$/.test(pathname);
}
