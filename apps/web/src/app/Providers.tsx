import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NoConnection } from './connectivity/NoConnection.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { queryClient } from './queries.ts';
import { SessionManager } from './session/SessionManager.tsx';
import { Splash } from './splash/Splash.tsx';
import { Toasts } from './toasts/Toasts.tsx';

/** What stands around every page, signed in or not. */
export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionManager />
      <NoConnection />
      {children}
      <Toasts />
      <LiveRegion />
      <Splash />
    </QueryClientProvider>
  );
}
