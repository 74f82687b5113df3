import { type Alert, acknowledgeAlerts, listAlerts, readMyNotifications } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { refused, sent, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { anAlert } from '../../alerts/testing/alert.ts';

const ALERT = anAlert('0198f2a4-0000-7000-8000-000000000001', {
  kind: 'rule',
  rule: {
    ...{ id: '3', name: 'Long stop', action: 'Ask the customer.', needsNote: true, geofence: 'Dock 4', crossing: null },
    ...{ expected: null, other: null, about: null, message: null },
  },
});

it('[R2.08] an alert whose rule asks for a note is acknowledged once it has one, and keeps it', async () => {
  let alert: Alert = ALERT;
  await open('/alerts', [
    when(listAlerts, ({ query }) => ({
      alerts: (query.open === 'true') === (alert.acknowledgedAt === null) ? [alert] : [],
      unacknowledged: { critical: alert.acknowledgedAt === null ? 1 : 0, warning: 0, info: 0 },
    })),
    when(readMyNotifications, () => new Promise(() => {})),
    when(acknowledgeAlerts, ({ body }) => {
      if (body.note === null) return refused('alert-needs-note');
      const acknowledgedBy = { id: '1', name: 'Nora Kessler' };
      alert = { ...ALERT, acknowledgedAt: new Date().toISOString(), acknowledgedBy, note: body.note };
      return { alerts: [alert] };
    }),
  ]);
  const acknowledge = async () => {
    await page.getByRole('button', { name: /^Actions for Long stop/ }).click();
    await page.getByRole('menuitem', { name: 'Acknowledge' }).click();
  };
  const dialog = page.getByRole('dialog', { name: 'What was done?' });
  await acknowledge();
  await expect.element(dialog.getByText('Ask the customer.')).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /^Actions for Long stop/ })).toBeVisible();

  await acknowledge();
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'Note' })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Dock was taken until 14:10.');
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Acknowledged' }).click();
  await expect.element(page.getByText('Note: Dock was taken until 14:10.')).toBeVisible();
  expect(sent(acknowledgeAlerts).map(({ body }) => body?.note)).toEqual([null, null, 'Dock was taken until 14:10.']);
});
