/** Addresses that the server answers itself; everything else that is opened as a page is the app. */
const SERVER_PATH = /^\/(api|map|docs|problems|mqtt|socket\.io|health|metrics|openapi\.json)(\/|$)/;

export function isPageRequest(mode: RequestMode, pathname: string): boolean {
  return mode === 'navigate' && !SERVER_PATH.test(pathname) && !/\.[^/]*$/.test(pathname);
}
