import { describe, expect, it } from 'vitest';
import { trackerSetup } from './tracker-setup.ts';
import { TRACKER_PROTOCOLS, TRACKERS } from './trackers.ts';

describe('pointing a tracker at the server', () => {
  it.each(TRACKER_PROTOCOLS.filter(protocol => protocol !== 'mqtt'))(
    '%s gets the server’s host name and its own port',
    protocol => {
      const { port } = TRACKERS[protocol];
      const { sms, program } = trackerSetup(protocol, 'track.example.com', port);
      const text = [...sms, ...(program?.settings.map(([, value]) => value) ?? [])].join('\n');
      expect(text).toContain('track.example.com');
      expect(text).toContain(String(port));
      expect(text).not.toMatch(/[{}]/);
      // A text message has at most 160 characters.
      for (const text of sms) expect(text.length).toBeLessThanOrEqual(160);
    },
  );

  it('keeps placeholders for values that only the owner knows', () => {
    expect(trackerSetup('h02', '203.0.113.7', 5013).sms).toEqual(['8030000 YOUR-APN', '8040000 203.0.113.7 5013']);
  });
});
