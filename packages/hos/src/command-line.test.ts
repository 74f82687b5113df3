import { describe, expect, it } from 'vitest';
import { hosCommand } from './command-line.ts';

const DAY = {
  id: 'one',
  ruleset: 'US_PROPERTY_70_8',
  timezone: 'America/Chicago',
  segments: [
    { status: 'OFF', start: '2026-02-01T00:00:00-06:00', end: '2026-02-02T06:00:00-06:00' },
    { status: 'D', start: '2026-02-02T06:00:00-06:00', end: '2026-02-02T14:30:00-06:00' },
  ],
  asOf: '2026-02-02T14:30:00-06:00',
};
const run = (content: unknown, args = ['logs.json']) => hosCommand(args, () => JSON.stringify(content));
const answers = (content: unknown) => run(content).lines.map(line => JSON.parse(line) as Record<string, unknown>);

describe('npm run hos', () => {
  it('prints one line for each log of a list, of a file of vectors, or for one', () => {
    for (const content of [DAY, [DAY], { vectors: [DAY] }]) {
      expect(answers(content)).toEqual([
        {
          id: 'one',
          driveRemainingMin: 150,
          windowRemainingMin: 330,
          breakRemainingMin: 0,
          cycleRemainingMin: 3690,
          mustStopBy: null,
          mayDriveAgainAt: '2026-02-02T15:00:00-06:00',
          binds: 'break',
          exempt: null,
          gainedTomorrowMin: 0,
          violations: [
            {
              rule: 'US_30MIN',
              clause: '49 CFR 395.3(a)(3)(ii)',
              startsAt: '2026-02-02T14:00:00-06:00',
              endsAt: '2026-02-02T14:30:00-06:00',
              overMin: 30,
              severity: 'violation',
            },
          ],
        },
      ]);
    }
  });

  it('reports an invalid log on its own line, answers the others, and exits with an error', () => {
    const { lines, error } = run([{ ...DAY, id: 'two', ruleset: 'MOON', asOf: 'noon' }, DAY]);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      id: 'two',
      errors: [
        { code: 'unknown-rule-set', at: 'ruleset' },
        { code: 'bad-time', at: 'asOf' },
      ],
    });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ id: 'one' });
    expect(error).toBe('1 of 2 logs could not be read; see their lines for the reasons.');
  });

  it('requires an existing file of valid JSON', () => {
    expect(hosCommand([], () => '').error).toContain('npm run hos');
    expect(hosCommand(['x'], () => 'no').error).toBe('The file x is not JSON.');
    const missing = hosCommand(['x'], () => {
      throw new Error('ENOENT');
    });
    expect(missing.error).toBe('The file x cannot be read.');
  });
});
