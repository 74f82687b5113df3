/**
 * Paths that the server handles itself. Any other page request gets the app. The page of share links (`/s`) has headers
 * of its own, so the server delivers it.
 */
const SERVER_PATH = /^\/(api|map|docs|problems|mqtt|socket\.io|health|metrics|openapi\.json|s)(\/|$)/;

export function isPageRequest(mode: RequestMode, pathname: string): boolean {
  return mode === 'navigate' && !SERVER_PATH.test(pathname) && !/\.[^/]*$/.test(pathname);
}
