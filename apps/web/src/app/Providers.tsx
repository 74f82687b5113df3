import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Part } from '../base/chunks/Part.tsx';
import { queryClient } from '../base/queries.ts';
import { SessionManager } from '../base/session/SessionManager.tsx';
import { Toasts } from '../base/toasts/Toasts.tsx';
import { NoConnection } from './connectivity/lazy.ts';
import { LiveRegion } from './LiveRegion.tsx';
import { Splash } from './splash/Splash.tsx';

/** What every page needs around it, signed in or not. */
export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionManager />
      <Part>
        <NoConnection />
      </Part>
      {children}
      <Toasts />
      <LiveRegion />
      <Splash />
    </QueryClientProvider>
  );
}
