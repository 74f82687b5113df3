/** What the tracks' colors can show. */
export const COLORINGS = ['vehicle', 'speed', 'status', 'driver', 'temperature', 'fuel', 'gps'] as const;
export type ColoringId = (typeof COLORINGS)[number];
