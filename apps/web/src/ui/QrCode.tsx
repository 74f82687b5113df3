import encodeQR from 'qr';
import { useMemo } from 'react';
import styles from './QrCode.module.css';

/** Light margin around the code in modules. Readers need four (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** A QR code as one path, dark on white in both color schemes, as cameras need it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, side } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { border: QUIET });
    const dark = rows.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { path: dark.join(''), side: rows.length };
  }, [text]);
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
