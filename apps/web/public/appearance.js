// Runs before the first paint, so that nobody who chose dark sees a white flash. The app itself takes over with
// src/app/appearance.ts, which reads the same key the same way [R4.18].
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('mode-status');
  } catch {
    // Storage can be forbidden; the system's choice still holds.
  }
  const dark = stored === null ? matchMedia('(prefers-color-scheme: dark)').matches : stored === '1';
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
