import type { Brand } from '@milepost/contract';
import { fields, flag, orNull, readKept, text } from '../session/kept.ts';
import { TENANT_KEY } from '../session/storage.ts';

const brand = fields<Brand>({
  name: text,
  logoUrl: orNull(text),
  splashScreenUrl: orNull(text),
  isTenantSplashImg: flag,
  primaryColour: text,
  secondaryColour: text,
  activeColour: text,
});

/** The tenant's last known branding, so that its colors show from the first paint [R3.09]. */
export const readStoredTenant = (): Brand | null => readKept(TENANT_KEY, brand);

/** Stores only the branding. Null removes it, for a tenant that no longer exists [R7.28]. */
export function storeTenant(tenant: Brand | null): void {
  if (tenant) localStorage.setItem(TENANT_KEY, JSON.stringify(brand(tenant)));
  else localStorage.removeItem(TENANT_KEY);
}
