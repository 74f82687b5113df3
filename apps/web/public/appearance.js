// Runs before the first paint, so that nobody who chose dark sees a white flash, or a logo that is not their own. The app itself takes over with
// src/app/appearance.ts, which reads the same key the same way [R4.18].
(() => {
  let stored = null;
  let tenant = null;
  try {
    stored = localStorage.getItem('mode-status');
    tenant = JSON.parse(localStorage.getItem('tenant') ?? 'null');
  } catch {
    // Storage can be forbidden, or hold what another version wrote; the system's choice and our own splash still hold.
  }
  const dark = stored === null ? matchMedia('(prefers-color-scheme: dark)').matches : stored === '1';
  document.documentElement.dataset.colorScheme = dark ? 'dark' : 'light';
  if (tenant?.isTenantSplashImg && tenant.splashScreenUrl) document.documentElement.dataset.tenantSplash = '';
})();
