import { PERMISSIONS_OF_ROLE, type Permission } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { mayOpen, SECTION_IDS } from './settings-sections.ts';

const openTo = (...permissions: readonly Permission[]) =>
  SECTION_IDS.filter(id => mayOpen({ role: 'viewer', readOnly: false, scope: null, permissions }, id));

describe('the sections of the settings', () => {
  it('are open to anyone who may read all that is in them', () => {
    expect(openTo('commands.password')).toEqual([]);
    expect(openTo('commands.password', 'commands.read')).toEqual(['commands']);
    expect(openTo('audit.read')).toEqual(['audit']);
    expect(openTo(...PERMISSIONS_OF_ROLE.owner)).toEqual(SECTION_IDS);
  });

  it('are closed to an admin of a part of the account, but for their own vehicles’ subscriptions', () => {
    const admin = { role: 'admin', readOnly: false, scope: { folderIds: ['1'], departmentIds: [] } } as const;
    expect(SECTION_IDS.filter(id => mayOpen(admin, id))).toEqual(['subscriptions']);
  });
});
