import styles from './Avatar.module.css';
import { initials } from './initials.ts';

/**
 * Initials in a circle for a person, in a rounded square for an organization. Decorative, since the name is beside it.
 */
export function Avatar({
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
      data-hue={kind === 'person' ? hueOf(name) : undefined}
      data-initials={initials(name, kind)}
      style={{ width: size, height: size, fontSize: size * 0.42 }}
      aria-hidden="true"
    />
  );
}

const HUES = 5;

/** The same name has the same color everywhere. The color has no meaning; it only helps to recognize the name. */
const hueOf = (name: string): number =>
  [...name].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 997, 7) % HUES;
