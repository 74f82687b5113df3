import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, it } from 'vitest';
import { i18n, startI18n } from '../../../base/i18n.ts';
import texts from '../../../locales/en-US/dashboard-map.json';
import { LegendLine } from './LegendLine.tsx';

beforeAll(async () => {
  await startI18n();
  i18n.addResourceBundle('en-US', 'dashboardMap', texts);
});

const drawn = (seesRoads: boolean, lacksStreets: boolean, mayAdd: boolean): string =>
  renderToStaticMarkup(
    createElement(MemoryRouter, null, createElement(LegendLine, { seesRoads, lacksStreets, mayAdd })),
  ).replace(/<svg.*?<\/svg>/g, '');
const words = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

it('the legend names what is drawn, and offers streets only to who can add them', () => {
  expect(words(drawn(true, false, true))).toBe('Roads of your fleet, last 90 days');
  expect(words(drawn(true, true, false))).toBe('Roads of your fleet, last 90 days No street map for this area');
  expect(words(drawn(false, true, true))).toBe('No street map for this area Add streets');
  expect(drawn(false, true, true)).toContain('href="/settings/maps"');
  expect(drawn(false, false, true)).toBe('');
});
