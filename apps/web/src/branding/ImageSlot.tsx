import { IconTrash, IconUpload } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './ImageSlot.module.css';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly image: ReactNode;
  readonly chooseLabel: string;
  readonly removeLabel: string;
  readonly busy: boolean;
  readonly onChoose: (file: File) => void;
  /** Null: nothing to remove. */
  readonly onRemove: (() => void) | null;
  readonly children?: ReactNode;
}

/** One of the tenant's images, to replace or remove; each change is saved right away. */
export function ImageSlot(props: Props) {
  const { title, text, image, chooseLabel, removeLabel, busy, onChoose, onRemove, children } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.slot}>
      <div className={styles.image}>{image}</div>
      <div className={styles.text}>
        <b>{title}</b>
        <span>{text}</span>
        <div className={styles.actions}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp"
            aria-label={chooseLabel}
            onChange={event => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (file) onChoose(file);
            }}
          />
          <Button
            busy={busy}
            icon={<IconUpload size={16} stroke={1.75} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {chooseLabel}
          </Button>
          {onRemove && (
            <IconButton label={removeLabel} onClick={onRemove}>
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </IconButton>
          )}
        </div>
        {children}
      </div>
    </div>
  );
}
