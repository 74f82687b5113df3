import { type MyDuty, readMyDuty, recordDuty } from '@milepost/contract';
import { type Exception, ruleSets } from '@milepost/hos';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { expectAccessible } from '../../../../testing/accessible.ts';
import { answerWith, when } from '../../../../testing/answers.ts';
import { Providers } from '../../../app/Providers.tsx';
import { i18n } from '../../../base/i18n.ts';
import driverTexts from '../../../locales/en-US/eld-driver.json';
import texts from '../../../locales/en-US/eld-driver-more.json';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { shownDuty } from '../store/shown-duty.ts';
import { ExceptionSheet } from './ExceptionSheet.tsx';

/** Declarations on a phone without a network: the server never answers, entries wait. */

const HOUR = 3_600_000;
const word = () => {
  // One moment for all of it: a log with a gap, even of a millisecond, is none.
  const nowMs = dutyClock.now();
  const iso = (hoursAgo: number) => new Date(nowMs - hoursAgo * HOUR).toISOString();
  return {
    now: iso(1),
    row: { status: 'ON', since: iso(4) },
    ...{ vehicle: null, vehicles: [], days: [], toCertify: [], coDrivers: [], teamRequests: [], handedOver: [] },
    dutyLog: {
      ...{ ruleset: 'US_PROPERTY_70_8', timezone: 'UTC', homeTerminalStartOfDay: '00:00', declarations: [] },
      segments: [
        { status: 'OFF', start: iso(60), end: iso(4) },
        { status: 'ON', start: iso(4), end: null },
      ],
    },
  } as unknown as MyDuty;
};

beforeEach(async () => {
  i18n.addResourceBundle('en-US', 'eldDriver', driverTexts);
  i18n.addResourceBundle('en-US', 'eldDriverMore', texts);
  const never = () => new Promise<never>(() => {});
  answerWith([when(recordDuty, never), when(readMyDuty, never)]);
  useDriverDuty.setState({ owner: crypto.randomUUID(), waiting: [] });
  await page.viewport(390, 844);
});

/** The sheet as the driver's page shows it: with what waits on the phone. */
function Sheet() {
  const waiting = useDriverDuty(state => state.waiting);
  const [sent] = useState(word);
  return <ExceptionSheet duty={shownDuty(sent, waiting, Date.parse(sent.now))} onClose={() => {}} />;
}
const open = () =>
  render(
    <Providers>
      <main>
        <h1>Exceptions</h1>
        <Sheet />
      </main>
    </Providers>,
  );
const declare = page.getByRole('button', { name: 'Declare' });
const entries = () => useDriverDuty.getState().waiting.map(({ action }) => action);
const offered = Object.keys(ruleSets.US_PROPERTY_70_8.exceptions) as Exception[];

it.each(offered)('[N4] %s is declared without a network, shows at once, and is offered no more', async exception => {
  await open();
  const name = texts.exception.names[exception];
  await page.getByLabelText('Exception').selectOptions(name);
  await page.getByLabelText('Reason').fill('Sudden snow on I-80');
  const button = declare.element() as HTMLButtonElement;
  for (let tap = 0; tap < 3; tap++) button.click();
  await expect.poll(entries).toEqual([{ kind: 'declare', exception, reason: 'Sudden snow on I-80' }]);
  await expect
    .poll(() => [...document.querySelectorAll('li, h3')].some(({ textContent }) => textContent?.startsWith(name)))
    .toBe(true);
  expect(page.getByRole('option', { name }).elements()).toEqual([]);
});

it('says what is missing, and keeps nothing', async () => {
  await open();
  await page.getByLabelText('Reason').fill('no');
  await declare.click();
  await expect.element(page.getByLabelText('Reason')).toHaveFocus();
  expect(entries()).toEqual([]);
  await expectAccessible();
});

it('an exemption is ended where it was declared', async () => {
  await open();
  await page.getByLabelText('Exception').selectOptions(texts.exception.names.agriculture);
  await page.getByLabelText('Reason').fill('Corn to the elevator');
  await declare.click();
  await page.getByRole('button', { name: texts.exception.end }).click();
  await expect.poll(() => entries().map(({ kind }) => kind)).toEqual(['declare', 'end-exemption']);
  await expect.poll(() => page.getByRole('button', { name: texts.exception.end }).elements()).toEqual([]);
});
