import type { Language } from '@milepost/contract';
import { english } from './english.ts';
import { french } from './french.ts';
import type { Texts } from './mail-texts.ts';
import { spanish } from './spanish.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { 'en-US': english, es: spanish, fr: french };
