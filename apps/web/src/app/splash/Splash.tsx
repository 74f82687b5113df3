import { useEffect, useState } from 'react';
import { imageUrl, useTenant } from '../../base/tenant/tenant.ts';
import { Mark } from '../../ui/Mark.tsx';
import { endSplash, SPLASH_MAX_MS, SPLASH_MIN_MS, useSplash } from './splash-state.ts';

const APP_NAME = 'Milepost';
/** Duration of the fade in splash.css. */
const FADE_MS = 220;

export function Splash() {
  const { shown, ready } = useSplash();
  const image = useTenant(({ tenant }) => (tenant?.isTenantSplashImg ? tenant.splashScreenUrl : null));
  const [gone, setGone] = useState(!shown);

  useEffect(() => {
    if (!shown) return;
    // `performance.now()` counts from the start of the page load, before this script ran.
    const left = (ms: number) => Math.max(0, ms - performance.now());
    const timer = setTimeout(endSplash, left(ready ? SPLASH_MIN_MS : SPLASH_MAX_MS));
    window.addEventListener('keydown', endSplash);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', endSplash);
    };
  }, [shown, ready]);

  useEffect(() => {
    if (shown) return;
    const timer = setTimeout(() => setGone(true), FADE_MS);
    return () => clearTimeout(timer);
  }, [shown]);

  if (gone) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: any key ends it, wherever the focus is; see the effect above.
    // biome-ignore lint/a11y/noStaticElementInteractions: it covers the page for a moment and is no control.
    <div className="splash" data-leaving={!shown || undefined} onClick={endSplash}>
      {image === null ? (
        <>
          <Mark height={64} />
          {APP_NAME}
          <div className="splash-ruler" />
        </>
      ) : (
        <img className="splash-image" src={imageUrl(image)} alt={APP_NAME} />
      )}
    </div>
  );
}
