import { IconCamera } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toast } from '../base/toasts/toast.ts';
import styles from './PhotoField.module.css';
import { shrinkPhoto } from './shrink-photo.ts';

interface Props {
  readonly children: ReactNode;
  readonly disabled?: boolean;
  /** Said if the file is no photo that can be sent. */
  readonly unusable: string;
  readonly onPhoto: (photo: Blob) => void;
}

/** Opens the phone's camera, or a file picker on devices without one. */
export function PhotoField({ children, disabled = false, unusable, onPhoto }: Props) {
  return (
    <label className={styles.field} data-disabled={disabled || undefined}>
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp"
        capture="environment"
        disabled={disabled}
        onChange={event => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (!file) return;
          void shrinkPhoto(file).then(photo => (photo ? onPhoto(photo) : toast(unusable, 'error')));
        }}
      />
      <IconCamera size={20} stroke={1.75} aria-hidden />
      {children}
    </label>
  );
}
