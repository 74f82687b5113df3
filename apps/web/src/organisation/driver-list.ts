/** Query key of the list of drivers. */
export const DRIVERS_KEY = ['drivers'] as const;
