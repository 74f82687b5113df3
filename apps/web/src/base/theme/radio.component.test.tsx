import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

it.each(['light', 'dark'])('[R4.18] shows in %s appearance which choice is made, and no other', async scheme => {
  const root = document.documentElement;
  const before = root.dataset.colorScheme;
  root.dataset.colorScheme = scheme;
  try {
    await render(
      <fieldset>
        <input type="radio" name="choice" aria-label="Chosen" defaultChecked />
        <input type="radio" name="choice" aria-label="Other" />
      </fieldset>,
    );
    const look = (name: string) => getComputedStyle(page.getByRole('radio', { name }).element());
    // A thick ring of the accent around a dot of the surface, and a thin one that is empty.
    const thick = (name: string) => Number.parseFloat(look(name).borderTopWidth);
    expect([thick('Chosen') >= 4, thick('Other') <= 2]).toEqual([true, true]);
    expect(look('Other').backgroundColor).toBe(look('Chosen').backgroundColor);
    expect(look('Other').borderTopColor).not.toBe(look('Chosen').borderTopColor);
    expect(look('Other').appearance).toBe('none');
  } finally {
    if (before !== undefined) root.dataset.colorScheme = before;
  }
});
