import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDatagram, checkStream, SESSION } from './fuzz-checks.ts';
import { damage, randomBytes, randomFrom, SAMPLE_POSITION } from './fuzz-inputs.ts';
import { isRefusal, PROTOCOL_NAMES, protocols } from './index.ts';
import type { Heard, HeardCommand } from './registration.ts';
import { anyParameters, PARAMETERS } from './testing/command-parameters.ts';
import { join } from './testing/stream.ts';

/** Checks that a simulated tracker understands the server's commands, and that the server reads its answers. */

const IMEI = '352093081452251';
const LAST = { ...SAMPLE_POSITION, event: null };

const cases = PROTOCOL_NAMES.flatMap(name => {
  const { stream, tracker, datagram, datagramTracker, commands } = protocols[name];
  if (commands.length === 0) return [];
  const all = [];
  if (stream && tracker?.hear) {
    const { hear } = tracker;
    const decode = (frame: Uint8Array) => stream.decode(frame, SESSION);
    const check = (bytes: Uint8Array) => checkStream(stream, bytes);
    all.push({ title: name, name, commands, hear, decode, check, encode: stream.encodeCommand, streamed: true });
  }
  if (datagram?.encodeCommand && datagramTracker?.hear) {
    const { hear } = datagramTracker;
    const decode = (frame: Uint8Array) => datagram.decodeDatagram(frame, SESSION.receivedAt);
    const check = (bytes: Uint8Array) => checkDatagram(datagram, bytes);
    const encode = datagram.encodeCommand;
    all.push({ title: `${name} over UDP`, name, commands, hear, decode, check, encode, streamed: false });
  }
  return all;
});

function commandIn(heard: Heard): HeardCommand {
  if (heard.status !== 'command') throw new Error(`heard ${heard.status}`);
  return heard.command;
}

it('each protocol with commands has a tracker side that understands them', () => {
  const withCommands = PROTOCOL_NAMES.filter(name => protocols[name].commands.length > 0);
  expect([...new Set(cases.map(({ name }) => name))]).toEqual(withCommands);
  // The makers' documents at hand describe none for these.
  const without = PROTOCOL_NAMES.filter(name => !withCommands.includes(name));
  expect(without.toSorted()).toEqual(['atrack', 'eelink', 'osmand', 'totem', 'xexun']);
});

describe.each(cases)('$title', ({ name, commands, hear, decode, check, encode, streamed }) => {
  it('understands the command sent', () => {
    fc.assert(
      fc.property(fc.nat(commands.length - 1), anyParameters, fc.nat(0xffff), (which, parameters, reference) => {
        const words = commands[which]?.text(parameters) ?? null;
        if (words === null) return;
        const bytes = encode(words, reference, IMEI);
        const heard = hear(IMEI, bytes);
        expect(heard).toMatchObject({ status: 'command', end: bytes.length, command: { text: words } });
        expect([null, reference]).toContain(commandIn(heard).reference);
      }),
    );
  });

  it('answers in a form that the server reads, done or not', () => {
    for (const command of commands) {
      const words = command.text(PARAMETERS) ?? '';
      const { reference, reply } = commandIn(hear(IMEI, encode(words, 77, IMEI)));
      const done = reply(true, LAST);
      expect(done, command.command).not.toBeNull();
      const answers = decode(done ?? new Uint8Array()).messages;
      expect(answers.filter(({ kind }) => kind === 'error')).toEqual([]);
      const kinds = answers.map(({ kind }) => kind);
      expect(kinds.includes('reply') || kinds.includes('position'), command.command).toBe(true);
      const refused = reply(false, LAST);
      const refusal = refused ? decode(refused).messages : [];
      expect(refusal.filter(({ kind }) => kind === 'error')).toEqual([]);
      for (const message of [...answers, ...refusal]) {
        if (message.kind === 'reply' && message.reference !== null) expect(message.reference).toBe(reference);
      }
      const replies = (messages: typeof answers) =>
        messages.flatMap(each => (each.kind === 'reply' ? [each.text] : []));
      expect(replies(answers).filter(isRefusal)).toEqual([]);
      if (refused) expect(replies(refusal).map(isRefusal)).toEqual([true]);
    }
  });

  it('[I3] never throws, and always advances', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(commands.length - 1), (seed, which) => {
        const random = randomFrom(seed);
        const frame = encode(commands[which]?.text(PARAMETERS) ?? '', 7, IMEI);
        for (const bytes of [damage(random, frame), randomBytes(random, 200)]) {
          for (let at = 0; at < bytes.length; ) {
            const heard = hear(IMEI, bytes.subarray(at));
            if (heard.status === 'more') break;
            expect(heard.end > 0 && heard.end <= bytes.length - at, `a step of ${heard.end}`).toBe(true);
            if (heard.status === 'command') {
              for (const done of [true, false]) check(heard.command.reply(done, LAST) ?? new Uint8Array());
            }
            at += heard.end;
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it.runIf(streamed)('hears a command between the answers to its reports, however the bytes arrive', () => {
    const { tracker } = protocols[name];
    const frames = [tracker?.greeting(IMEI), ...(tracker?.reports(IMEI, [LAST], 1) ?? []), tracker?.heartbeat(IMEI, 2)];
    const answers = frames.flatMap(frame => (frame ? [decode(frame).acknowledgement ?? new Uint8Array()] : []));
    const words = commands.map(command => command.text(PARAMETERS) ?? '');
    const spoken = join(answers.flatMap((answer, i) => [answer, encode(words[i % words.length] ?? '', i, IMEI)]));
    for (const size of [1, 3, 11, 5000]) {
      const heard: string[] = [];
      let pending: Uint8Array = new Uint8Array(0);
      let answered = 0;
      for (let at = 0; at < spoken.length; at += size) {
        pending = join([pending, spoken.subarray(at, at + size)]);
        for (let next = hear(IMEI, pending); next.status !== 'more'; next = hear(IMEI, pending)) {
          if (next.status === 'command') heard.push(next.command.text);
          else answered += next.end;
          pending = pending.subarray(next.end);
        }
      }
      expect(heard).toEqual(answers.map((_, i) => words[i % words.length]));
      expect(answered).toBe(join(answers).length);
    }
  });
});
