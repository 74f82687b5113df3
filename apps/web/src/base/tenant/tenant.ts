import { type Brand, DEFAULT_COLOURS, readTenant, readTenantOfHost } from '@milepost/contract';
import { create } from 'zustand';
import { call } from '../api.ts';
import { loadChunk } from '../chunks/load-chunk.ts';
import { useSession } from '../session/session.ts';
import { readStoredTenant, storeTenant } from './stored-tenant.ts';

/** Whose pages these are: of the signed-in user's account [R4.04], before that of the host name. Null: nobody's in particular. */
export const useTenant = create<{ readonly tenant: Brand | null }>(() => ({ tenant: readStoredTenant() }));

/** Images of tenants and users, by their file name [R3.07]. */
export const imageUrl = (file: string): string => `/api/v1/uploaded-img/${encodeURIComponent(file)}`;

export function setTenant(tenant: Brand | null): void {
  storeTenant(tenant);
  useTenant.setState({ tenant: borrowed ?? tenant });
}

/**
 * Shows the page in another tenant's look without storing it. Call the returned function to undo it.
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

/** The hand-tuned tokens stay for the default colours; others come with the code that works their tones out. */
async function paint(tenant: Brand | null): Promise<void> {
  const rules =
    tenant && hasOwnColours(tenant)
      ? (await loadChunk(() => import('../theme/brand/brand-sheet.ts'))).brandSheet(tenant)
      : '';
  if (useTenant.getState().tenant === tenant) sheet.replaceSync(rules);
}

/** Asks the server how the pages look. */
export async function askTenant(): Promise<void> {
  const { token } = useSession.getState();
  try {
    const { tenant } = await call(token === null ? readTenantOfHost : readTenant);
    if (useSession.getState().token === token) setTenant(tenant);
  } catch {
    // What is stored goes on; the next sign-in or visit asks again.
  }
}

/** Keeps the pages in the tenant's colours, from the start and whenever someone signs in or out. */
export function startTenant(): void {
  document.adoptedStyleSheets.push(sheet);
  useTenant.subscribe(({ tenant }) => void paint(tenant));
  useSession.subscribe((now, before) => {
    if (now.token !== before.token) void askTenant();
  });
  void paint(useTenant.getState().tenant);
  void askTenant();
}
