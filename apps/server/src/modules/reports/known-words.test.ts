import { AUDIT_ACTIONS, COMMAND_ACTIONS, COMMAND_STATES, DOCUMENT_KINDS, LANGUAGES } from '@milepost/contract';
import { expect, it } from 'vitest';
import { auditWords, commandStateWords, commandWords, documentWords } from './known-words.ts';

it.each(LANGUAGES)('[R2.04] reports have words for all that the app names, in %s', language => {
  for (const action of COMMAND_ACTIONS) expect(commandWords(action, language), action).toMatch(/\S/);
  for (const state of COMMAND_STATES) expect(commandStateWords(state, language), state).toMatch(/\S/);
  for (const kind of DOCUMENT_KINDS) expect(documentWords(kind, language), kind).toMatch(/\S/);
  for (const action of AUDIT_ACTIONS) {
    const did = auditWords(action, 'North', language);
    expect(did, action).toMatch(/\S/);
    expect(did, action).not.toMatch(/[{}]|^[\w-]+\.[\w-]+$/);
  }
});

it('what this version doesn’t know keeps the name that it is stored by', () => {
  expect(auditWords('moon.landed', 'North', 'fr')).toBe('moon.landed');
  expect([commandWords('dance', 'es'), commandStateWords('lost', 'es'), documentWords('poem', 'es')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
