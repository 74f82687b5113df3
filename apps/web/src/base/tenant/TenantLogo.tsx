import { Avatar } from '../../ui/Avatar.tsx';
import styles from './TenantLogo.module.css';
import { imageUrl, useTenant } from './tenant.ts';

/** The tenant's logo, or its initials. Decorative, since the name is beside it. */
export function TenantLogo({ name, size = 26 }: { readonly name: string; readonly size?: number }) {
  const logo = useTenant(({ tenant }) => tenant?.logoUrl ?? null);
  if (logo === null) return <Avatar name={name} kind="organisation" size={size} />;
  return <img className={styles.logo} src={imageUrl(logo)} alt="" style={{ height: size, maxWidth: size * 4 }} />;
}
