import type { Language } from '@milepost/contract';

/** A text of a report in every language. */
export type Words = Readonly<Record<Language, string>>;

export const words = (english: string, es: string, fr: string): Words => ({ 'en-US': english, es, fr });
