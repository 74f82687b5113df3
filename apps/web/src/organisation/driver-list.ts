/** What the pages keep of drivers. */
export const DRIVERS_KEY = ['drivers'] as const;
