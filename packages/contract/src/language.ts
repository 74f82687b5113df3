/** Languages of the app. */
export const LANGUAGES = ['en-US', 'es', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];
