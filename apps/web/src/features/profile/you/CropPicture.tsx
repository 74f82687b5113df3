import { updateMyImage } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { refreshMe } from '../../../base/session/use-me.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { inside, MAX_ZOOM, sideOf, wholeOf } from './crop.ts';
import styles from './PictureCard.module.css';

/** Pixels of the uploaded picture: twice the largest size it is shown at. */
const SENT_PX = 512;
/** Size of the crop area on the screen; the style sheet has the same. */
const STAGE_PX = 256;
/** How far an arrow key moves the picture, as a share of the square. */
const KEY_STEP = 0.05;

/** Crops a picture to a square, by pointer, arrow keys and a slider, and uploads it. */
export function CropPicture({ bitmap, onDone }: { readonly bitmap: ImageBitmap; readonly onDone: () => void }) {
  const { t } = useTranslation(['profile', 'forms']);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState(() => wholeOf(bitmap));
  const side = sideOf(bitmap, crop);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, SENT_PX, SENT_PX);
    context.drawImage(bitmap, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, SENT_PX, SENT_PX);
  }, [bitmap, crop, side]);

  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const drawn = canvas.current;
      const image = await new Promise<Blob | null>(resolve => {
        if (drawn) drawn.toBlob(resolve, 'image/png');
        else resolve(null);
      });
      if (!image) throw new Error('The canvas gave no picture');
      return call(updateMyImage, { body: { file: new File([image], 'picture.png', { type: image.type }) } });
    },
    onSuccess: async () => {
      await refreshMe();
      toast(t('picture.saved'));
      onDone();
    },
  });

  /** Moves by a share of the square; the picture follows the finger. */
  const moveBy = (dx: number, dy: number): void =>
    setCrop(before => {
      const length = sideOf(bitmap, before);
      return inside(bitmap, { ...before, x: before.x - dx * length, y: before.y - dy * length });
    });

  function drag(event: PointerEvent): void {
    if (event.buttons === 0) return;
    moveBy(event.movementX / STAGE_PX, event.movementY / STAGE_PX);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [KEY_STEP, 0],
      ArrowRight: [-KEY_STEP, 0],
      ArrowUp: [0, KEY_STEP],
      ArrowDown: [0, -KEY_STEP],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    moveBy(...step);
  }

  return (
    <div className={styles.crop}>
      {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a picture that can be moved. */}
      <div
        className={styles.stage}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it.
        tabIndex={0}
        aria-label={t('picture.stage')}
        data-autofocus
        onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} width={SENT_PX} height={SENT_PX} />
      </div>
      <label className={styles.zoom}>
        {t('picture.zoom')}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={event => setCrop(inside(bitmap, { ...crop, zoom: event.currentTarget.valueAsNumber }))}
        />
      </label>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onDone}>{t('forms:cancel')}</Button>
        <Button variant="primary" busy={isPending} onClick={() => mutate()}>
          {t('picture.use')}
        </Button>
      </DialogActions>
    </div>
  );
}
