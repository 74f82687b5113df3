import type { MapChoice } from '@milepost/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { startI18n } from '../base/i18n.ts';
import { loadProblemTexts } from '../base/language/problem-texts.ts';
import { fileName } from './file-name.ts';
import { draftOf, type MapDraft, readDraft } from './map-draft.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);

const EMPTY: MapDraft = draftOf({ kind: 'built-in' });
const address = (fields: Partial<MapDraft>) => readDraft({ ...EMPTY, kind: 'address', ...fields });

describe('the form of the map', () => {
  it('sends tiles where the address numbers them, else a style', () => {
    expect(address({ address: ' https://t.example/{z}/{x}/{y}.png ', attribution: '© T', key: 'k' })).toEqual({
      choice: { kind: 'tiles', url: 'https://t.example/{z}/{x}/{y}.png', attribution: '© T', key: 'k' },
    });
    expect(address({ address: 'https://s.example/style.json', hosts: 'https://a.example\nhttps://b.example' })).toEqual(
      {
        choice: {
          kind: 'style',
          url: 'https://s.example/style.json',
          darkUrl: null,
          attribution: null,
          hosts: ['https://a.example', 'https://b.example'],
        },
      },
    );
  });

  it('says beside the field what is wrong', () => {
    expect(address({ address: 'tiles' })).toMatchObject({
      errors: { address: 'Enter an address that begins with https:// or http://, without a user name.' },
    });
    expect(address({ address: 'https://t.example/{z}/{x}.png' })).toMatchObject({
      errors: { address: 'The address must contain x, y and z in braces.' },
    });
    expect(address({ address: 'https://s.example/style.json', hosts: 'everything' })).toMatchObject({
      errors: { hosts: expect.any(String) },
    });
    expect(readDraft({ ...EMPTY, kind: 'file' })).toMatchObject({ errors: { file: expect.any(String) } });
  });

  it('keeps what is chosen, and a key by not sending one', () => {
    const told: MapChoice = {
      kind: 'style',
      url: 'https://s.example/style.json',
      darkUrl: 'https://s.example/dark.json',
      attribution: '© S',
      hasKey: true,
      hosts: ['https://a.example'],
    };
    const { hasKey: _, ...sent } = told;
    expect(readDraft(draftOf(told))).toEqual({ choice: sent });
  });
});

it.each([
  ['Île-de-France 2026.pmtiles', 'le-de-France-2026.pmtiles'],
  ['indiana.pmtiles', 'indiana.pmtiles'],
  ['地図.pmtiles', 'streets.pmtiles'],
])('names the file %s %s', (name, plain) => {
  expect(fileName(name)).toBe(plain);
});
