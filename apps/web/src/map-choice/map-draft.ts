import { type MapChoice, type NewMapChoice, newMapChoiceSchema } from '@milepost/contract';
import { issueWords } from '../base/problem-words.ts';
import type { CardKind } from './MapCards.tsx';

/** The values of the map form while the user edits it. */
export interface MapDraft {
  readonly kind: CardKind;
  readonly file: string | null;
  readonly address: string;
  readonly darkAddress: string;
  readonly attribution: string;
  /** A new key. Empty keeps the current one. */
  readonly key: string;
  /** One host per line. */
  readonly hosts: string;
}

export function draftOf(choice: MapChoice): MapDraft {
  const isAddress = choice.kind === 'style' || choice.kind === 'tiles';
  return {
    kind: isAddress ? 'address' : choice.kind,
    file: choice.kind === 'file' ? choice.name : null,
    address: isAddress ? choice.url : '',
    darkAddress: choice.kind === 'style' ? (choice.darkUrl ?? '') : '',
    attribution: isAddress ? (choice.attribution ?? '') : '',
    key: '',
    hosts: choice.kind === 'style' ? choice.hosts.join('\n') : '',
  };
}

/** Tile URLs have placeholders for the tile's coordinates; style URLs don't. */
export const isTiles = (address: string): boolean => /\{[xyz]\}/.test(address);

export type DraftField = 'file' | 'address' | 'darkAddress' | 'hosts' | 'attribution' | 'key';

/** The choice to send, or an error for each invalid field. */
export function readDraft(
  draft: MapDraft,
): { readonly choice: NewMapChoice } | { readonly errors: Partial<Record<DraftField, string>> } {
  const parsed = newMapChoiceSchema.safeParse(asSent(draft));
  if (parsed.success) return { choice: parsed.data };
  const errors: Partial<Record<DraftField, string>> = {};
  for (const found of parsed.error.issues) {
    const field = FIELDS[String(found.path[0])];
    if (field) errors[field] ??= issueWords(found);
  }
  return { errors };
}

const FIELDS: Readonly<Record<string, DraftField>> = {
  name: 'file',
  url: 'address',
  darkUrl: 'darkAddress',
  hosts: 'hosts',
  attribution: 'attribution',
  key: 'key',
};

function asSent({ kind, file, address, darkAddress, attribution, key, hosts }: MapDraft) {
  if (kind === 'file') return { kind, name: file ?? '' };
  if (kind !== 'address') return { kind };
  const shared = {
    url: address.trim(),
    attribution: attribution.trim() === '' ? null : attribution,
    ...(key.trim() === '' ? {} : { key }),
  };
  if (isTiles(address)) return { kind: 'tiles', ...shared };
  return {
    kind: 'style',
    ...shared,
    darkUrl: darkAddress.trim() === '' ? null : darkAddress.trim(),
    hosts: hosts.split(/\s+/).filter(Boolean),
  };
}
