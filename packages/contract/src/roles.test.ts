import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_WIDE_PERMISSIONS,
  type Actor,
  isLimited,
  may,
  mayGrant,
  PERMISSIONS,
  PERMISSIONS_OF_ROLE,
  permissionsOf,
  ROLES,
} from './roles.ts';

const ADMIN = [
  'profile.read',
  'profile.write',
  'vehicles.read',
  'vehicles.write',
  'trackers.unknown.read',
  'commands.read',
  'commands.settings',
  'commands.control',
  'commands.password',
  'alerts.read',
  'alerts.write',
  'logbook.read',
  'logbook.write',
  'logbook.settings',
  'tasks.read',
  'tasks.write',
  'shares.read',
  'shares.write',
  'shares.long',
  'views.share',
  'geofences.read',
  'geofences.write',
  'rules.read',
  'rules.write',
  'organisation.read',
  'organisation.write',
  'organisation.assign',
  'drivers.read',
  'drivers.write',
  'users.read',
  'users.write',
  'roles.write',
  'settings.read',
  'settings.write',
  'tenant.write',
  'subscriptions.read',
  'privacy.write',
  'audit.read',
  'data.read',
  'data.write',
];

const actors: fc.Arbitrary<Actor> = fc.record({
  role: fc.constantFrom(...ROLES),
  readOnly: fc.boolean(),
  permissions: fc.option(fc.subarray([...PERMISSIONS])),
  scope: fc.option(fc.constant({ folderIds: [], departmentIds: [] })),
});

describe('[R6.03] roles', () => {
  it('are five', () => {
    expect(ROLES).toEqual(['owner', 'admin', 'dispatcher', 'viewer', 'driver']);
  });

  it('have the permissions in the table', () => {
    const allowed = Object.fromEntries(
      ROLES.map(role => [
        role,
        PERMISSIONS.filter(permission => may({ role, readOnly: false, scope: null }, permission)),
      ]),
    );
    const personal = ['profile.read', 'profile.write', 'vehicles.read'];
    expect(allowed).toEqual({
      owner: PERMISSIONS.filter(permission => permission !== 'logbook.own'),
      admin: ADMIN,
      dispatcher: [
        ...personal,
        'commands.read',
        'alerts.read',
        'alerts.write',
        'logbook.read',
        'tasks.read',
        'tasks.write',
        'shares.read',
        'shares.write',
        'geofences.read',
        'geofences.write',
        'rules.read',
        'rules.write',
        'organisation.read',
        'organisation.assign',
        'drivers.read',
      ],
      viewer: [
        ...personal,
        'alerts.read',
        'tasks.read',
        'geofences.read',
        'rules.read',
        'organisation.read',
        'drivers.read',
      ],
      driver: [...personal.slice(0, 3), 'logbook.own'],
    });
  });

  it('give a read-only user no more than their role, and nothing that changes data or shows people or unknown trackers', () => {
    const looking = (role: (typeof ROLES)[number]) =>
      PERMISSIONS.filter(permission => may({ role, readOnly: true, scope: null }, permission));
    for (const role of ROLES) expect(PERMISSIONS_OF_ROLE[role]).toEqual(expect.arrayContaining(looking(role)));
    expect(looking('owner')).toEqual([
      'vehicles.read',
      'alerts.read',
      'logbook.read',
      'tasks.read',
      'geofences.read',
      'rules.read',
      'organisation.read',
      'drivers.read',
      'settings.read',
      'subscriptions.read',
    ]);
    expect(looking('viewer')).toEqual([
      'vehicles.read',
      'alerts.read',
      'tasks.read',
      'geofences.read',
      'rules.read',
      'organisation.read',
      'drivers.read',
    ]);
    expect(looking('driver')).toEqual(['vehicles.read']);
  });

  it('are overridden by a custom list of permissions', () => {
    const actor: Actor = { role: 'admin', readOnly: false, scope: null, permissions: ['drivers.read'] };
    expect(PERMISSIONS.filter(permission => may(actor, permission))).toEqual(['drivers.read']);
  });
});

describe('[R6.03] limited users', () => {
  const scope = { folderIds: ['1'], departmentIds: [] };

  it('are users with folders or departments, and every driver; never an owner', () => {
    for (const role of ROLES) {
      expect([role, isLimited({ role, scope: null })]).toEqual([role, role === 'driver']);
      expect([role, isLimited({ role, scope })]).toEqual([role, role !== 'owner']);
    }
  });

  it('have no permission for the whole account, whatever their role or custom role says', () => {
    fc.assert(
      fc.property(actors, actor => {
        const held = permissionsOf(actor).filter(each => ACCOUNT_WIDE_PERMISSIONS.some(wide => wide === each));
        if (isLimited(actor)) expect(held).toEqual([]);
        const named = (actor.permissions ?? PERMISSIONS_OF_ROLE[actor.role]).filter(
          each => !ACCOUNT_WIDE_PERMISSIONS.some(wide => wide === each),
        );
        // No other permission is removed.
        expect(permissionsOf({ ...actor, readOnly: false })).toEqual(expect.arrayContaining(named));
      }),
    );
  });
});

describe('granting', () => {
  it('never gives more permissions than the granting user has', () => {
    fc.assert(
      fc.property(actors, actors, (actor, { readOnly: _, ...granted }) => {
        fc.pre(mayGrant(actor, granted));
        const given = permissionsOf({ ...granted, readOnly: false }).filter(
          each => !each.startsWith('profile.') && each !== 'logbook.own',
        );
        expect(permissionsOf(actor)).toEqual(expect.arrayContaining(given));
      }),
    );
  });

  it('only an owner can make an owner, whatever the list of permissions', () => {
    const owner: Actor = { role: 'owner', readOnly: false, scope: null };
    const admin: Actor = { role: 'admin', readOnly: false, scope: null };
    expect(mayGrant(owner, { role: 'owner', scope: null })).toBe(true);
    expect(mayGrant(owner, { role: 'admin', scope: null })).toBe(true);
    expect(mayGrant(admin, { role: 'admin', scope: null })).toBe(true);
    expect(mayGrant(admin, { role: 'owner', scope: null })).toBe(false);
    expect(mayGrant(admin, { role: 'owner', permissions: [], scope: null })).toBe(false);
    expect(mayGrant({ role: 'viewer', readOnly: false, scope: null }, { role: 'dispatcher', scope: null })).toBe(false);
  });
});
