import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// The session is read from localStorage when its module loads.
beforeAll(() => {
  vi.resetModules();
  vi.stubGlobal('localStorage', { getItem: () => 'token' });
  vi.stubGlobal('window', { addEventListener: () => {} });
});
afterAll(() => void vi.unstubAllGlobals());

it('where the map is to look is kept for once, told to the map that is there, and to nobody who signs in later', async () => {
  const { askForView, onViewAsked, takeView } = await import('./asked-view.ts');
  const { useSession } = await import('../base/session/session.ts');
  askForView({ zoom: 7 });
  expect(takeView()).toEqual({ zoom: 7 });
  expect(takeView()).toBeNull();
  askForView({ zoom: 7 });
  useSession.setState({ token: null });
  expect(takeView()).toBeNull();

  const looked: unknown[] = [];
  const end = onViewAsked(() => looked.push(takeView()));
  askForView({ zoom: 8 });
  end();
  askForView({ zoom: 9 });
  expect(looked).toEqual([{ zoom: 8 }]);
});
