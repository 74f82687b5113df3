import {
  COMMAND_ACTIONS,
  COMMAND_PARAMETERS,
  COMMANDS,
  commandKind,
  commandLabel,
  interlockSchema,
  TRACKER_PROTOCOLS,
} from '@milepost/contract';
import { TRACKER_COMMANDS } from '@milepost/decoders';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../app-error.ts';
import { interlockOf } from './safety.ts';
import { maskedText, withoutSecrets } from './secrets.ts';
import { mqttText, offerOf, offersOf, readParams } from './words.ts';

describe('the vocabulary', () => {
  it('[R3.08] is one: the contract’s catalogue has every command of the protocols, and no other', () => {
    expect([...COMMAND_ACTIONS].sort()).toEqual([...TRACKER_COMMANDS].sort());
    expect(new Set(COMMAND_ACTIONS.map(commandLabel)).size).toBe(COMMAND_ACTIONS.length);
  });

  it('names every parameter that a protocol reads', () => {
    for (const protocol of TRACKER_PROTOCOLS) {
      for (const { action, parameters } of offersOf(protocol)) {
        for (const { name } of parameters)
          expect([protocol, action, Object.keys(COMMAND_PARAMETERS)]).toEqual([
            protocol,
            action,
            expect.arrayContaining([name]),
          ]);
      }
    }
  });

  it('has the safe way first wherever there is more than one', () => {
    for (const { interlock, modes } of Object.values(COMMANDS))
      expect(modes[0]).toBe(interlock ? 'nextStop' : undefined);
  });
});

describe('[R7.34] a native MQTT tracker', () => {
  it('has every command, as the action string', () => {
    expect(offersOf('mqtt').map(({ action }) => action)).toEqual(COMMAND_ACTIONS);
    expect(offerOf('mqtt', 'trackOnDemand')?.text({})).toBe('trackOnDemand');
    expect(mqttText('setGprsInterval', { seconds: 60 })).toBe('{"action":"setGprsInterval","params":{"seconds":60}}');
  });

  it('is one that OsmAnd is not: there is no way back to a phone', () => {
    expect(offersOf('osmand')).toEqual([]);
  });
});

describe('parameters', () => {
  const read = (action: (typeof COMMAND_ACTIONS)[number], given: Record<string, string | number>) => {
    const offer = offerOf('mqtt', action);
    if (!offer) throw new Error(action);
    try {
      return readParams(offer, given);
    } catch (error) {
      return error instanceof AppError ? error.errors.map(({ field, message }) => `${field}: ${message}`) : error;
    }
  };

  it('are read as what they are', () => {
    expect(read('setGprsInterval', { seconds: '60' })).toEqual({ seconds: 60 });
    expect(read('setAuthPhone', { phone1: '+44 20 7946 0000', phone2: '' })).toEqual({ phone1: '+442079460000' });
  });

  it('are refused with all that is wrong', () => {
    expect(read('setGprsInterval', { seconds: 5, more: 1 })).toEqual([
      'params.more: The tracker has no such setting.',
      'params.seconds: Choose between 10 seconds and 24 hours.',
    ]);
    expect(read('setServer', { port: 1 })).toEqual(['params.host: Fill this in.']);
  });

  it('are refused where the maker does not take them, though we would', () => {
    const offer = offerOf('gt06', 'setGprsInterval');
    expect(() => offer && readParams(offer, { seconds: 80_000 })).toThrow('Something in the request is incorrect.');
  });
});

describe('passwords', () => {
  it('are hidden in what is kept, sent and answered', () => {
    const { params, secrets } = withoutSecrets({ host: 'a.example', password: 's3cret' });
    expect(params).toEqual({ host: 'a.example', password: '•••' });
    expect(maskedText('SERVER,a.example,s3cret#', secrets)).toBe('SERVER,a.example,•••#');
    expect(maskedText('APN:web;PWD:666666;TIMER:10', null)).toBe('APN:web;PWD:•••;TIMER:10');
    expect(withoutSecrets({ host: 'a.example' }).secrets).toBeNull();
  });
});

it('[R7.35] tells the interlock as the contract has it', () => {
  const parts = {
    live: { of: () => null },
    connections: { find: () => null },
    believedSince: () => null,
    now: Date.now,
  };
  const { interlock: nothing } = interlockOf(parts, { id: 1, imei: '356307042441013' });
  expect(interlockSchema.parse(nothing)).toEqual(nothing);
  expect(nothing.holds).toBe(false);
  expect(commandKind('engineStop').interlock).toBe(true);
});
