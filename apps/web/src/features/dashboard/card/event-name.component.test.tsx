import alerts from '@milepost/contract/texts/en-US/alerts.json';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { i18n } from '../../../base/i18n.ts';
import trackerEvents from '../../../locales/en-US/tracker-events.json';
import { Component as EventName } from './EventName.tsx';

it('[R3.03] says in words what caused a report, and keeps the name that a tracker made up', async () => {
  i18n.addResourceBundle('en-US', 'trackerEvents', trackerEvents);
  i18n.addResourceBundle('en-US', 'alerts', alerts);
  const shown = await render(<EventName event="ignitionOff" />);
  await expect.element(page.getByText('Ignition off', { exact: true })).toBeVisible();
  await shown.rerender(<EventName event="harshBraking" />);
  await expect.element(page.getByText('Harsh braking', { exact: true })).toBeVisible();
  await shown.rerender(<EventName event="batteryLow" />);
  await expect.element(page.getByText('Battery low', { exact: true })).toBeVisible();
  await shown.rerender(<EventName event="hatch.open: 2" />);
  await expect.element(page.getByText('hatch.open: 2', { exact: true })).toBeVisible();
});
