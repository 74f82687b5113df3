import { describe, expect, it } from 'vitest';
import { LIVE_EVENTS, LIVE_PHASES, LIVE_STATES, type LiveState, TRANSITIONS } from './transitions.ts';

const cells = LIVE_STATES.flatMap(state =>
  LIVE_EVENTS.map(event => ({ state, event, transition: TRANSITIONS[state][event] })),
);
const hasSocket: readonly LiveState[] = ['connecting', 'connected', 'closing', 'reopening'];

describe('the transition table of the live connection', () => {
  it('[R4.12] goes idle → connecting → connected → back, as the specification calls them', () => {
    const path: LiveState[] = ['idle'];
    for (const event of ['connect', 'credential', 'opened', 'disconnect', 'closed'] as const)
      path.push(TRANSITIONS[path.at(-1)!][event]!.to);
    expect(path.map(state => LIVE_PHASES[state])).toEqual([
      'idle',
      'connecting',
      'connecting',
      'connected',
      'idle',
      'idle',
    ]);
  });

  it('opens a socket only if there is none, and releases it only when it is closed', () => {
    for (const { state, event, transition } of cells) {
      if (!transition) continue;
      const { to, effects } = transition;
      if (effects.includes('open')) expect(state).toBe('authorising');
      expect(effects.includes('open')).toBe(!hasSocket.includes(state) && hasSocket.includes(to));
      const isGone = hasSocket.includes(state) && !hasSocket.includes(to);
      expect(effects.includes('release')).toBe(isGone);
      if (isGone) expect(['closed', 'refused']).toContain(event);
    }
  });

  it('asks, waits and stops in step with its states', () => {
    for (const { state, transition } of cells) {
      if (!transition) continue;
      const { to, effects } = transition;
      expect(effects.includes('ask')).toBe(to === 'authorising');
      expect(effects.includes('wait')).toBe(to === 'waiting');
      expect(effects.includes('stop-waiting')).toBe(state === 'waiting');
    }
  });

  it('reaches every state, and idle from every state', () => {
    const next = (state: LiveState) => LIVE_EVENTS.flatMap(event => TRANSITIONS[state][event]?.to ?? []);
    for (const start of LIVE_STATES) {
      const reached = new Set<LiveState>([start]);
      for (const state of reached) for (const to of next(state)) reached.add(to);
      expect(reached).toEqual(new Set(LIVE_STATES));
    }
  });
});
