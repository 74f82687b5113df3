import type { LogDay } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Providers } from '../../../app/Providers.tsx';
import { i18n } from '../../../base/i18n.ts';
import driverTexts from '../../../locales/en-US/eld-driver.json';
import texts from '../../../locales/en-US/eld-driver-more.json';
import { Records } from './Records.tsx';

it('a remark doesn’t hide what a record is if no chip says it: the end of a yard move before personal use', async () => {
  i18n.addResourceBundle('en-US', 'eldDriver', driverTexts);
  i18n.addResourceBundle('en-US', 'eldDriverMore', texts);
  const record = {
    ...{ state: 'active', at: '2026-11-29T08:41:00Z', type: 3, note: 'To the motel', place: null, fault: null },
    ...{ origin: 'driver', by: null, isLocked: false },
  };
  const day = {
    timeZone: 'America/Chicago',
    records: [
      { ...record, id: '1', code: 0, status: null },
      { ...record, id: '2', code: 1, status: 'PC' },
    ],
  } as unknown as LogDay;
  await render(
    <Providers>
      <Records day={day} />
    </Providers>,
  );
  const lines = page
    .getByRole('listitem')
    .elements()
    .map(line => line.textContent);
  expect(lines).toEqual([
    expect.stringMatching(/End of personal use or yard move.*To the motel/),
    expect.stringMatching(/PC.*To the motel/),
  ]);
});
