import type { Role } from '@milepost/contract';
import { expect, it } from 'vitest';
import { isFor } from './audience.ts';

const someone = (role: Role, userId = 'me', readOnly = false) => ({ role, userId, readOnly, scope: null });
const asked = { kind: 'secondPerson', askedBy: { id: 'nora' } } as const;

it('[R7.35] a request is for anyone who may control, but for who asked; every other alert for all', () => {
  expect(isFor(someone('owner'), asked)).toBe(true);
  expect(isFor(someone('admin'), asked)).toBe(true);
  expect(isFor(someone('owner', 'nora'), asked)).toBe(false);
  expect(isFor(someone('owner', 'me', true), asked)).toBe(false);
  for (const role of ['dispatcher', 'viewer', 'driver'] as const) expect(isFor(someone(role), asked)).toBe(false);
  const failed = { ...asked, kind: 'commandFailed' } as const;
  expect(isFor(someone('viewer'), failed)).toBe(true);
  expect(isFor(someone('owner', 'nora'), failed)).toBe(true);
});
