import { readImage } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../base/api.ts';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './Picture.module.css';

interface Props {
  readonly name: string;
  /** File name of the picture, or null for initials. */
  readonly image: string | null;
  readonly size?: number;
}

/** A person's picture or initials. Decorative, since the name is beside it. */
export function Picture({ name, image, size = 28 }: Props) {
  const url = useImage(image);
  if (url === null) return <Avatar name={name} kind="person" size={size} />;
  return <img src={url} alt="" width={size} height={size} className={styles.picture} />;
}

/**
 * A URL for an account's picture. Reading it needs the session's token, which an `<img>` doesn't send, so it is
 * fetched.
 */
function useImage(image: string | null): string | null {
  const { data: blob } = useQuery({
    queryKey: ['image', image],
    queryFn: () => call(readImage, { params: { file: image ?? '' } }),
    enabled: image !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob || image === null) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(made);
    };
  }, [blob, image]);
  return url;
}
