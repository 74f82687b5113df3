import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownFor } from './push.ts';

it('shows what the server sent, and leads to the alert', () => {
  const message = { title: 'Critical · Crash · 4127', body: '14:00', tag: 'a1', path: '/alerts?q=4127&kind=crash' };
  expect(shownFor(JSON.stringify(message))).toEqual({
    title: message.title,
    options: { body: '14:00', tag: 'a1', icon: '/icons/icon-192.png', data: { path: message.path } },
  });
});

it.each([
  'https://elsewhere.example.com/',
  '//elsewhere.example.com/',
  '/\\elsewhere.example.com/',
  'javascript:alert(1)',
  '',
])('never leads out of the app: %s', path => {
  expect(shownFor(JSON.stringify({ title: 'x', path })).options.data.path).toBe('/alerts');
});

it('shows something whatever comes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(null)), text => {
      const { options, title } = shownFor(text);
      expect([typeof title, typeof options.body, options.data.path.startsWith('/')]).toEqual([
        'string',
        'string',
        true,
      ]);
    }),
  );
});
