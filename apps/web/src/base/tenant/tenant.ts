import { type Brand, DEFAULT_COLOURS, readTenant, readTenantOfHost } from '@milepost/contract';
import { create } from 'zustand';
import { call } from '../api.ts';
import { loadChunk } from '../chunks/load-chunk.ts';
import { useSession } from '../session/session.ts';
import { readStoredTenant, storeTenant } from './stored-tenant.ts';

/**
 * The tenant whose branding the pages show: that of the signed-in user's account [R4.04], or before sign-in that of the
 * host name. Null if neither has one.
 */
export const useTenant = create<{ readonly tenant: Brand | null }>(() => ({ tenant: readStoredTenant() }));

/** URL of an uploaded image of a tenant or user [R3.07]. */
export const imageUrl = (file: string): string => `/api/v1/uploaded-img/${encodeURIComponent(file)}`;

export function setTenant(tenant: Brand | null): void {
  storeTenant(tenant);
  useTenant.setState({ tenant: borrowed ?? tenant });
}

/**
 * Shows the page in another tenant's branding without storing it. Returns a function that restores the tenant's own.
 */
export function adoptTenant(tenant: Brand): () => void {
  borrowed = tenant;
  useTenant.setState({ tenant });
  return () => {
    borrowed = null;
    useTenant.setState({ tenant: readStoredTenant() });
  };
}
let borrowed: Brand | null = null;

const hasOwnColours = (tenant: Brand): boolean =>
  (Object.keys(DEFAULT_COLOURS) as (keyof typeof DEFAULT_COLOURS)[]).some(key => tenant[key] !== DEFAULT_COLOURS[key]);

const sheet = new CSSStyleSheet();

/**
 * Applies the tenant's colors. The default colors keep the hand-tuned tokens; the code that works out tokens loads only
 * for others.
 */
async function paint(tenant: Brand | null): Promise<void> {
  const rules =
    tenant && hasOwnColours(tenant)
      ? (await loadChunk(() => import('../theme/brand/brand-sheet.ts'))).brandSheet(tenant)
      : '';
  if (useTenant.getState().tenant === tenant) sheet.replaceSync(rules);
}

/** Loads the branding from the server. */
export async function askTenant(): Promise<void> {
  const { token } = useSession.getState();
  try {
    const { tenant } = await call(token === null ? readTenantOfHost : readTenant);
    if (useSession.getState().token === token) setTenant(tenant);
  } catch {
    // The stored branding stays. The next sign-in or visit asks again.
  }
}

/** Keeps the page in the tenant's colors, from the start and after every sign-in and sign-out. */
export function startTenant(): void {
  document.adoptedStyleSheets.push(sheet);
  useTenant.subscribe(({ tenant }) => void paint(tenant));
  useSession.subscribe((now, before) => {
    if (now.token !== before.token) void askTenant();
  });
  void paint(useTenant.getState().tenant);
  void askTenant();
}
