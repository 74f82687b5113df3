import { initials } from './initials.ts';
import styles from './Monogram.module.css';

/** Initials in a circle for a person, in a rounded square for an organisation. Decoration: the name stands beside it. */
export function Monogram({
  name,
  kind,
  size = 28,
}: {
  readonly name: string;
  readonly kind: 'person' | 'organisation';
  readonly size?: number;
}) {
  return (
    <span
      className={styles.root}
      data-kind={kind}
      data-initials={initials(name, kind)}
      style={{ width: size, height: size, fontSize: size * 0.42 }}
      aria-hidden="true"
    />
  );
}
