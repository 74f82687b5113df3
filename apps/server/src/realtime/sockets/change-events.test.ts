import { setTimeout as sleep } from 'node:timers/promises';
import type { Changes, Role } from '@milepost/contract';
import fc from 'fast-check';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { itHolds } from '../../../testing/few-and-many.ts';
import { FollowingBrowser } from '../../../testing/following.ts';
import { call } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { limit } from '../../../testing/organisation.ts';
import { type Person, type PersonOptions, person } from '../../../testing/people.ts';
import { joined } from '../../../testing/sockets.ts';

let test: TestApp;
const sockets: Socket[] = [];
beforeAll(async () => {
  test = await startApp();
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await test.close();
});

/** Sessions that no longer get changes. */
async function someone(options: PersonOptions = {}): Promise<Person> {
  const made = await person({ ...test, call: (method, path, more) => call(test.url, method, path, more) }, options);
  await test.context.feed.settled();
  return made;
}

async function make(who: Person, path: string, body: object): Promise<string> {
  const answer = await who.call('POST', path, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return (answer.body as { id: string }).id;
}
let imeis = 8_000_000;
const addVehicle = (who: Person, more: object = {}) => {
  const imei = testImei(++imeis);
  return make(who, 'device', { imei, deviceName: `Unit ${imei}`, ...more });
};

/** What a follower receives, one entry per record, as `vehicle 7`. */
async function follow(who: Person, since: number | null = null) {
  const socket = await joined(test.url, '/eld', who.token);
  sockets.push(socket);
  const told: string[] = [];
  const answer = (await socket.emitWithAck('follow_changes', { since })) as Changes;
  socket.on('changes', ({ changes }: Changes) => {
    if (changes === 'everything') told.push(changes);
    else told.push(...changes.map(({ kind, id, gone }) => `${kind} ${id}${gone ? ' gone' : ''}`));
  });
  return { socket, answer, told };
}

describe('who follows the changes of an account', () => {
  it('hears of each kind only with its right, and of what is someone’s own only as that one', async () => {
    const owner = await someone();
    const others = { accountId: owner.accountId };
    const [dispatcher, driver] = [
      await someone({ ...others, role: 'dispatcher' }),
      await someone({ ...others, role: 'driver' }),
    ];
    const [byOwner, byDispatcher, byDriver] = [await follow(owner), await follow(dispatcher), await follow(driver)];
    const view = await make(owner, 'view', { page: 'fleet', name: 'Mine', query: '' });
    const shared = await make(owner, 'view', { page: 'fleet', name: 'Everybody’s', query: '', shared: true });
    const role = await make(owner, 'role', { name: 'Desk', basedOn: 'viewer', permissions: ['vehicles.read'] });
    await dispatcher.call('PATCH', 'update_me', { displayName: 'Omar Haddad' });
    await owner.call('PATCH', 'settings', { offlineAfterMinutes: 90 });
    const user = `user ${dispatcher.userId}`;
    await expect
      .poll(() => byOwner.told)
      .toEqual(
        expect.arrayContaining([
          `view ${view}`,
          `view ${shared}`,
          `role ${role}`,
          user,
          'settings offlineAfterMinutes',
        ]),
      );
    await expect
      .poll(() => byDispatcher.told)
      .toEqual(expect.arrayContaining([`view ${shared}`, user, 'settings offlineAfterMinutes']));
    await expect.poll(() => byDriver.told).toContain('settings null');
    expect(byDispatcher.told).not.toContain(`view ${view}`);
    expect(byDispatcher.told).not.toContain(`role ${role}`);
    // A driver sees vehicles by sight: no id of what their scope does not decide.
    expect(byDriver.told.filter(each => each !== 'settings null' && each !== 'view null')).toEqual([]);
  });

  it('hears of vehicles that come into their sight and leave it, and never of others', async () => {
    const owner = await someone();
    const folder = await make(owner, 'folder', { name: 'North' });
    const [inside, outside] = [await addVehicle(owner, { folderId: folder }), await addVehicle(owner)];
    const limited = await someone({ accountId: owner.accountId, role: 'dispatcher' });
    await limit(test.context, limited, { folders: [folder] });
    const { told } = await follow(limited);
    await owner.call('PATCH', `device/${outside}`, { deviceName: 'Nobody’s business' });
    await owner.call('PATCH', `device/${inside}`, { deviceName: 'Theirs' });
    await expect.poll(() => told).toContain(`vehicle ${inside}`);
    told.length = 0;
    await owner.call('PATCH', `device/${inside}`, { folderId: null });
    await expect.poll(() => told).toContain(`vehicle ${inside} gone`);
    told.length = 0;
    await owner.call('PATCH', `device/${inside}`, { deviceName: 'Theirs no more' });
    await owner.call('PATCH', `device/${outside}`, { folderId: folder });
    await expect.poll(() => told).toContain(`vehicle ${outside}`);
    expect(told.filter(each => each.startsWith(`vehicle ${inside}`))).toEqual([]);
    told.length = 0;
    await owner.call('DELETE', `device/${outside}`);
    await expect.poll(() => told).toContain(`vehicle ${outside} gone`);
  });

  it('hears that a vehicle has left their sight, also if its sight is looked at before the change is told', async () => {
    const owner = await someone();
    const folder = await make(owner, 'folder', { name: 'North' });
    const vehicle = await addVehicle(owner, { folderId: folder });
    const limited = await someone({ accountId: owner.accountId, role: 'dispatcher' });
    await limit(test.context, limited, { folders: [folder] });
    const { told } = await follow(limited);
    // What else is kept in memory takes longer than the look at sights.
    const leave = test.context.feed.follow('memory', () => sleep(500));
    await owner.call('PATCH', `device/${vehicle}`, { folderId: null });
    await expect.poll(() => told.filter(each => each.startsWith('vehicle'))).not.toEqual([]);
    await test.context.feed.settled();
    leave();
    await sleep(300);
    expect(told.filter(each => each.startsWith('vehicle')).at(-1)).toBe(`vehicle ${vehicle} gone`);
  });

  it('hears of a whole folder that goes elsewhere, though no vehicle in it was changed', async () => {
    const owner = await someone();
    const north = await make(owner, 'folder', { name: 'North' });
    const depot = await make(owner, 'folder', { name: 'Depot', parentId: north });
    const vehicle = await addVehicle(owner, { folderId: depot });
    const limited = await someone({ accountId: owner.accountId, role: 'dispatcher' });
    await limit(test.context, limited, { folders: [north] });
    const { told } = await follow(limited);
    await owner.call('PATCH', `folder/${depot}`, { parentId: null });
    await expect.poll(() => told).toContain(`vehicle ${vehicle} gone`);
    await owner.call('PATCH', `folder/${depot}`, { parentId: north });
    await expect.poll(() => told).toContain(`vehicle ${vehicle}`);
  });

  it('sends an API token nothing that is personal to its owner', async () => {
    const owner = await someone();
    const { token, sessionId } = await test.sessions.open({
      accountId: owner.accountId,
      userId: owner.userId,
      apiToken: { name: 'Board', scopes: ['vehicles.read'], expiresAt: new Date(Date.now() + 1e7) },
    });
    const { told } = await follow({ ...owner, token, sessionId });
    await make(owner, 'view', { page: 'fleet', name: 'Mine', query: '' });
    await owner.call('PATCH', 'update_me', { displayName: 'Nora K' });
    const vehicle = await addVehicle(owner);
    await expect.poll(() => told).toContain(`vehicle ${vehicle}`);
    expect(told).toEqual([`vehicle ${vehicle}`]);
  });
});

describe('who was away', () => {
  it('gets what they missed, and only that; users with a limited scope, or away too long, reload everything', async () => {
    const owner = await someone();
    const limited = await someone({ accountId: owner.accountId, role: 'dispatcher' });
    await limit(test.context, limited, { folders: [] });
    const { answer } = await follow(owner);
    const { number } = answer;
    expect((await follow(owner, number)).answer).toEqual({ number, changes: [] });
    const vehicle = await addVehicle(owner);
    await expect.poll(() => test.context.feed.number).toBeGreaterThan(number);
    const missed = (await follow(owner, number)).answer.changes;
    expect(missed).toEqual(expect.arrayContaining([{ kind: 'vehicle', id: vehicle, gone: false }]));
    expect((await follow(limited, number)).answer.changes).toBe('everything');
    expect((await follow(owner, number + 1_000_000)).answer.changes).toBe('everything');
  });

  it('reads everything where their rights have changed meanwhile', async () => {
    const owner = await someone();
    const viewer = await someone({ accountId: owner.accountId, role: 'viewer' });
    const { answer, socket } = await follow(viewer);
    socket.disconnect();
    await test.context.db.system
      .updateTable('app_user')
      .set({ role: 'dispatcher' })
      .where('id', '=', viewer.userId)
      .execute();
    await test.context.feed.settled();
    expect((await follow(viewer, answer.number)).answer.changes).toBe('everything');
  });
});

/** What someone does; numbers choose among what there is. */
const ACTS = [
  ...['add vehicle', 'rename vehicle', 'rename vehicle', 'move vehicle', 'move vehicle', 'delete vehicle', 'drive'],
  ...['add folder', 'rename folder', 'move folder', 'delete folder', 'add driver', 'rename driver', 'archive driver'],
  ...['delete driver', 'add department', 'move driver', 'add view', 'limit', 'cut', 'cut', 'join', 'settle'],
] as const;

itHolds(
  'random writes from three sessions with cuts leave every browser with what the server has',
  { few: 4, many: 30 },
  async numRuns => {
    const step = fc.record({ act: fc.constantFrom(...ACTS), by: fc.nat(2), of: fc.nat(100), to: fc.nat(100) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async steps => {
        const owner = await someone();
        const colleague = (role: Role) => someone({ accountId: owner.accountId, role });
        const writers = [owner, await colleague('admin'), await colleague('admin')];
        const folders = [
          await make(owner, 'folder', { name: 'North' }),
          await make(owner, 'folder', { name: 'South' }),
        ];
        const vehicles = [await addVehicle(owner, { folderId: folders[0] }), await addVehicle(owner)];
        const drivers: string[] = [];
        const departments: string[] = [];
        const [dispatcher, driver] = [await colleague('dispatcher'), await colleague('driver')];
        drivers.push(await make(owner, 'driver', { name: 'Dana', userId: driver.userId }));
        await limit(test.context, dispatcher, { folders: [folders[0] ?? ''] });
        const browsers = [owner, writers[1] ?? owner, dispatcher, driver].map(
          who => new FollowingBrowser(test.url, who),
        );
        for (const browser of browsers) {
          await browser.readEverything();
          await browser.join();
        }
        let serial = 0;
        const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(list.length, 1)];
        const write = async ({ act, by, of, to }: (typeof steps)[number]): Promise<unknown> => {
          const who = writers[by] ?? owner;
          const name = `N${++serial}`;
          const browser = pick(browsers, of);
          const patch = (path: string, body: object) => who.call('PATCH', path, body);
          if (act === 'add vehicle') {
            const imei = testImei(++imeis);
            // The folder may be gone by then.
            const { body } = await who.call('POST', 'device', { imei, deviceName: name, folderId: pick(folders, to) });
            return vehicles.push((body as { id?: string }).id ?? '0');
          }
          if (act === 'rename vehicle') return patch(`device/${pick(vehicles, of)}`, { deviceName: name });
          if (act === 'move vehicle')
            return patch(`device/${pick(vehicles, of)}`, { folderId: pick([null, ...folders], to) });
          if (act === 'delete vehicle') return who.call('DELETE', `device/${pick(vehicles, of)}`);
          if (act === 'drive')
            return patch(`device/${pick(vehicles, of)}`, { usualDriverId: pick([null, ...drivers], to) });
          if (act === 'add folder') return folders.push(await make(who, 'folder', { name, parentId: null }));
          if (act === 'rename folder') return patch(`folder/${pick(folders, of)}`, { name });
          if (act === 'move folder')
            return patch(`folder/${pick(folders, of)}`, { parentId: pick([null, ...folders], to) });
          if (act === 'delete folder') return who.call('DELETE', `folder/${pick(folders, of)}`);
          if (act === 'add driver') return drivers.push(await make(who, 'driver', { name }));
          if (act === 'rename driver') return patch(`driver/${pick(drivers, of)}`, { name });
          if (act === 'archive driver') return patch(`driver/${pick(drivers, of)}`, { archived: to % 2 === 0 });
          if (act === 'delete driver') return who.call('DELETE', `driver/${pick(drivers, of)}`);
          if (act === 'add department')
            return departments.push(await make(who, 'department', { name, parentId: null }));
          if (act === 'move driver') {
            return patch(`department/assign/${pick(['none', ...departments], to)}`, { drivers: [pick(drivers, of)] });
          }
          if (act === 'add view') return make(who, 'view', { page: 'fleet', name, query: '', shared: to % 2 === 0 });
          if (act === 'limit') return limit(test.context, dispatcher, { folders: [pick(folders, to) ?? ''] });
          if (act === 'settle') return Promise.all(browsers.map(each => each.settled()));
          browser?.cut();
          return act === 'join' ? browser?.join() : undefined;
        };
        // Three at a time, as three people would.
        for (let at = 0; at < steps.length; at += 3) await Promise.all(steps.slice(at, at + 3).map(write));
        for (const browser of browsers) if (browser.isCut) await browser.join();
        for (const [n, browser] of browsers.entries()) {
          await expect
            .poll(async () => {
              await browser.settled();
              return [n, browser.known];
            })
            .toEqual([n, await browser.fresh()]);
          browser.cut();
        }
      }),
      { numRuns, endOnFailure: true },
    );
  },
);
