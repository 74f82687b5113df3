import type { Language } from '@milepost/contract';

/** Each by its own name: whoever needs it may read no other. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { 'en-US': 'English', es: 'Español', fr: 'Français' };
