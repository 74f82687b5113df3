import type { Role } from '@milepost/contract';
import { expect, it } from 'vitest';
import { isFor } from './audience.ts';

const somebody = (role: Role, userId = 'me', readOnly = false) => ({ role, userId, readOnly, scope: null });
const asked = { kind: 'secondPerson', askedBy: { id: 'nora' } } as const;

it('[R7.35] a request is for whoever may control, but for who asked; every other alert for all', () => {
  expect(isFor(somebody('owner'), asked)).toBe(true);
  expect(isFor(somebody('admin'), asked)).toBe(true);
  expect(isFor(somebody('owner', 'nora'), asked)).toBe(false);
  expect(isFor(somebody('owner', 'me', true), asked)).toBe(false);
  for (const role of ['dispatcher', 'viewer', 'driver'] as const) expect(isFor(somebody(role), asked)).toBe(false);
  const failed = { ...asked, kind: 'commandFailed' } as const;
  expect(isFor(somebody('viewer'), failed)).toBe(true);
  expect(isFor(somebody('owner', 'nora'), failed)).toBe(true);
});
