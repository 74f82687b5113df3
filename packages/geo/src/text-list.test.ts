import { expect, it } from 'vitest';
import { textAt, textList, textsOf } from './text-list.ts';

it('gives each text back, whatever its letters', () => {
  const texts = ['', 'Chicago', 'São Paulo', '東京', '', '🚚 depot', 'Łódź'];
  const list = textList(texts);
  expect(texts.map((_, i) => textAt(list, i))).toEqual(texts);
  expect(texts.map((_, i) => textsOf(list)(i))).toEqual(texts);
  expect(textAt(list, texts.length)).toBeUndefined();
  expect(list.bytes.length).toBe(new TextEncoder().encode(texts.join('')).length);
  expect(list.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
});
