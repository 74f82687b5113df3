import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { copyText } from './copy-text.ts';
import { forgetToasts, useToasts } from './toasts/toast.ts';

const said = () => useToasts.getState().queue.map(({ message }) => message);
const copied = vi.fn();
const onCopy = (): void =>
  copied(document.activeElement instanceof HTMLTextAreaElement && document.activeElement.value);

afterEach(() => {
  vi.restoreAllMocks();
  copied.mockReset();
  document.removeEventListener('copy', onCopy);
  forgetToasts();
});

const clickToCopy = async (): Promise<void> => {
  document.addEventListener('copy', onCopy);
  await render(
    <dialog ref={dialog => dialog?.showModal()}>
      <button type="button" onClick={() => void copyText('41.88, -87.63', 'Copied', 'Select it')}>
        Copy
      </button>
    </dialog>,
  );
  await page.getByRole('button', { name: 'Copy' }).click();
};

it('copies at a plain http address, where the browser has no clipboard, from inside a dialog, too', async () => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  await clickToCopy();
  await expect.poll(said).toEqual(['Copied']);
  expect(copied).toHaveBeenCalledExactlyOnceWith('41.88, -87.63');
  expect(document.activeElement?.textContent).toBe('Copy');
  expect(document.querySelector('textarea')).toBeNull();
});

it('says what can’t be copied', async () => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  vi.spyOn(document, 'execCommand').mockReturnValue(false);
  await clickToCopy();
  await expect.poll(said).toEqual(['Select it']);
});
