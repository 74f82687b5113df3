import styles from './Picture.module.css';
import { useObjectUrl } from './use-object-url.ts';

interface Props {
  /** Undefined while it loads. */
  readonly file: Blob | undefined;
  readonly label: string;
}

/** A thumbnail of a loaded image file. A click opens the full picture in a new tab. */
export function Picture({ file, label }: Props) {
  const address = useObjectUrl(file);
  if (address === null) return <span className={styles.picture} />;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img className={styles.picture} src={address} alt={label} />
    </a>
  );
}
