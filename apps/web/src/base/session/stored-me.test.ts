import { meSchema, NO_PREFERENCES } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { storedMe } from './stored-me.ts';

const ME = {
  id: '7',
  userName: 'dana',
  displayName: 'Dana Whitlock',
  email: null,
  phone: null,
  gender: 2,
  image: null,
  role: 'dispatcher',
  customRole: { id: '3', name: 'Yard' },
  permissions: ['vehicles.read'],
  scope: { folderIds: ['1'], departmentIds: [] },
  readOnly: false,
  duty: null,
  preferences: { ...NO_PREFERENCES, timeZone: 'America/Chicago', overviewTiles: ['stops'] },
  account: { id: '1', name: 'Northline', demo: false, operator: true },
};
const MESSAGING = { path: '/mqtt', clientIdPrefix: '7', userName: 'u', password: 'secret' };

describe('[R3.09] the user as the browser keeps them', () => {
  it('is what the contract says, without the messaging credential', () => {
    const read = storedMe({ ...ME, messaging: MESSAGING });
    expect(read).toEqual(meSchema.omit({ messaging: true }).parse(ME));
    expect(JSON.stringify(read)).not.toContain('secret');
  });

  it.each([
    null,
    [],
    {},
    { ...ME, role: 'king' },
    { ...ME, permissions: ['vehicles.fly'] },
    { ...ME, gender: 1.5 },
    { ...ME, scope: { folderIds: [1], departmentIds: [] } },
    { ...ME, preferences: { ...ME.preferences, timeZone: '+02:00' } },
    { ...ME, account: undefined },
  ])('written by another version it is refused: %j', kept => {
    expect(() => storedMe(kept)).toThrow();
  });
});
