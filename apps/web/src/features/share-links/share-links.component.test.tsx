import {
  listOwnShares,
  listShares,
  PERMISSIONS_OF_ROLE,
  revokeShare,
  revokeSharesBy,
  type Share,
} from '@milepost/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible, expectAccessibleInBoth } from '../../../testing/accessible.ts';
import { type Answer, refused, sent, when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';

const HOUR_MS = 3_600_000;
const NORA = { id: someone().id, name: 'nora.kessler' };
const OMAR = { id: crypto.randomUUID(), name: 'Omar Haddad' };
const YARA = { id: crypto.randomUUID(), name: 'Yara Voss' };
const [TRUCK, VAN] = [
  { id: '1', deviceName: '4127' },
  { id: '2', deviceName: '4118' },
];
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
let nextId = 1;
const share = (createdBy: Share['createdBy'], vehicles: Share['vehicles'], changes: Partial<Share> = {}): Share => ({
  ...{ id: String(nextId++), state: 'open', name: null, note: null, vehicles, hidden: 0, createdBy },
  ...{ showTrail: true, showSpeed: false, showGeofences: false, showEta: false },
  ...{ startsAt: inHours(-1), expiresAt: inHours(8), createdAt: inHours(-1), revokedAt: null },
  ...{ views: 0, lastViewedAt: null },
  ...changes,
});

let shares: Share[] = [];
beforeEach(() => {
  shares = [
    share(NORA, [TRUCK, VAN], { name: 'Load 88', note: 'Dock 4' }),
    share(OMAR, [VAN], { name: 'Yard tour', state: 'planned', startsAt: inHours(2) }),
    share(OMAR, [TRUCK]),
    share(YARA, [TRUCK], { name: 'Gate' }),
  ];
});
const ended = (one: Share): Share => ({ ...one, state: 'revoked', revokedAt: new Date().toISOString() });

/** The server, as far as the page knows it: what is ended has ended in the next list. */
const ANSWERS: readonly Answer[] = [
  when(listShares, () => ({ shares })),
  when(listOwnShares, () => ({ shares: shares.filter(({ createdBy }) => createdBy === YARA) })),
  when(revokeShare, ({ params }) => {
    shares = shares.map(one => (one.id === params.id ? ended(one) : one));
    const found = shares.find(({ id }) => id === params.id);
    return found ? { share: found } : refused('not-found');
  }),
  when(revokeSharesBy, ({ query }) => {
    const theirs = shares.filter(({ createdBy }) => createdBy.id === query.createdBy);
    shares = shares.map(one => (theirs.includes(one) ? ended(one) : one));
    return { shares: theirs.map(ended) };
  }),
];

const table = () => page.getByRole('region', { name: 'Share links' });
const row = (name: string | RegExp) => table().getByRole('row', { name });
const names = () => [...document.querySelectorAll('tbody b')].map(({ textContent }) => textContent);
const query = () => new URLSearchParams(location.search);

describe('all share links', () => {
  it('are in one table, found by name, vehicle, creator and state, all of it in the address', async () => {
    await open('/share-links', ANSWERS);
    await expect.element(page.getByText('4 links', { exact: true })).toBeVisible();
    // Open links come first, then planned ones.
    expect(names().at(-1)).toBe('Yard tour');
    for (const text of ['4127, 4118', 'Active', 'nora.kessler', 'never']) {
      await expect.element(row(/Load 88/).getByText(text, { exact: true })).toBeVisible();
    }
    await expectAccessible();
    await userEvent.keyboard('f');
    await userEvent.keyboard('4118 omar');
    await expect.poll(names).toEqual(['Yard tour']);
    await expect.poll(() => query().get('q')).toBe('4118 omar');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('button', { name: 'Not started · 1' }).click();
    await expect.poll(names).toEqual(['Yard tour']);
    await expect.poll(() => location.search).toBe('?state=planned');
    await page.getByRole('button', { name: 'Expired · 0' }).click();
    await expect.element(page.getByText('Nothing matches')).toBeVisible();
  });

  it('are filtered as the address says', async () => {
    await open('/share-links?state=planned', ANSWERS);
    await expect.poll(names).toEqual(['Yard tour']);
  });

  it('are opened, read in detail and ended by keyboard', async () => {
    await open('/share-links', ANSWERS);
    await expect.element(row(/Load 88/)).toBeVisible();
    await userEvent.keyboard('j');
    await userEvent.keyboard('j');
    await userEvent.keyboard('k');
    const opens = row(/Load 88/).getByRole('button', { name: /^Load 88/ });
    (opens.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const drawer = page.getByRole('complementary', { name: 'Load 88' });
    for (const text of ['Dock 4', 'position, trail', '4118']) {
      await expect.element(drawer.getByText(text, { exact: true })).toBeVisible();
    }
    await expectAccessible();
    (drawer.getByRole('button', { name: 'End link Load 88' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const end = drawer.getByRole('button', { name: 'End link', exact: true });
    await expect.element(end).toBeVisible();
    (end.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(drawer.getByText('Ended', { exact: true })).toBeVisible();
    expect(sent(revokeShare)).toHaveLength(1);
    await userEvent.keyboard('{Escape}');
    await expect.element(drawer).not.toBeInTheDocument();
    await expect.element(row(/Load 88/).getByText('Ended', { exact: true })).toBeVisible();
    await expect.poll(() => names().at(-1)).toBe('Load 88');
  });

  it('of one user are ended together', async () => {
    await open('/share-links', ANSWERS);
    const menu = row(/Yard tour/).getByRole('button', { name: 'Actions for Yard tour' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Only links by Omar Haddad' }).click();
    await expect.poll(() => names().length).toBe(2);
    await expect.element(page.getByRole('button', { name: 'Remove filter Created by: Omar Haddad' })).toBeVisible();
    (menu.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await page.getByRole('menuitem', { name: 'End all 2 links by Omar Haddad' }).click();
    const dialog = page.getByRole('dialog', { name: 'End all 2 links by Omar Haddad' });
    await expect.element(dialog).toBeVisible();
    await expectAccessible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.poll(() => document.activeElement === menu.element()).toBe(true);
    await page.getByRole('button', { name: 'End all 2 links by Omar Haddad' }).click();
    await dialog.getByRole('button', { name: 'End links' }).click();
    await expect.element(page.getByText('2 links ended.').first()).toBeVisible();
    expect(sent(revokeSharesBy)).toMatchObject([{ query: { createdBy: OMAR.id } }]);
    await page.getByRole('button', { name: /^Ended · \d/ }).click();
    await expect.poll(() => names().toSorted()).toEqual(['4127', 'Yard tour']);
    await expect.element(page.getByRole('button', { name: /^End all/ })).not.toBeInTheDocument();
  });

  it('are only their own for users who may only create links', async () => {
    const permissions = ['vehicles.read', 'shares.write'] as const;
    await open('/share-links', ANSWERS, { me: someone({ role: 'dispatcher', permissions: [...permissions] }) });
    await expect.element(page.getByText('You see the links you created.')).toBeVisible();
    await expect.poll(names).toEqual(['Gate']);
  });

  it('are none for users who may neither see nor create links', async () => {
    const me = someone({ role: 'viewer', permissions: [...PERMISSIONS_OF_ROLE.viewer] });
    await open('/share-links', [...ANSWERS, when(listOwnShares, refused('not-allowed'))], { me });
    await expect.element(page.getByRole('alert').getByText('Your role does not allow this.')).toBeVisible();
  });

  it('that are loaded stay, with their time, when they can’t be loaded again', async () => {
    let isBusy = false;
    const busy = when(listShares, () => (isBusy ? refused('too-many-requests', { params: { waitS: 1 } }) : { shares }));
    await open('/share-links', [...ANSWERS, busy]);
    await row(/Gate/).getByRole('button', { name: /^Gate/ }).click();
    isBusy = true;
    const drawer = page.getByRole('complementary', { name: 'Gate' });
    await drawer.getByRole('button', { name: 'End link Gate' }).click();
    await drawer.getByRole('button', { name: 'End link', exact: true }).click();
    await expect.element(page.getByText(/The list is as of \d/)).toBeVisible();
    await expect.element(row(/Gate/)).toBeVisible();
  });

  it('that could not be loaded at all are loaded again with a click', async () => {
    let isBusy = true;
    const busy = when(listShares, () => (isBusy ? refused('too-many-requests', { params: { waitS: 1 } }) : { shares }));
    await open('/share-links', [...ANSWERS, busy]);
    await expect.element(page.getByText('Couldn’t load the list')).toBeVisible();
    isBusy = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(row(/Gate/).getByText('Active', { exact: true })).toBeVisible();
  });

  it('are cards on a phone, light and dark', async () => {
    await page.viewport(390, 844);
    await open('/share-links', ANSWERS);
    await expect.element(row(/Load 88/).getByText(/ · nora\.kessler$/)).toBeVisible();
    await expectAccessibleInBoth();
  });
});

it('with no links, the page says so and leads to the vehicles', async () => {
  shares = [];
  await open('/share-links', ANSWERS);
  await expect.element(page.getByRole('heading', { name: 'No share links yet' })).toBeVisible();
  await expectAccessible();
  await expect.element(page.getByRole('link', { name: 'Choose vehicles' })).toHaveAttribute('href', '/fleet');
});
