import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// Who is signed in is read from what a browser keeps.
beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'token' });
  vi.stubGlobal('window', { addEventListener: () => {} });
});
afterAll(() => void vi.unstubAllGlobals());

it('where the map looked is kept for once, and for nobody who signs in later', async () => {
  const { leaveView, takeView } = await import('./left-view.ts');
  const { useSession } = await import('../../../app/session/session.ts');
  leaveView({ zoom: 7 });
  expect(takeView()).toEqual({ zoom: 7 });
  expect(takeView()).toBeNull();
  leaveView({ zoom: 7 });
  useSession.setState({ token: null });
  expect(takeView()).toBeNull();
});
