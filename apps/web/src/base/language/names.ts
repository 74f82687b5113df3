import type { Language } from '@milepost/contract';

/** Each setting by its own name, because users may be allowed to read only that one. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { 'en-US': 'English', es: 'Español', fr: 'Français' };
