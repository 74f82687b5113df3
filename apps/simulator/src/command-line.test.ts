import { expect, it } from 'vitest';
import { readOrder, readReplay } from './command-line.ts';

const LAUNCHED = { MILEPOST_URL: 'http://127.0.0.1:9', MILEPOST_TOKEN: 'token', MILEPOST_TRACKER_PORTS: '{"mqtt":7}' };

it('drives the fleet of the server given by the launcher', async () => {
  expect(await readOrder([], LAUNCHED)).toEqual({
    target: { url: 'http://127.0.0.1:9', token: 'token', host: '127.0.0.1', ports: { mqtt: 7 } },
    load: null,
    daysBehind: 57,
    behaviour: null,
  });
});

it('drives only the vehicles that the launcher names', async () => {
  const fleet = [{ imei: '001010100033013', name: '3301' }];
  const { target } = await readOrder([], { ...LAUNCHED, MILEPOST_FLEET: JSON.stringify(fleet) });
  expect(target.fleet).toEqual(fleet);
});

it('sends load at a given rate, from as many vehicles by default', async () => {
  const { load } = await readOrder(['--rate', '200', '--protocol', 'gt06'], LAUNCHED);
  expect(load).toEqual({ rate: 200, vehicles: 200, protocol: 'gt06', seconds: 60 });
  const more = await readOrder(['--rate', '10', '--vehicles', '600', '--seconds', '5'], LAUNCHED);
  expect(more.load).toEqual({ rate: 10, vehicles: 600, protocol: 'teltonika', seconds: 5 });
});

it.each([
  [[], 'Say whose vehicles to drive.'],
  [['--url', 'here'], 'here is not the address of a server.'],
  [['--rate', 'many'], '--rate is "many" but must be a whole number from 1.'],
  [['--rate', '9', '--vehicles', '3'], 'A tracker reports once a second at most'],
  [['--behaviour', 'rude'], '--behaviour is "rude" but must be one of answering, asleep, refusing, silent.'],
  [['--days', 'some'], '--days is "some" but must be a whole number from 0.'],
  [
    ['--rate', '9', '--protocol', 'morse'],
    'The protocol is "morse" but must be one of teltonika, gt06, osmand, mqtt, ',
  ],
])('explains the error in %j', async (args, sentence) => {
  await expect(readOrder(args, {})).rejects.toThrow(sentence);
});

it('plays a recording to the usual port, or to the one given', () => {
  expect(readReplay([], {})).toBeNull();
  const order = readReplay(['replay', 'samples/h02.jsonl'], {});
  expect(order).toMatchObject({ file: 'samples/h02.jsonl', host: '127.0.0.1', port: null, speed: 1 });
  expect(order?.ports).toMatchObject({ h02: 5013, gl200: 5004 });
  expect(readReplay(['replay', 'x', '--port', '7', '--speed', '20'], {})).toMatchObject({ port: 7, speed: 20 });
});

it.each([
  [['replay'], 'Name the recording to play.'],
  [['replay', 'x', '--speed=-1'], '--speed is "-1" but must be a number above 0.'],
])('explains the error in %j', (args, sentence) => {
  expect(() => readReplay(args, {})).toThrow(sentence);
});
