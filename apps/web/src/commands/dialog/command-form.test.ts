import { beforeAll, describe, expect, it } from 'vitest';
import { startI18n } from '../../base/i18n.ts';
import { loadProblemTexts } from '../../base/language/problem-texts.ts';
import { messagesFor } from '../../forms/field-messages.ts';
import type { OfferedCommand } from '../offers.ts';
import { commandBody, commandFormSchema, initialValues } from './command-form.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);

const offered = (action: OfferedCommand['action'], category: OfferedCommand['category'], ...names: string[]) =>
  ({
    action,
    category,
    vehicles: 1,
    makers: [],
    modes: [],
    parameters: names.map(name => ({ name: name.replace('?', ''), required: !name.endsWith('?') })),
  }) satisfies OfferedCommand;

const wrong = (command: OfferedCommand, values: Record<string, string>) =>
  messagesFor(commandFormSchema(command), commandBody({ ...initialValues(command, {}), ...values }));

describe('the form of a command', () => {
  it('asks for what the tracker needs, in the contract’s words', () => {
    const interval = offered('setGprsInterval', 'settings', 'seconds', 'metres?');
    expect(wrong(interval, {})).toEqual({ 'params.seconds': 'Choose between 10 seconds and 24 hours.' });
    expect(wrong(interval, { 'params.seconds': '5' })).toHaveProperty(['params.seconds']);
    expect(wrong(interval, { 'params.seconds': '60' })).toEqual({});
    const body = commandBody({ 'params.seconds': '60', 'params.metres': ' ', reason: '', controlPassword: '' });
    expect(commandFormSchema(interval).parse(body).params).toEqual({ seconds: 60 });
  });

  it('[R7.15] wants a reason and the control password before a vehicle is touched', () => {
    const stop = offered('engineStop', 'control');
    expect(wrong(stop, {})).toEqual({ reason: 'Enter a reason.', controlPassword: 'Enter the control password.' });
    expect(wrong(stop, { reason: 'Stolen', controlPassword: 'x' })).toEqual({});
  });

  it('keeps what was typed when another command is looked at', () => {
    const values = initialValues(offered('setServer', 'settings', 'host', 'apn'), {
      'params.apn': 'iot',
      reason: 'New SIM',
    });
    expect(values).toMatchObject({ 'params.apn': 'iot', 'params.host': '', reason: 'New SIM' });
  });
});
