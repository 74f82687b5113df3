import type { Language } from '@milepost/contract';

/** Each language's name in that language, because users may understand no other. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { 'en-US': 'English', es: 'Español', fr: 'Français' };
