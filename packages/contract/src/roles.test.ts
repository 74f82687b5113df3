import { describe, expect, it } from 'vitest';
import { may, PERMISSIONS, PERMISSIONS_OF_ROLE, ROLES } from './roles.ts';

describe('[R6.03] roles', () => {
  it('are five', () => {
    expect(ROLES).toEqual(['owner', 'admin', 'dispatcher', 'viewer', 'driver']);
  });

  it('allow what the table says', () => {
    const allowed = Object.fromEntries(
      ROLES.map(role => [role, PERMISSIONS.filter(permission => may({ role, readOnly: false }, permission))]),
    );
    expect(allowed).toEqual({
      owner: ['vehicles.read', 'vehicles.write', 'trackers.unknown.read', 'commands.read'],
      admin: ['vehicles.read', 'vehicles.write', 'trackers.unknown.read', 'commands.read'],
      dispatcher: ['vehicles.read', 'commands.read'],
      viewer: ['vehicles.read'],
      driver: [],
    });
  });

  it('allow whoever only looks no more than their role, and nothing that writes or that shows strangers', () => {
    for (const role of ROLES) {
      const looking = PERMISSIONS.filter(permission => may({ role, readOnly: true }, permission));
      expect(PERMISSIONS_OF_ROLE[role]).toEqual(expect.arrayContaining(looking));
      expect(looking).toEqual(role === 'driver' ? [] : ['vehicles.read']);
    }
  });
});
