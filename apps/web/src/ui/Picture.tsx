import { useEffect, useState } from 'react';
import styles from './Picture.module.css';

interface Props {
  /** Undefined while it is being read. */
  readonly file: Blob | undefined;
  readonly label: string;
}

/** A small picture of a file that this page has; a click opens the whole of it. */
export function Picture({ file, label }: Props) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (address === null) return <span className={styles.picture} />;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img className={styles.picture} src={address} alt={label} />
    </a>
  );
}
