import { it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { ruleSets } from './rule-sets.ts';
import { randomLog } from './testing/random-logs.ts';

it('x', () => {
  const { log, now } = randomLog(Number(process.env.SEED));
  const f = log.segments[0]!.start;
  console.log(
    log.terminal,
    log.segments.map(s => `${s.status} ${(s.start - f) / 60000}-${(s.end - f) / 60000}`).join('; '),
    'now',
    (now - f) / 60000,
  );
  console.log(log.declarations.map(s => `${s.exception} ${(s.start - f) / 60000}-${(s.end - f) / 60000}`));
  const e = evaluate(log, ruleSets[process.env.RS as 'US_PROPERTY_70_8'], now);
  console.log(
    e.violations.map(v => `${v.rule} ${(v.start - f) / 60000} ${v.over / 60000}`),
    e.clocks,
  );
});
