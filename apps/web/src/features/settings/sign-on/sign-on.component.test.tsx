import { listRoles, readSignOn, type SignOn, trySignOn, updateSignOn } from '@milepost/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../../testing/accessible.ts';
import { type Answer, refused, sent, when } from '../../../../testing/answers.ts';
import { open } from '../../../../testing/app.tsx';

const URIS = { redirectUris: ['https://fleet.example/sign-on'], signOutUris: ['https://fleet.example/login'] };
const SET_UP: SignOn = {
  ...URIS,
  link: 'https://fleet.example/sign-on?with=2f0c1e7e-5f0e-4c8e-9a44-2f7c4ad6c0b1',
  users: 12,
  settings: {
    ...{ enabled: true, label: 'Acme ID', issuer: 'https://id.acme.example', clientId: 'milepost', hasSecret: true },
    ...{ scopes: 'email profile', groupsClaim: 'groups', defaultRole: null, domains: ['acme.example'] },
    groups: [{ group: 'dispatch', role: 'dispatcher', customRoleId: null, scope: null }],
    ...{ createUsers: true, matchByEmail: false, passwords: 'owners', trustSecondFactor: false, signOutToo: false },
  },
};
let kept: SignOn = SET_UP;
beforeEach(() => {
  kept = SET_UP;
});

async function openSection(...more: readonly Answer[]): Promise<void> {
  await open('/settings/signOn', [when(readSignOn, () => kept), when(listRoles, []), ...more]);
  await expect.element(page.getByLabelText('Issuer', { exact: true })).toBeVisible();
}
const save = () => page.getByRole('button', { name: /^Save/ }).click();
const NEW: SignOn = { ...URIS, settings: null, link: null, users: 0 };

describe('Settings › Single sign-on', () => {
  it('shows what to register at the provider and who has signed in; axe finds nothing, light and dark', async () => {
    await page.viewport(390, 844);
    await openSection();
    await expect.element(page.getByText('https://fleet.example/sign-on', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Copy Redirect URI', exact: true })).toBeVisible();
    await expect.element(page.getByText('12 users have signed in with it.')).toBeVisible();
    await expect.element(page.getByLabelText('Client secret')).toHaveValue('');
    await expectAccessibleInBoth();
  });

  it('[R5.03] says beside each field what is wrong, and keeps what was typed', async () => {
    kept = NEW;
    await openSection();
    await page.getByLabelText('Button text').fill('Acme ID');
    await page.getByLabelText('Issuer', { exact: true }).fill('http://id.acme.example');
    await page.getByLabelText('Email domains').fill('acme.example, not a domain');
    await save();
    await expect
      .element(page.getByLabelText('Issuer', { exact: true }))
      .toHaveAccessibleDescription(/Enter an address that begins with https:\/\//);
    await expect.element(page.getByLabelText('Client ID')).toHaveAccessibleDescription('Fill this in.');
    await expect
      .element(page.getByLabelText('Email domains'))
      .toHaveAccessibleDescription(/Enter domains such as example\.com\./);
    await expect.element(page.getByLabelText('Button text')).toHaveValue('Acme ID');
    expect(sent(updateSignOn)).toEqual([]);
  });

  it('sends the groups in order, with the secret only if one was typed', async () => {
    await openSection(when(updateSignOn, () => kept));
    await page.getByRole('button', { name: 'Add group' }).click();
    const row = page.getByRole('group', { name: 'Group 2' });
    await row.getByLabelText('Group', { exact: true }).fill('drivers');
    await row.getByLabelText('Role').selectOptions('Driver');
    await page.getByLabelText('Email domains').fill('acme.example; sub.acme.example');
    await save();
    await expect.poll(() => sent(updateSignOn)).toHaveLength(1);
    expect(sent(updateSignOn)[0]?.body).toMatchObject({
      clientSecret: '',
      defaultRole: null,
      domains: ['acme.example', 'sub.acme.example'],
      groups: [
        { group: 'dispatch', role: 'dispatcher' },
        { group: 'drivers', role: 'driver', customRoleId: null },
      ],
    });
  });

  it('keeps all that was typed when the server refuses it', async () => {
    await openSection(
      when(
        updateSignOn,
        refused('invalid-input', { fields: [{ field: 'clientSecret', code: 'sign-on-secret-again' }] }),
      ),
    );
    await page.getByLabelText('Issuer', { exact: true }).fill('https://id2.acme.example');
    await save();
    await expect
      .element(page.getByLabelText('Client secret'))
      .toHaveAccessibleDescription(/Enter the client secret again/);
    await expect.element(page.getByLabelText('Issuer', { exact: true })).toHaveValue('https://id2.acme.example');
  });

  it('shows what the provider says, and forgets it for another address', async () => {
    await openSection(
      when(trySignOn, ({ body }) => ({
        failure: body.issuer === 'https://id.acme.example' ? null : ('no-host' as const),
        found:
          body.issuer === 'https://id.acme.example'
            ? {
                ...{ issuer: body.issuer, authorization: `${body.issuer}/auth`, scopes: ['openid', 'groups'] },
                ...{ claims: null, signatures: ['RS256'], signOut: true },
              }
            : null,
      })),
    );
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect.element(page.getByText('The provider answers')).toBeVisible();
    await expect.element(page.getByText('openid, groups')).toBeVisible();
    await page.getByLabelText('Issuer', { exact: true }).fill('https://nowhere.example');
    await expect.element(page.getByText('The provider answers')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect.element(page.getByText('There is no server with this name. Check the address.')).toBeVisible();
  });
});
