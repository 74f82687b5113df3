import { deleteMyImage, IMAGE_MAX_BYTES, IMAGE_MAX_PIXELS, IMAGE_TYPES } from '@milepost/contract';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { problemWords } from '../../../base/problem-words.ts';
import { refreshMe } from '../../../base/session/use-me.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { Picture } from '../../../people/Picture.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Card } from '../Card.tsx';
import { CropPicture } from './CropPicture.tsx';
import styles from './PictureCard.module.css';

interface Props {
  readonly name: string;
  readonly image: string | null;
}

/** The user's picture. Only pixels are uploaded, encoded again, so the camera's metadata stays behind. */
export function PictureCard({ name, image }: Props) {
  const { t } = useTranslation(['profile', 'forms']);
  const input = useRef<HTMLInputElement>(null);
  const [bitmap, setBitmap] = useState<ImageBitmap | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const remove = useMutation({
    mutationFn: () => call(deleteMyImage),
    onSuccess: async () => {
      await refreshMe();
      toast(t('picture.removed'));
    },
  });

  async function choose(file: File | undefined): Promise<void> {
    setRefused(null);
    if (!file) return;
    try {
      if (!IMAGE_TYPES.some(type => type === file.type)) throw new TypeError(file.type);
      setBitmap(await createImageBitmap(file, { imageOrientation: 'from-image' }));
    } catch {
      setRefused(
        problemWords({ code: 'not-an-image', params: { limitBytes: IMAGE_MAX_BYTES, pixels: IMAGE_MAX_PIXELS } }, ''),
      );
    }
  }

  const close = (): void => {
    bitmap?.close();
    setBitmap(null);
  };
  const message = refused ?? (remove.error && describeError(remove.error).message);
  return (
    <Card title={t('picture.title')}>
      <div className={styles.picture}>
        <Picture name={name} image={image} size={72} />
        <div className={styles.actions}>
          <input
            ref={input}
            type="file"
            accept={IMAGE_TYPES.join(',')}
            hidden
            onChange={event => {
              void choose(event.currentTarget.files?.[0]);
              // Choosing the same file again must fire a change.
              event.currentTarget.value = '';
            }}
          />
          <Button icon={<IconUpload size={16} stroke={1.75} aria-hidden />} onClick={() => input.current?.click()}>
            {t(image === null ? 'picture.choose' : 'picture.replace')}
          </Button>
          {image !== null && (
            <Button
              icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
              busy={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {t('picture.remove')}
            </Button>
          )}
          <p>{t('picture.hint')}</p>
        </div>
      </div>
      {message && (
        <Notice tone="critical" role="alert">
          {message}
        </Notice>
      )}
      <Dialog open={bitmap !== null} onClose={close} title={t('picture.crop')} closeLabel={t('forms:close')}>
        {bitmap && <CropPicture bitmap={bitmap} onDone={close} />}
      </Dialog>
    </Card>
  );
}
