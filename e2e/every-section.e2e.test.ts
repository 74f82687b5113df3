import { SECTION_IDS as SETTINGS_SECTIONS } from '../apps/web/src/base/settings-sections.ts';
import { SECTION_IDS as PROFILE_SECTIONS } from '../apps/web/src/features/profile/sections.ts';
import { testPages } from './support/page-tests.ts';

/** The sections of Settings and Profile, each tested as a page of its own, on the way from one to the next. */
testPages([
  ...SETTINGS_SECTIONS.map(section => ({ path: `/settings/${section}`, shows: /./ })),
  ...PROFILE_SECTIONS.map(section => ({ path: `/profile/${section}`, shows: /./ })),
]);
