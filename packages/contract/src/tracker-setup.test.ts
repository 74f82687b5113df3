import { describe, expect, it } from 'vitest';
import { trackerSetup } from './tracker-setup.ts';
import { TRACKER_PROTOCOLS, TRACKERS } from './trackers.ts';

describe('pointing a tracker at the server', () => {
  it.each(TRACKER_PROTOCOLS.filter(protocol => protocol !== 'mqtt'))(
    '%s hears the server’s name and its own port',
    protocol => {
      const { port } = TRACKERS[protocol];
      const { sms, program } = trackerSetup(protocol, 'track.example.com', port);
      const said = [...sms, ...(program?.settings.map(([, value]) => value) ?? [])].join('\n');
      expect(said).toContain('track.example.com');
      expect(said).toContain(String(port));
      expect(said).not.toMatch(/[{}]/);
      // A text message has 160 characters.
      for (const text of sms) expect(text.length).toBeLessThanOrEqual(160);
    },
  );

  it('keeps what only the owner knows as a word to replace', () => {
    expect(trackerSetup('h02', '203.0.113.7', 5013).sms).toEqual(['8030000 YOUR-APN', '8040000 203.0.113.7 5013']);
  });
});
