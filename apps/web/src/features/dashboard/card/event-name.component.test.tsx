import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { i18n } from '../../../base/i18n.ts';
import english from '../../../locales/en-US/tracker-events.json';
import { Component as EventName } from './EventName.tsx';

it('[R3.03] says in words what caused a report, and keeps the name that a tracker made up', async () => {
  i18n.addResourceBundle('en-US', 'trackerEvents', english);
  const shown = await render(<EventName event="ignitionOff" />);
  await expect.element(page.getByText('Ignition off', { exact: true })).toBeVisible();
  await shown.rerender(<EventName event="hatch.open: 2" />);
  await expect.element(page.getByText('hatch.open: 2', { exact: true })).toBeVisible();
});
