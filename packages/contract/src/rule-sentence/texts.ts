import type { Language } from '../language.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { spanish } from './spanish.ts';

export type RuleTexts = typeof english;

export const RULE_TEXTS: Readonly<Record<Language, RuleTexts>> = { 'en-US': english, es: spanish, fr: french };
