/** Texts that a driver's first screen can do without until its buttons are there. */
export const LATER_TEXTS = {
  eldDriverMore: () => import('../../locales/en-US/eld-driver-more.json'),
  logbook: () => import('../../locales/en-US/logbook.json'),
};
