import { type Brand, brandSchema } from '@milepost/contract';
import { TENANT_KEY } from '../session/storage.ts';

/** How the tenant looked last, so that its colours are there from the first paint on [R3.09]. */
export function readStoredTenant(): Brand | null {
  try {
    return brandSchema.parse(JSON.parse(localStorage.getItem(TENANT_KEY) ?? ''));
  } catch {
    // Nothing stored, or written by another version: the server is asked anyway.
    return null;
  }
}

/** The looks alone; a tenant that is not there any more is forgotten [R7.28]. */
export function storeTenant(tenant: Brand | null): void {
  if (tenant) localStorage.setItem(TENANT_KEY, JSON.stringify(brandSchema.parse(tenant)));
  else localStorage.removeItem(TENANT_KEY);
}
