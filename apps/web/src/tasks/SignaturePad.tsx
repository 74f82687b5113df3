import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import styles from './MyTasks.module.css';

interface Props {
  readonly label: string;
  readonly clearLabel: string;
  /** Receives a function that returns the picture; null while nothing is drawn. */
  readonly picture: RefObject<(() => Promise<Blob | null>) | null>;
}

/** A field to sign in with a finger, pen or mouse. */
export function SignaturePad({ label, clearLabel, picture }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDrawn = useRef(false);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // As many pixels as the screen has, so that the line stays sharp.
    element.width = element.clientWidth * devicePixelRatio;
    element.height = element.clientHeight * devicePixelRatio;
    picture.current = () =>
      new Promise(resolve => (isDrawn.current ? element.toBlob(resolve, 'image/png') : resolve(null)));
  }, [picture]);

  const pen = (event: PointerEvent<HTMLCanvasElement>): CanvasRenderingContext2D | null => {
    const context = event.currentTarget.getContext('2d');
    if (!context) return null;
    context.lineWidth = 2.5 * devicePixelRatio;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.strokeStyle = '#13202e';
    return context;
  };
  const at = ({ nativeEvent }: PointerEvent<HTMLCanvasElement>): [number, number] => [
    nativeEvent.offsetX * devicePixelRatio,
    nativeEvent.offsetY * devicePixelRatio,
  ];

  return (
    <>
      <canvas
        ref={canvas}
        className={styles.pad}
        role="img"
        aria-label={label}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const context = pen(event);
          context?.beginPath();
          context?.moveTo(...at(event));
        }}
        onPointerMove={event => {
          if (event.buttons === 0) return;
          const context = pen(event);
          context?.lineTo(...at(event));
          context?.stroke();
          isDrawn.current = true;
        }}
      />
      <Button
        onClick={() => {
          const element = canvas.current;
          element?.getContext('2d')?.clearRect(0, 0, element.width, element.height);
          isDrawn.current = false;
        }}
      >
        {clearLabel}
      </Button>
    </>
  );
}
