import { type AlertKind, SEVERITIES, SEVERITY_OF_KIND } from '@milepost/contract';
import { expect, it } from 'vitest';
import { EVENT_RULES } from '../alerts/rules.ts';

it('kinds are chosen under the most urgent severity that the rules give them', () => {
  const most = new Map<AlertKind, number>();
  for (const rule of Object.values(EVENT_RULES)) {
    if (!rule || !('kind' in rule)) continue;
    const urgency = SEVERITIES.indexOf(rule.severity);
    most.set(rule.kind, Math.min(urgency, most.get(rule.kind) ?? urgency));
  }
  for (const [kind, urgency] of most) expect([kind, SEVERITY_OF_KIND[kind]]).toEqual([kind, SEVERITIES[urgency]]);
});
