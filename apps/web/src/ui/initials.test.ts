import { expect, it } from 'vitest';
import { initials } from './initials.ts';

it.each([
  ['organisation', 'Rockfish Freight Lines', 'RF'],
  ['organisation', '4 & Sons', '4S'],
  ['organisation', 'Demo', 'DE'],
  ['person', 'Nora Kessler', 'NK'],
  ['person', 'Ana María de la Cruz', 'AC'],
  ['person', 'demo', 'DE'],
  ['person', 'nora.kessler', 'NK'],
  ['person', 'Åsa Öberg', 'ÅÖ'],
  ['person', 'X', 'X'],
  ['person', '', '?'],
  ['person', '—', '?'],
] as const)('the %s %s is shown as %s', (kind, name, expected) => {
  expect(initials(name, kind)).toBe(expected);
});
