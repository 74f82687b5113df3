import { describe, expect, it } from 'vitest';
import { refreshUntouched } from './refresh-untouched.ts';

const BASE = { name: 'Nora', email: '', scopes: ['a'] };

describe('a form that learns what it holds while it is open', () => {
  it('follows where nobody has typed', () => {
    const now = { ...BASE, email: 'nora@rockfish.example', scopes: ['a', 'b'] };
    expect(refreshUntouched(BASE, BASE, now, ['email', 'scopes'])).toEqual(now);
  });

  it('[R8.05] keeps what was typed, also when it is the empty text', () => {
    const typed = { ...BASE, name: '' };
    const now = { ...BASE, name: 'Nora Quint', email: 'nora@rockfish.example' };
    expect(refreshUntouched(typed, BASE, now, ['name', 'email'])).toEqual({ ...now, name: '' });
  });

  it('leaves alone what did not change, whatever else is known of it', () => {
    expect(refreshUntouched(BASE, BASE, { ...BASE, name: 'Old' }, [])).toEqual(BASE);
  });
});
