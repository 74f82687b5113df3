import { IconCopy } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../base/copy-text.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Segments } from '../ui/Segments.tsx';
import styles from './FrameView.module.css';
import { type ExplainedFrame, isMostlyText, type Piece, piecesOf, written } from './pieces.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A frame byte by byte. Pointing at a piece, in the list or among the bytes, highlights it in both. */
export function Component({ frame }: { readonly frame: ExplainedFrame }) {
  const { t } = useTranslation(['frames', 'forms']);
  const pieces = useMemo(() => piecesOf(frame.parts), [frame.parts]);
  const isText = useMemo(() => isMostlyText(frame.bytes), [frame.bytes]);
  const [form, setForm] = useState<'hex' | 'text'>(isText ? 'text' : 'hex');
  const [marked, setMarked] = useState<Piece | null>(null);
  // The list is one tab stop; arrow keys move between pieces.
  const [stop, setStop] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const kept = frame.bytes.length / 2;

  const step = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? pieces.length - 1 : by === undefined ? null : stop + by;
    if (to === null || !pieces[to]) return;
    event.preventDefault();
    list.current?.querySelectorAll('button')[to]?.focus();
  };

  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <span>{t(kept < frame.length ? 'cut' : 'length', { count: frame.length, kept })}</span>
        {isText && (
          <Segments
            label={t('form')}
            segments={[
              { id: 'text', label: t('text') },
              { id: 'hex', label: t('hex') },
            ]}
            chosen={form}
            onChoose={setForm}
          />
        )}
        <IconButton
          label={t('copy')}
          tooltip="left"
          onClick={() => void copyText(frame.bytes, t('copied'), t('forms:copyFailed'))}
        >
          <IconCopy size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      {/* Hidden from screen readers, because the list has the same content with names. */}
      <div className={styles.bytes} data-form={form} lang="en" dir="ltr" aria-hidden>
        {pieces
          .filter(({ isLeaf }) => isLeaf)
          .map(piece => (
            // biome-ignore lint/a11y/noStaticElementInteractions: what the pointer finds here, the keyboard finds in the list.
            <span
              key={piece.from}
              data-marked={(marked !== null && piece.from >= marked.from && piece.to <= marked.to) || undefined}
              onMouseEnter={() => setMarked(piece)}
              onMouseLeave={() => setMarked(null)}
            >
              {written(frame.bytes, piece, form)}
            </span>
          ))}
      </div>
      <ol className={styles.pieces} ref={list} aria-label={t('pieces')} lang="en" onKeyDown={step}>
        {pieces.map((piece, index) => (
          <li key={`${piece.depth}-${piece.from}`} data-depth={piece.depth}>
            <button
              type="button"
              tabIndex={index === stop ? 0 : -1}
              data-marked={marked === piece || undefined}
              onFocus={() => {
                setStop(index);
                setMarked(piece);
              }}
              onBlur={() => setMarked(null)}
              onMouseEnter={() => setMarked(piece)}
              onMouseLeave={() => setMarked(null)}
            >
              <span className={styles.offset}>{piece.from}</span>
              <span className={styles.name}>{piece.name}</span>
              <span className={styles.value}>
                {piece.value}
                {piece.unit !== undefined && <small>{piece.unit === '°' ? '°' : ` ${piece.unit}`}</small>}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
