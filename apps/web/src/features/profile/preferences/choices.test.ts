import { expect, it } from 'vitest';
import { startPages, timeZones } from './choices.ts';

const NOW = Date.parse('2026-11-19T14:00:00Z');

it('offers the zones from west to east, with their distance to UTC', () => {
  const zones = timeZones(NOW, null);
  const at = (name: string) => zones.findIndex(zone => zone.name === name);
  expect(zones[at('America/Chicago')]?.label).toBe('America/Chicago (GMT-06:00)');
  expect(at('America/Los_Angeles')).toBeLessThan(at('America/Chicago'));
  expect(at('America/Chicago')).toBeLessThan(at('Europe/Paris'));
});

it('a zone that only the server knows stays chosen', () => {
  expect(timeZones(NOW, 'US/Central').some(({ name }) => name === 'US/Central')).toBe(true);
});

it('begins only on pages that there are', () => {
  expect(startPages([{ path: '/' }, { path: '/users' }])).toEqual([{ path: '/' }]);
});
