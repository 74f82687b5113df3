import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on the terminal without echo; null if nothing was typed or there is no terminal. */
export async function askPassword(): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  process.stderr.write('New password (at least 12 characters; leave empty to generate one): ');
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silence, terminal: true });
  try {
    return (await terminal.question('')) || null;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** A password that is easy to copy by hand: 25 letters and digits in groups, without look-alikes; 125 bits. */
export function makePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(25), byte => letters[byte % 32] ?? '')
    .join('')
    .replace(/.{5}(?=.)/g, '$&-');
}
