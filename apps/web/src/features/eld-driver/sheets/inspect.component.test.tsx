import { addInspectionPhoto, type MyDuty, readMyDuty, recordDuty } from '@milepost/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { expectAccessible } from '../../../../testing/accessible.ts';
import { answerWith, sent, when } from '../../../../testing/answers.ts';
import { Providers } from '../../../app/Providers.tsx';
import { i18n } from '../../../base/i18n.ts';
import driverTexts from '../../../locales/en-US/eld-driver.json';
import texts from '../../../locales/en-US/eld-driver-more.json';
import { useDriverDuty } from '../store/driver-duty.ts';
import { readDraft } from '../store/inspection-draft.ts';
import { InspectSheet } from './InspectSheet.tsx';

/** Inspections on a phone where something goes wrong. The server never answers here: entries wait on the phone. */

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const bytes = Uint8Array.from(atob(PIXEL), char => char.charCodeAt(0));
const photo = (...parts: BlobPart[]) => new File(parts, 'tire.png', { type: 'image/png' });

const dutyIn = (vehicle: { readonly id: string; readonly deviceName: string } | null): MyDuty =>
  ({ vehicle, days: [], trailers: '', driver: { name: 'Joan Abbott' } }) as unknown as MyDuty;
const TRUCK = { id: '4', deviceName: '4133' };
const OTHER = { id: '5', deviceName: '4127' };

let owner: string;
const onClose = vi.fn();
beforeEach(async () => {
  owner = crypto.randomUUID();
  onClose.mockClear();
  i18n.addResourceBundle('en-US', 'eldDriver', driverTexts);
  i18n.addResourceBundle('en-US', 'eldDriverMore', texts);
  const never = () => new Promise<never>(() => {});
  answerWith([when(recordDuty, never), when(addInspectionPhoto, never), when(readMyDuty, never)]);
  useDriverDuty.setState({ owner, waiting: [] });
  await page.viewport(390, 844);
});

const sheet = (vehicle: Parameters<typeof dutyIn>[0]) => (
  <Providers>
    <main>
      <h1>Inspect</h1>
      <InspectSheet duty={dutyIn(vehicle)} onClose={onClose} />
    </main>
  </Providers>
);
const sign = page.getByRole('button', { name: 'Sign as Joan Abbott' });
const entries = () => useDriverDuty.getState().waiting.map(({ action }) => action);
async function reportTire(what = 'Nail in the left rear tire'): Promise<void> {
  await page.getByLabelText('Tires', { exact: true }).click();
  await page.getByLabelText('Tires: what is wrong').fill(what);
}

/** As the camera does, without sending the file through the test's own connection. */
function choose(file: File): void {
  const input = page.getByLabelText('Add a photo').element() as HTMLInputElement;
  const transfer = new DataTransfer();
  transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

it('[R2.16] signs once, however often the button is tapped', async () => {
  await render(sheet(TRUCK));
  await reportTire();
  await userEvent.upload(page.getByLabelText('Add a photo'), photo(bytes));
  await expect.element(page.getByRole('img', { name: 'Photo 1: Tires' })).toBeVisible();
  await expectAccessible();
  const button = sign.element() as HTMLButtonElement;
  for (let tap = 0; tap < 3; tap++) button.click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(entries()).toMatchObject([{ kind: 'inspect', vehicleId: '4', defects: [{ part: 'tires', photos: [{}] }] }]);
  expect(await readDraft(owner)).toBeNull();
});

it('[N4] continues where a killed browser left it, with the photos', async () => {
  const first = await render(sheet(TRUCK));
  await reportTire();
  await userEvent.upload(page.getByLabelText('Add a photo'), photo(bytes));
  await expect.poll(async () => (await readDraft(owner))?.found.get('tires')?.photos.length).toBe(1);
  await first.unmount();
  await render(sheet(TRUCK));
  await expect.element(page.getByText('Picked up where you left off.')).toBeVisible();
  await expect.element(page.getByLabelText('Tires: what is wrong')).toHaveValue('Nail in the left rear tire');
  await expect.element(page.getByRole('img', { name: 'Photo 1: Tires' })).toBeVisible();
});

it('is about the vehicle in which it was begun, and says so when that changes', async () => {
  const form = await render(sheet(TRUCK));
  await reportTire();
  await form.rerender(sheet(OTHER));
  await expect.element(page.getByText('You started this inspection in 4133. You’re in 4127 now.')).toBeVisible();
  await form.rerender(sheet(null));
  await expect.element(page.getByText('You started this inspection in 4133 and have signed out since.')).toBeVisible();
  await sign.click();
  await expect.poll(entries).toMatchObject([{ kind: 'inspect', vehicleId: '4' }]);
});

it('starts over for the vehicle that the driver is in now', async () => {
  const form = await render(sheet(TRUCK));
  await reportTire();
  await form.rerender(sheet(OTHER));
  await page.getByRole('button', { name: 'Start over for 4127' }).click();
  await expect.element(page.getByText('No defects found')).toBeVisible();
  await sign.click();
  await expect.poll(entries).toMatchObject([{ kind: 'inspect', vehicleId: '5', defects: [] }]);
});

it('takes no photo that can’t be read, and reduces one that is too large', async () => {
  await render(sheet(TRUCK));
  await reportTire();
  await userEvent.upload(page.getByLabelText('Add a photo'), photo('no picture'));
  await expect.element(page.getByText(/^This photo can’t be used/)).toBeVisible();
  expect(page.getByRole('img', { name: /^Photo/ }).elements()).toEqual([]);
  // As large as a raw photo: the phone sends what the server keeps of it.
  choose(photo(bytes, new Uint8Array(9 * 1024 * 1024)));
  await expect.element(page.getByRole('img', { name: 'Photo 1: Tires' })).toBeVisible();
  const kept = async () => (await readDraft(owner))?.found.get('tires')?.photos[0]?.file.size ?? Infinity;
  await expect.poll(kept).toBeLessThan(8 * 1024 * 1024);
});

it('keeps the form on the screen where the storage is full and there is no network', async () => {
  await render(sheet(TRUCK));
  await reportTire();
  await userEvent.upload(page.getByLabelText('Add a photo'), photo(bytes));
  await expect.element(page.getByRole('img', { name: 'Photo 1: Tires' })).toBeVisible();
  const full = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('The disk is full', 'QuotaExceededError');
  });
  const network = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  try {
    await sign.click();
    await expect.element(page.getByText(/^This phone can’t store the photos/)).toBeVisible();
    await expect.element(page.getByLabelText('Tires: what is wrong')).toHaveValue('Nail in the left rear tire');
    expect([onClose.mock.calls, entries(), sent(recordDuty)]).toEqual([[], [], []]);
  } finally {
    full.mockRestore();
    network.mockRestore();
  }
});

it('says what is missing before it signs', async () => {
  await render(sheet(TRUCK));
  await reportTire('no');
  await sign.click();
  await expect
    .element(page.getByLabelText('Tires: what is wrong'))
    .toHaveAccessibleDescription(expect.stringContaining('Use at least 3 characters to describe the defect.'));
  await expect.element(page.getByLabelText('Tires: what is wrong')).toHaveFocus();
  expect(entries()).toEqual([]);
});
