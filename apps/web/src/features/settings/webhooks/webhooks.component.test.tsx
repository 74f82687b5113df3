import { listWebhookDeliveries, listWebhooks, updateWebhook, type Webhook } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/accessible.ts';
import { sent, when } from '../../../../testing/answers.ts';
import { open } from '../../../../testing/app.tsx';

const IMPORTED: Webhook = {
  ...{ id: '7', name: 'Dispatch', url: 'https://hooks.example.com/', severities: ['critical'], kinds: null },
  ...{ enabled: false, createdAt: '2026-11-19T14:00:00Z', waiting: 0, failed: 0, lastDeliveredAt: null, failing: null },
  needsAddress: true,
};

it('a webhook that came with an import says what it lacks, and its form asks for the whole address [N13]', async () => {
  let webhook = IMPORTED;
  await open('/settings/webhooks', [
    when(listWebhooks, () => [webhook]),
    when(listWebhookDeliveries, []),
    when(updateWebhook, ({ body }) => {
      const { needsAddress: _, ...rest } = webhook;
      webhook = { ...rest, ...(body as Partial<Webhook>) };
      return webhook;
    }),
  ]);
  const lacking = page.getByText('The import didn’t include the full address or the secret.', { exact: false });
  await expect.element(lacking).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Edit Dispatch' }).click();
  const address = page.getByRole('textbox', { name: 'Address' });
  await expect.element(address).toHaveValue('');
  await address.fill('https://hooks.example.com/T1/NEW');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(lacking).not.toBeInTheDocument();
  expect(sent(updateWebhook)).toMatchObject([{ body: { url: 'https://hooks.example.com/T1/NEW', enabled: false } }]);
});

it('a webhook whose last alert did not arrive says so, when and why', async () => {
  const { needsAddress: _, ...rest } = IMPORTED;
  const failing = { failure: 'refused', status: 503, at: '2026-11-19T14:00:00Z' } as const;
  await open('/settings/webhooks', [
    when(listWebhooks, [
      { ...rest, enabled: true, waiting: 2, failing },
      { ...rest, id: '8', name: 'Shop', enabled: true, lastDeliveredAt: failing.at },
    ]),
    when(listWebhookDeliveries, []),
  ]);
  const said = page.getByText(/^The last alert didn’t arrive\. .+: The receiver refused it · answered 503$/);
  await expect.element(said).toBeVisible();
  expect(said.elements()).toHaveLength(1);
  await expectAccessible();
});
