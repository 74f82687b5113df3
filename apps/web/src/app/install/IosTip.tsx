import { useState } from 'react';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { useSplash } from '../splash/splash-state.ts';
import { isIos, isTipDue, useInstall } from './install.ts';

const InstallDialog = lazyChunk(async () => (await import('./InstallDialog.tsx')).InstallDialog);

/** iOS never offers to install the app, so its users see how to do it after the splash [R2.23]. */
export function IosTip() {
  const installed = useInstall(state => state.installed);
  const splash = useSplash(state => state.shown);
  const [closed, setClosed] = useState(() => !isIos() || !isTipDue(Date.now()));
  if (installed || splash || closed) return null;
  return (
    <Part>
      <InstallDialog open asTip onClose={() => setClosed(true)} />
    </Part>
  );
}
