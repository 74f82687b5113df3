import type { MyDuty } from '@milepost/contract';
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Providers } from '../../../app/Providers.tsx';
import { i18n } from '../../../base/i18n.ts';
import { METRIC, US } from '../../../format/measure.ts';
import { setMeasureSystem } from '../../../format/use-measure-system.ts';
import texts from '../../../locales/en-US/eld-driver.json';
import { StatusCard } from './StatusCard.tsx';

const NOW = Date.parse('2026-11-20T18:00:00Z');
const dutyAt = (place: string | null) =>
  ({
    dutyLog: { timezone: 'America/Chicago' },
    row: { status: 'ON', since: '2026-11-20T17:40:00.000Z', place },
  }) as unknown as MyDuty;

beforeEach(() => {
  i18n.addResourceBundle('en-US', 'eldDriver', texts);
  return () => setMeasureSystem(null);
});

it('[R2.14] words the place of a status for the driver, in their units', async () => {
  setMeasureSystem(US);
  const shown = await render(
    <Providers>
      <StatusCard duty={dutyAt('1mi NNW IL Goodings Grove')} now={NOW} />
    </Providers>,
  );
  const card = page.getByRole('region', { name: 'Duty status' });
  await expect.element(card.getByText('1 mi NNW of Goodings Grove, IL')).toBeVisible();
  await expect.element(card.getByText('since 11:40')).toBeVisible();
  setMeasureSystem(METRIC);
  await expect.element(card.getByText('2 km NNW of Goodings Grove, IL')).toBeVisible();
  await shown.rerender(
    <Providers>
      <StatusCard duty={dutyAt('Yard 4, gate B')} now={NOW} />
    </Providers>,
  );
  await expect.element(card.getByText('Yard 4, gate B')).toBeVisible();
});
