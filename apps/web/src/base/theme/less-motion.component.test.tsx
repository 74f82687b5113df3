import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { setAppearance } from '../appearance.ts';

/** The browser of these tests asks for less motion. */
it('a new appearance starts no transitions for users who asked for less motion', async () => {
  const begun: string[] = [];
  const note = ({ propertyName }: TransitionEvent) => begun.push(propertyName);
  document.addEventListener('transitionrun', note);
  await render(<button type="button">Save</button>);
  const background = () => getComputedStyle(document.body).backgroundColor;
  const before = background();
  setAppearance('dark');
  await expect.poll(background).not.toBe(before);
  // Their events come with the next frame.
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  setAppearance('light');
  document.removeEventListener('transitionrun', note);
  expect(begun).toEqual([]);
});
