import connectivity from './connectivity.json';
import type dashboard from './dashboard.json';
import errors from './errors.json';
import install from './install.json';
import type login from './login.json';
import type notFound from './not-found.json';
import shell from './shell.json';

/** One file a feature. These texts may be needed on any page and come with the app … */
export const resources = { connectivity, errors, install, shell } as const;

/** … and these with their page (routes.tsx). */
export interface PageTexts {
  readonly dashboard: typeof dashboard;
  readonly login: typeof login;
  readonly notFound: typeof notFound;
}
