import {
  createRole,
  deleteMyUser,
  listAudit,
  listRoles,
  PERMISSIONS_OF_ROLE,
  type RouteAnswer,
  readMyUsers,
  readUserDependents,
  registerUser,
  type User,
  updateMyUser,
  updateRole,
} from '@milepost/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible, expectAccessibleInBoth } from '../../../testing/accessible.ts';
import { type Answer, refused, sent, when } from '../../../testing/answers.ts';
import { goTo, open } from '../../../testing/app.tsx';
import { user } from '../../../testing/people.ts';

const PASSWORD = 'interstate 81 northbound';

let users: readonly User[] = [];
let roles: RouteAnswer<typeof listRoles> = [];
beforeEach(() => {
  users = [
    user('Ben Ocampo', { role: 'admin' }),
    user('Omar Haddad', { role: 'dispatcher' }),
    user('Gus Kline', { role: 'viewer' }),
  ];
  roles = (['dispatcher', 'viewer'] as const).map(role => ({
    id: role,
    name: role,
    builtIn: true,
    basedOn: role,
    permissions: [...PERMISSIONS_OF_ROLE[role]],
    users: 1,
    grantable: true,
  }));
});

const invitation = (url: string) => ({ url, expiresAt: '2100-01-01T00:00:00Z', sent: false });

/** The server, as far as the page knows it: what is saved is in the next list. */
const ANSWERS: readonly Answer[] = [
  when(readMyUsers, () => [...users]),
  when(listAudit, { entries: [], next: null }),
  when(listRoles, () => roles),
  when(registerUser, ({ body }) => {
    if (users.some(({ userName }) => userName === body.userName)) return refused('user-name-taken');
    if (body.password?.includes(body.userName)) {
      return refused('invalid-input', {
        fields: [{ field: 'password', code: 'name-in-password', params: { word: body.userName } }],
      });
    }
    const isInvited = body.password === undefined;
    const data = user(body.displayName, {
      userName: body.userName,
      email: body.email ?? null,
      role: body.role,
      state: isInvited ? 'invited' : 'active',
    });
    users = [...users, data];
    return { data, invitation: isInvited ? invitation('http://127.0.0.1/login#invitation=first') : null };
  }),
  when(updateMyUser, ({ params, body: { active, password: _, customRoleId, ...body } }) => {
    const before = users.find(({ id }) => id === params.id);
    if (!before) return refused('not-found');
    const role = roles.find(({ id }) => id === customRoleId);
    const data: User = {
      ...before,
      ...(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<User>),
      ...(role && { customRole: { id: role.id, name: role.name } }),
      ...(active !== undefined && { state: active ? 'active' : 'deactivated' }),
    };
    users = users.map(one => (one === before ? data : one));
    const isNew = before.state === 'invited' && data.email !== before.email;
    return { data, invitation: isNew ? invitation('http://127.0.0.1/login#invitation=second') : null };
  }),
];

const openUsers = (path = '/users', answers: readonly Answer[] = []) => open(path, [...ANSWERS, ...answers]);

const row = (name: string) => page.getByRole('row').filter({ hasText: name });

describe('the users page', () => {
  it('filters and search are in the address, and are removed by their tokens', async () => {
    await openUsers('/users?role=admin,viewer&q=ben');
    await expect.element(row('Ben Ocampo')).toBeVisible();
    expect(row('Gus Kline').elements()).toEqual([]);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect.element(row('Gus Kline')).toBeVisible();
    await page.getByRole('button', { name: 'Remove filter Role: Admin' }).click();
    await expect.element(row('Ben Ocampo')).not.toBeInTheDocument();
    await expect.poll(() => location.search).toBe('?role=viewer');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('checkbox', { name: 'passkey' }).click();
    await expect.element(page.getByText('Nothing matches', { exact: true })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect.element(row('Omar Haddad')).toBeVisible();
  });

  it('[R7.04] says of drivers that they see what they drive, not everything', async () => {
    users = [...users, user('Dana Whitlock', { role: 'driver' })];
    roles = [...roles, { ...(roles[0] as (typeof roles)[number]), id: 'driver', name: 'driver', basedOn: 'driver' }];
    await openUsers();
    await expect.element(row('Dana Whitlock').getByText('What they drive', { exact: true })).toBeVisible();
    await expect.element(row('Ben Ocampo').getByText('Everything', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Add a user' });
    await drawer.getByLabelText('Role').selectOptions('driver');
    await expect.element(drawer.getByText('Drivers see the vehicle they’re driving now')).toBeVisible();
    // They decide whose drivers a limited admin manages.
    await expect.element(drawer.getByRole('group', { name: 'Folders and departments' })).toBeVisible();
  });

  it('[R7.04] shows errors beside each field, keeps what was typed, then invites and shows the link', async () => {
    await openUsers();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Add a user' });
    await drawer.getByLabelText('Email').fill('not an address');
    await drawer.getByRole('button', { name: 'Invite' }).click();
    const name = drawer.getByLabelText('Name', { exact: true });
    await expect.element(name).toHaveAccessibleDescription('Enter a name of up to 80 characters.');
    await expect.element(name).toHaveFocus();
    await expect.element(drawer.getByText('3 fields need your attention.')).toBeVisible();
    await expect
      .element(drawer.getByLabelText('Email'))
      .toHaveAccessibleDescription(expect.stringContaining('Enter a valid email address'));

    await name.fill('Sam Ortega');
    await drawer.getByLabelText('User name').fill('o.haddad');
    await drawer.getByLabelText('Email').fill('');
    await drawer.getByLabelText('Role').selectOptions('viewer');
    await drawer.getByRole('button', { name: 'Invite' }).click();
    const userName = drawer.getByLabelText('User name');
    await expect.element(userName).toHaveAccessibleDescription('That user name is taken.');
    await expect.element(userName).toHaveFocus();
    await expect.element(name).toHaveValue('Sam Ortega');
    await userName.fill('s.ortega');
    await drawer.getByRole('button', { name: 'Invite' }).click();

    const added = page.getByRole('complementary', { name: 'Sam Ortega was added' });
    await expect.element(added.getByRole('code')).toHaveTextContent('http://127.0.0.1/login#invitation=first');
    await expect.element(row('Sam Ortega').getByText('invited')).toBeVisible();
  });

  it('corrects an address before the user has accepted: a new invitation is shown, which replaces the earlier one', async () => {
    await openUsers();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const add = page.getByRole('complementary', { name: 'Add a user' });
    await add.getByLabelText('Name', { exact: true }).fill('Lea Brandt');
    await add.getByLabelText('User name').fill('l.brandt');
    await add.getByLabelText('Email').fill('lea@exmaple.com');
    await add.getByRole('button', { name: 'Invite' }).click();
    const added = page.getByRole('complementary', { name: 'Lea Brandt was added' });
    await expect.element(added.getByRole('code')).toHaveTextContent('http://127.0.0.1/login#invitation=first');

    await page
      .getByRole('button', { name: /Lea Brandt/ })
      .first()
      .click();
    const drawer = page.getByRole('complementary', { name: 'Lea Brandt', exact: true });
    await drawer.getByRole('tab', { name: 'Person' }).click();
    await drawer.getByLabelText('Email').fill('lea@example.com');
    await drawer.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'New invitation' });
    await expect.element(dialog.getByText('This invitation replaces the one')).toBeVisible();
    await expect.element(dialog.getByRole('code')).toHaveTextContent('http://127.0.0.1/login#invitation=second');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect.element(drawer.getByLabelText('Email')).toHaveValue('lea@example.com');
  });

  it('[R7.04] adds a user with a password: an unsuitable one is reported beside the field, and nothing typed is lost', async () => {
    await openUsers();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Add a user' });
    await drawer.getByRole('button', { name: 'With a password' }).click();
    const name = drawer.getByLabelText('Name', { exact: true });
    const password = drawer.getByRole('textbox', { name: 'New password' });
    const repeat = drawer.getByRole('textbox', { name: 'Repeat password' });
    await drawer.getByLabelText('User name').fill('i.novak');
    await password.fill('too short');
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await expect.element(password).toHaveAccessibleDescription(expect.stringContaining('Use at least 12 characters.'));
    await expect.element(name).toHaveAccessibleDescription('Enter a name of up to 80 characters.');
    await expect.element(repeat).toHaveAccessibleDescription('The passwords don’t match.');
    await expect.element(name).toHaveFocus();
    await expect.element(drawer.getByLabelText('User name')).toHaveValue('i.novak');
    await expect.element(password).toHaveValue('too short');

    // Errors that only the server finds appear in the same place.
    await name.fill('Iva Novak');
    await password.fill('i.novak and more');
    await repeat.fill('i.novak and more');
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await expect.element(password).toHaveAccessibleDescription(expect.stringContaining('Leave out “i.novak”'));
    await expect.element(password).toHaveFocus();
    await expect.element(name).toHaveValue('Iva Novak');
    await expect.element(repeat).toHaveValue('i.novak and more');
    await password.fill(PASSWORD);
    await repeat.fill(PASSWORD);
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await expect.element(page.getByText('Tell Iva Novak the user name i.novak and the password.')).toBeVisible();
    await expect.element(row('Iva Novak').getByText('active')).toBeVisible();
  });

  it('[R7.06] sets a user’s password: errors are shown beside the field and input is kept', async () => {
    await openUsers('/users', [
      when(updateMyUser, ({ body }) =>
        body.password === 'unbelievable'
          ? refused('invalid-input', { fields: [{ field: 'password', code: 'common-password' }] })
          : { data: user('Omar Haddad'), invitation: null },
      ),
    ]);
    await row('Omar Haddad').getByRole('button', { name: 'Actions for Omar Haddad' }).click();
    await page.getByRole('menuitem', { name: 'Set a password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set a password' });
    const password = dialog.getByRole('textbox', { name: 'New password' });
    const repeat = dialog.getByRole('textbox', { name: 'Repeat password' });
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await expect.element(password).toHaveAccessibleDescription(expect.stringContaining('Use at least 12 characters.'));
    await expect.element(password).toHaveFocus();
    await password.fill('a road through the hills');
    await repeat.fill('a road through the dales');
    await userEvent.keyboard('{Enter}');
    await expect.element(repeat).toHaveAccessibleDescription('The passwords don’t match.');
    await expect.element(repeat).toHaveFocus();
    await expect.element(password).toHaveValue('a road through the hills');
    await expect.element(repeat).toHaveValue('a road through the dales');
    await password.fill('unbelievable');
    await repeat.fill('unbelievable');
    await userEvent.keyboard('{Enter}');
    await expect.element(password).toHaveFocus();
    await expect.element(password).toHaveAccessibleDescription(expect.stringContaining('known data leaks'));
    await expect.element(password).toHaveValue('unbelievable');
    await password.fill('a road through the hills');
    await repeat.fill('a road through the hills');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Omar Haddad has a new password.')).toBeVisible();
    expect(sent(updateMyUser).at(-1)?.body).toEqual({ password: 'a road through the hills' });
  });

  it('[R7.06] changes a role, and asks before unsaved changes are lost', async () => {
    await openUsers();
    await page
      .getByRole('button', { name: /Gus Kline/ })
      .first()
      .click();
    const drawer = page.getByRole('complementary', { name: 'Gus Kline' });
    await expect.element(drawer.getByText('Viewer can')).toBeVisible();
    await drawer.getByLabelText('Role').selectOptions('dispatcher');
    await expect.element(drawer.getByText('Dispatcher can')).toBeVisible();
    await expect.element(drawer.getByText('1 unsaved change')).toBeVisible();

    const ask = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await ask.getByRole('button', { name: 'Stay here' }).click();
    await expect.element(drawer.getByLabelText('Role')).toHaveValue('dispatcher');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('Gus Kline saved.')).toBeVisible();
    await expect.element(row('Gus Kline').getByText('Dispatcher')).toBeVisible();
    await drawer.getByLabelText('Role').selectOptions('viewer');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await ask.getByRole('button', { name: 'Leave without saving' }).click();
    await expect.poll(() => location.pathname).toBe('/');
  });

  it('deactivates, and [R7.07] deletes only after the user name is typed, saying what else is deleted', async () => {
    const dependents = { sessions: 1, apiTokens: 0, drivers: [], usersMade: 0 };
    await openUsers('/users', [
      when(readUserDependents, dependents),
      when(deleteMyUser, ({ params: { id } }) => {
        users = users.filter(one => one.id !== id);
        return { deleted: true as const, id, dependents };
      }),
    ]);
    await row('Ben Ocampo').getByRole('button', { name: 'Actions for Ben Ocampo' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await expect.element(row('Ben Ocampo').getByText('deactivated')).toBeVisible();
    expect(sent(updateMyUser).at(-1)?.body).toEqual({ active: false });

    await row('Ben Ocampo').getByRole('button', { name: 'Actions for Ben Ocampo' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Ben Ocampo?' });
    await expect.element(dialog.getByText('What they did stays in the audit log')).toBeVisible();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    await expect.element(confirm).toBeDisabled();
    await dialog.getByLabelText('Type b.ocampo to confirm').fill('b.ocamp');
    await expect.element(confirm).toBeDisabled();
    await dialog.getByLabelText('Type b.ocampo to confirm').fill('b.ocampo');
    await confirm.click();
    await expect.element(page.getByText('Ben Ocampo deleted.')).toBeVisible();
    await expect.element(row('Ben Ocampo')).not.toBeInTheDocument();
  });

  it('creates a custom role and assigns it to a user', async () => {
    const made = { id: '7', builtIn: false, users: 0, grantable: true };
    await openUsers('/users', [
      when(createRole, ({ body }) => {
        const role = { ...made, ...body };
        roles = [...roles, role];
        return role;
      }),
      when(updateRole, ({ params: { id }, body }) => {
        const before = roles.find(one => one.id === id);
        if (!before) return refused('not-found');
        const role = { ...before, permissions: body.permissions ?? before.permissions };
        roles = roles.map(one => (one === before ? role : one));
        return role;
      }),
    ]);
    await page.getByRole('button', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'New role' }).click();
    const form = page.getByRole('complementary', { name: 'New role' });
    await form.getByRole('checkbox', { name: 'Audit log: See' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    const name = form.getByLabelText('Name of the role');
    await expect.element(name).toHaveAccessibleDescription(expect.stringContaining('Enter a name'));
    await expect.element(name).toHaveFocus();
    await name.fill('Safety and compliance');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('Safety and compliance saved.')).toBeVisible();

    const list = page.getByRole('complementary', { name: 'Roles' });
    await list.getByText('Safety and compliance', { exact: true }).click();
    await list.getByRole('button', { name: 'Edit Safety and compliance' }).click();
    const edit = page.getByRole('complementary', { name: 'Safety and compliance' });
    await edit.getByRole('checkbox', { name: 'Audit log: See' }).click();
    const ask = page.getByRole('dialog', { name: 'Leave without saving?' });
    for (const leave of [() => userEvent.keyboard('{Escape}'), () => edit.getByLabelText('Close').click()]) {
      await leave();
      await ask.getByRole('button', { name: 'Stay here' }).click();
    }
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect.element(list.getByText('Safety and compliance', { exact: true })).toBeVisible();
    expect(sent(updateRole).map(({ body }) => Object.keys(body))).toEqual([['permissions']]);
    await page
      .getByRole('button', { name: /Omar Haddad/ })
      .first()
      .click();
    const drawer = page.getByRole('complementary', { name: 'Omar Haddad' });
    await drawer.getByLabelText('Role').selectOptions('Safety and compliance');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect.element(row('Omar Haddad').getByText('Safety and compliance')).toBeVisible();
  });

  it('by keyboard alone: rows with arrow keys, the drawer with Enter and Escape', async () => {
    await openUsers();
    await expect.element(row('Gus Kline')).toBeVisible();
    await userEvent.keyboard('j');
    await userEvent.keyboard('{ArrowDown}');
    const second = page.getByRole('row').nth(2).getByRole('button').first();
    await expect.element(second).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    const drawer = page.getByRole('complementary').filter({ hasText: 'Access ends' });
    await expect.poll(() => drawer.element().contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await expect.element(drawer).not.toBeInTheDocument();
    await expect.element(second).toHaveFocus();
  });

  it('axe finds nothing in drawers, light and dark, also on a phone', async () => {
    await openUsers();
    await page.viewport(390, 900);
    await page
      .getByRole('button', { name: /Gus Kline/ })
      .first()
      .click();
    await expect.element(page.getByText('Access ends')).toBeVisible();
    await expectAccessibleInBoth();
    await page.viewport(1440, 900);
    await expectAccessibleInBoth();
    await goTo('/users?open=roles');
    await page.getByRole('button', { name: 'New role' }).click();
    await expect.element(page.getByLabelText('Name of the role')).toBeVisible();
    await expectAccessibleInBoth();
  });
});
