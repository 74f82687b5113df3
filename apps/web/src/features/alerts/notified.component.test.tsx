import { type AlertDelivery, listAlerts, readAlertDeliveries, readMyNotifications } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { anAlert } from '../../alerts/testing/alert.ts';

const ALERT = anAlert(crypto.randomUUID(), {
  escalation: { at: '2026-11-19T19:20:00.000Z', to: ['Dana Whitlock'] },
});
const CHROME = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36';
const delivery = (fields: Partial<AlertDelivery>): AlertDelivery => ({
  ...{ via: 'mail', userId: '1', name: 'Nora Kessler', browser: null, reason: 'opened', state: 'sent' },
  ...{ notedAt: ALERT.openedAt, at: '2026-11-19T19:02:30.000Z', tries: null, failure: null },
  ...fields,
});

async function show(deliveries: readonly AlertDelivery[], others = 0, alert = ALERT) {
  await open('/alerts', [
    when(listAlerts, { alerts: [alert], unacknowledged: { critical: 1, warning: 0, info: 0 } }),
    when(readMyNotifications, () => new Promise(() => {})),
    when(readAlertDeliveries, { deliveries: [...deliveries], others }),
  ]);
  await page.getByRole('button', { name: /^Actions for SOS button pressed/ }).click();
  await page.getByRole('menuitem', { name: 'Who was notified' }).click();
  return page.getByRole('dialog', { name: 'Who was notified' });
}

it('[R2.08] an alert lists whom it reached by email, push and webhook, and what came of each', async () => {
  const dialog = await show([
    delivery({}),
    delivery({ via: 'push', browser: CHROME, state: 'quiet' }),
    delivery({ via: 'webhook', userId: null, name: 'Guard', state: 'retrying', tries: 3, failure: 'timeout' }),
    delivery({ name: 'Dana Whitlock', reason: 'ruleEscalated', state: 'waiting', at: null }),
  ]);
  await expect.element(dialog.getByRole('row', { name: /^Nora Kessler Email Delivered/ })).toBeVisible();
  const push = dialog.getByRole('row', { name: /^Nora Kessler Push, Android, Chrome Left out in quiet hours/ });
  await expect.element(push).toBeVisible();
  const guard = dialog.getByRole('row', {
    name: /^Guard Webhook Trying again next try .* no answer within 10 seconds/,
  });
  await expect.element(guard).toBeVisible();
  const dana = dialog.getByRole('row', { name: /^Dana Whitlock sent on by its rule Email On its way/ });
  await expect.element(dana).toBeVisible();
  await expect.element(dialog.getByText(/to Dana Whitlock$/)).toBeVisible();
  await expectAccessible();
  const box = dialog.getByRole('table').element().closest('dialog');
  expect(box?.scrollWidth).toBeLessThanOrEqual(box?.clientWidth ?? 0);
  await page.viewport(390, 844);
  await expectAccessible();
});

it('[R2.08] an alert of a muted rule says that nobody was notified', async () => {
  const dialog = await show([], 0, { ...ALERT, muted: true, openedAt: new Date().toISOString(), escalation: null });
  await expect
    .element(dialog.getByText(/Its rule or its vehicle was muted then, so nobody was notified\./))
    .toBeVisible();
  await expect
    .element(dialog.getByText('No emails, push notifications or webhooks went out for this alert.'))
    .toBeVisible();
});

it('those who don’t write rules learn how many others there are', async () => {
  const dialog = await show([], 3);
  await expect.element(dialog.getByText('Nothing went to you.')).toBeVisible();
  await expect.element(dialog.getByText('3 more went to other people.')).toBeVisible();
});
