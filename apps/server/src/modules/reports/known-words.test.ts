import { readFileSync } from 'node:fs';
import {
  AUDIT_ACTIONS as ACTIONS,
  AUDIT_VIA,
  COMMAND_ACTIONS,
  COMMAND_STATES,
  DOCUMENT_KINDS,
  LANGUAGES,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { AUDIT_ACTIONS, AUDIT_VIA_WORDS } from './audit-words.ts';
import { COMMAND_STATE_WORDS, COMMANDS, DOCUMENTS } from './known-words.ts';

const texts = (language: string, name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../web/src/locales/${language}/${name}.json`, import.meta.url), 'utf8'),
  ) as Record<string, Record<string, unknown>>;

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

it.each(LANGUAGES)(
  '[R2.04] reports call commands, their states and documents what the app calls them, in %s',
  language => {
    const [commands, documents] = [texts(language, 'commands'), texts(language, 'documents')];
    for (const action of COMMAND_ACTIONS) expect(COMMANDS[action]?.[language]).toBe(commands.action?.[action]);
    for (const state of COMMAND_STATES) {
      expect(COMMAND_STATE_WORDS[state]?.[language]).toBe(commands.state?.[camel(state)]);
    }
    for (const kind of DOCUMENT_KINDS) expect(DOCUMENTS[kind]?.[language]).toBe(documents.kind?.[kind]);
  },
);

it.each(LANGUAGES)('[R2.04] the audit log’s report says what was done in the words of the app, in %s', language => {
  const { did } = texts(language, 'audit') as { readonly did?: Record<string, Record<string, string>> };
  for (const action of ACTIONS) {
    const [about = '', what = ''] = action.split('.');
    expect([action, AUDIT_ACTIONS[action]?.[language]]).toEqual([action, did?.[about]?.[what]]);
  }
  for (const via of AUDIT_VIA) expect(AUDIT_VIA_WORDS[via]?.[language]).toMatch(/\S/);
});
