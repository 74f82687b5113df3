/** What the color of a track can say. */
export const COLORINGS = ['vehicle', 'speed', 'status', 'driver', 'temperature', 'fuel', 'gps'] as const;
export type ColoringId = (typeof COLORINGS)[number];
