import { PROTOCOL_NAMES, protocols } from '@milepost/decoders';
import { expect, it } from 'vitest';
import { orderIn } from './mqtt.ts';
import { taskIn } from './order.ts';

const VALUES = { password: 'gv300', seconds: 120, metres: 184_000_000, model: 'ST300', output: 1 };
const KINDS = ['trackOnDemand', 'engineStop', 'engineResume', 'setGprsInterval', 'setOdometer'];

const cases = PROTOCOL_NAMES.flatMap(name =>
  protocols[name].commands.flatMap(({ command, text }) =>
    [VALUES, { ...VALUES, model: undefined }].map(({ model, ...values }) => {
      const words = text(model === undefined ? values : { ...values, model });
      return { name, command, words };
    }),
  ),
);

it.each(cases)('$name: “$words” is understood as $command', ({ name, command, words }) => {
  const task = taskIn(name, words ?? '');
  if (!KINDS.includes(command)) {
    // Some outputs are the engine under another name.
    expect(task === null || ['outputOn', 'outputOff'].includes(command)).toBe(true);
  } else if (command === 'setGprsInterval') expect(task).toEqual({ kind: command, seconds: 120 });
  else if (command === 'setOdometer') expect(task).toEqual({ kind: command, metres: 184_000_000 });
  else expect(task).toEqual({ kind: command });
});

it('reads a command over MQTT, and repeats it in its answer', () => {
  const answers: object[] = [];
  const order = (payload: string) => orderIn(payload, answer => void answers.push(answer));
  expect(order('{"action":"setGprsInterval","params":{"seconds":60},"id":7}')?.task).toEqual({
    kind: 'setGprsInterval',
    seconds: 60,
  });
  order('{"action":"setAuthPhone","params":{"phone1":"+1"},"id":8}')?.answer(true, {} as never);
  order('trackOnDemand')?.answer(true, {} as never);
  order('engineStop')?.answer(false, {} as never);
  expect(answers).toEqual([
    { action: 'setAuthPhoneConfimed', id: 8 },
    { action: 'trackOnDemandConfirmed' },
    { action: 'engineStopRefused', answer: 'not allowed here' },
  ]);
  expect(['{', '1', '[]', '{}', ''].map(order)).toEqual([null, null, null, null, null]);
});

it('finds no task in other text', () => {
  expect(taskIn('teltonika', 'getver')).toBeNull();
  expect(taskIn('osmand', 'anything')).toBeNull();
});
