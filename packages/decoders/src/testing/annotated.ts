/** Bytes in hexadecimal, with a comment after a bar on each line. */
export function annotated(text: string): Uint8Array {
  const digits = text
    .split('\n')
    .map(line => line.split('|')[0] ?? '')
    .join('')
    .replaceAll(/\s/g, '');
  return fromHex(digits);
}

export function fromHex(digits: string): Uint8Array {
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) throw new Error(`not hexadecimal: ${digits}`);
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16));
}
