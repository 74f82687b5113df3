import { isDirectional, SHAPES, type ShapeName, shapeToken } from './status-shapes.ts';

interface Props {
  readonly shape: ShapeName;
  readonly size?: number;
  /** Degrees clockwise from north. Only shapes with a direction are rotated. */
  readonly course?: number | null;
}

/** The shape of a status. Decorative, since the word is beside it or in the row's name. */
export function StatusGlyph({ shape, size = 14, course = null }: Props) {
  const turned = course !== null && isDirectional(shape);
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ flex: 'none', color: `var(${shapeToken(shape)})`, rotate: turned ? `${course}deg` : undefined }}
    >
      {SHAPES[shape].map(({ d, ground, fillRule, stroke }) => {
        const ink = ground ? 'var(--surface)' : 'currentColor';
        return stroke ? (
          <path
            key={d}
            d={d}
            fill="none"
            stroke={ink}
            strokeWidth={stroke.width}
            strokeDasharray={stroke.dash?.join(' ')}
            strokeLinecap={stroke.round ? 'round' : 'butt'}
          />
        ) : (
          <path key={d} d={d} fill={ink} fillRule={fillRule} />
        );
      })}
    </svg>
  );
}
