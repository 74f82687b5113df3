import type { Task } from '@milepost/contract';
import { IconCheck, IconPhoto, IconSignature } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PhotoField } from '../phone/PhotoField.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Picture } from '../ui/Picture.tsx';
import { useObjectUrl } from '../ui/use-object-url.ts';
import styles from './TaskProof.module.css';
import { type ProofPart, useProofFile } from './use-proof-file.ts';

interface Props {
  readonly task: Task;
  readonly busy: boolean;
  readonly onPhoto: (file: Blob) => void;
  readonly onSign: () => void;
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** What the task asks for as proof: buttons to give it, then pictures of what was given. */
export function TaskProof({ task, busy, onPhoto, onSign }: Props) {
  const { t } = useTranslation('tasks');
  const [isOpen, setOpen] = useState(false);
  const photos = task.proof?.photos ?? 0;
  const addPhoto = (
    <PhotoField disabled={busy} unusable={t('mine.photoUnusable')} onPhoto={onPhoto}>
      {t('mine.addPhoto')}
    </PhotoField>
  );
  return (
    <div className={styles.proof}>
      {task.needsPhoto &&
        (photos === 0 ? (
          addPhoto
        ) : (
          <Tile task={task} part={photos - 1} onOpen={() => setOpen(true)} icon={<IconPhoto {...ICON} />}>
            {t('mine.photos', { count: photos })}
          </Tile>
        ))}
      {task.needsSignature &&
        (task.proof?.hasSignature ? (
          <Tile task={task} part="signature" onOpen={onSign} icon={<IconSignature {...ICON} />}>
            {t('mine.signedBy', { name: task.proof.signedBy ?? '' })}
          </Tile>
        ) : (
          <Button icon={<IconSignature {...ICON} />} onClick={onSign}>
            {t('mine.sign')}
          </Button>
        ))}
      {isOpen && (
        <PhotosDialog task={task} count={photos} onClose={() => setOpen(false)}>
          {addPhoto}
        </PhotosDialog>
      )}
    </div>
  );
}

/** What was given for a task that is over, to look at. */
export function GivenProof({ task }: { readonly task: Task }) {
  const { t } = useTranslation(['tasks', 'forms']);
  const [open, setOpen] = useState<'photos' | 'signature' | null>(null);
  const { hasSignature, photos, signedBy } = task.proof ?? NOTHING_GIVEN;
  if (photos === 0 && !hasSignature) return null;
  const signed = t('mine.signedBy', { name: signedBy ?? '' });
  return (
    <div className={styles.proof} data-over>
      {photos > 0 && (
        <Tile task={task} part={photos - 1} onOpen={() => setOpen('photos')} icon={<IconPhoto {...ICON} />}>
          {t('mine.photos', { count: photos })}
        </Tile>
      )}
      {hasSignature && (
        <Tile task={task} part="signature" onOpen={() => setOpen('signature')} icon={<IconSignature {...ICON} />}>
          {signed}
        </Tile>
      )}
      {open === 'photos' && <PhotosDialog task={task} count={photos} onClose={() => setOpen(null)} />}
      {open === 'signature' && (
        <Dialog open onClose={() => setOpen(null)} title={signed} closeLabel={t('forms:close')}>
          <Signature task={task} label={signed} />
        </Dialog>
      )}
    </div>
  );
}

const NOTHING_GIVEN = { hasSignature: false, photos: 0, signedBy: null };

function Signature({ task, label }: { readonly task: Task; readonly label: string }) {
  const address = useObjectUrl(useProofFile(task, 'signature'));
  return address ? <img className={styles.signature} src={address} alt={label} /> : null;
}

interface TileProps {
  readonly task: Task;
  readonly part: ProofPart;
  readonly icon: ReactNode;
  readonly onOpen: () => void;
  /** What it is: `2 photos`, `Signed, T. Ruiz`. */
  readonly children: ReactNode;
}

/** A picture of what was given, with its name. The picture may be missing; that it was given is always said. */
function Tile({ task, part, icon, onOpen, children }: TileProps) {
  const address = useObjectUrl(useProofFile(task, part));
  return (
    <button type="button" className={styles.tile} data-part={part === 'signature' ? part : 'photo'} onClick={onOpen}>
      {address ? <img src={address} alt="" /> : <span className={styles.missing}>{icon}</span>}
      <span className={styles.given}>
        <IconCheck size={16} stroke={2.25} aria-hidden />
        <span>{children}</span>
      </span>
    </button>
  );
}

interface PhotosProps {
  readonly task: Task;
  readonly count: number;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** All photos of the task, and a way to add more while it isn't over. */
function PhotosDialog({ task, count, onClose, children }: PhotosProps) {
  const { t } = useTranslation(['tasks', 'forms']);
  return (
    <Dialog open onClose={onClose} title={t('mine.photosOf', { title: task.title })} closeLabel={t('forms:close')}>
      <div className={styles.photos}>
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: photos are identified by their number.
          <Photo key={i} task={task} part={i} />
        ))}
      </div>
      {children}
    </Dialog>
  );
}

function Photo({ task, part }: { readonly task: Task; readonly part: number }) {
  const { t } = useTranslation('tasks');
  return <Picture file={useProofFile(task, part)} label={t('photoNumber', { number: part + 1 })} />;
}
