import type { LogDay, ShownStatus } from '@milepost/contract';
import { type KeyboardEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { clockFigure, formatHours } from '../format/duration.ts';
import { formatLocale, listOf } from '../format/locale.ts';
import { useSize } from '../ui/use-size.ts';
import { homeHour, homeTime, logDate } from './home-time.ts';
import styles from './LogGraph.module.css';
import { hoursOf, LINES, type Line, lineOf, pathOf, quartersOf, type Span, spansOf } from './log-shape.ts';
import { wholeMinutes } from './whole-minutes.ts';

export type GraphDay = Pick<LogDay, 'date' | 'from' | 'to' | 'timeZone' | 'through' | 'segments' | 'totals'> & {
  readonly violations: readonly { readonly from: string; readonly to: string }[];
};

interface Props {
  readonly day: GraphDay;
  /** A proposed change: a dashed box where it would be, connected to the current line. */
  readonly proposed?: Span | null;
  /** The chosen span; arrow keys move between spans. Without `chosen` and `onChoose`, the graph is only a picture. */
  readonly chosen?: number | null;
  readonly onChoose?: (index: number) => void;
  /** Shows the whole day at any width, as an officer has to see it, with marks for every third hour only. */
  readonly fit?: boolean;
  /** Rows below on the same time axis, such as speed; `draw` gets the axis and draws within `height`. */
  readonly below?: { readonly height: number; readonly draw: (x: (ms: number) => number) => React.ReactNode };
}

/** Narrower than this, the graph scrolls sideways in its card, or has fewer marks. */
const MIN_WIDTH = 620;
/** The narrowest that fits a day: an hour is nine pixels wide. */
const MIN_FIT = 310;
/** Hours that have a label where there is no room for all of them. */
const LABEL_EVERY_H = 3;
const DEFAULT_WIDTH = 776;
const [LEFT, RIGHT, TOP, ROW] = [46, 54, 22, 44];
const BOTTOM = TOP + LINES.length * ROW;
const INDICATED: readonly ShownStatus[] = ['PC', 'YM'];
/** Room for the letters that mark personal use and yard moves. */
const LETTERS_PX = 4;

const middle = (line: Line): number => TOP + (LINES.indexOf(line) + 0.5) * ROW;
const top = (line: Line): number => TOP + LINES.indexOf(line) * ROW;

/**
 * A day's log in the form that the regulations require: four lines, hours and quarters as on a ruler, totals at the
 * end.
 */
export function LogGraph({ day, proposed = null, chosen = null, onChoose, below, fit = false }: Props) {
  const { t } = useTranslation('logbook');
  const [ref, size] = useSize();
  const hatch = useId();
  const width = Math.max(fit ? MIN_FIT : MIN_WIDTH, size.width || DEFAULT_WIDTH);
  const isNarrow = width < MIN_WIDTH;
  const height = BOTTOM + 6 + (below?.height ?? 0);
  const [from, to] = [Date.parse(day.from), Date.parse(day.to)];
  const x = (ms: number): number => LEFT + ((ms - from) / (to - from)) * (width - LEFT - RIGHT);
  const spans = spansOf(day);
  const totals = wholeMinutes(day.totals);
  const through = Math.min(to, Date.parse(day.through));
  const hours = hoursOf(from, to, ms => homeHour(ms, day.timeZone));
  const at = chosen === null ? undefined : spans[chosen];
  const words = (span: Span): string =>
    t('graph.span', {
      status: t(`status.${span.status}`),
      from: homeTime(span.fromMs, day.timeZone),
      to: homeTime(span.toMs, day.timeZone),
      length: formatHours(span.toMs - span.fromMs),
    });
  const label = t('graph.label', {
    date: logDate(day.date),
    totals: listOf(
      LINES.map(line => t('graph.total', { status: t(`status.${line}`), time: clockFigure(totals[line]) })),
    ),
  });

  function onKeyDown(event: KeyboardEvent): void {
    const now = chosen ?? -1;
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: spans.length - 1 }[event.key];
    if (to === undefined || spans.length === 0) return;
    event.preventDefault();
    onChoose?.(Math.max(0, Math.min(spans.length - 1, to)));
  }

  const picture = (
    <svg
      className={styles.graph}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.4" height="6" className={styles.hatch} />
        </pattern>
      </defs>
      {LINES.map((line, nth) => (
        <rect
          key={line}
          x={LEFT}
          y={top(line)}
          width={width - LEFT - RIGHT}
          height={ROW}
          className={styles.row}
          data-even={nth % 2 === 0 || undefined}
        />
      ))}
      {through < to && (
        <rect
          x={x(through)}
          y={TOP}
          width={Math.max(0, x(to) - x(through))}
          height={BOTTOM - TOP}
          className={styles.future}
        />
      )}
      {!isNarrow && (
        <path
          className={styles.quarters}
          d={quartersOf(from, to)
            .flatMap((ms, nth) =>
              LINES.map(line => `M${x(ms).toFixed(1)} ${top(line) + ROW}v${nth % 3 === 1 ? -11 : -6}`),
            )
            .join('')}
        />
      )}
      {hours.map(({ ms, hour }) => (
        <g key={ms}>
          <path
            className={styles.hour}
            data-strong={hour % 6 === 0 || undefined}
            d={`M${x(ms).toFixed(1)} ${TOP}V${BOTTOM}`}
          />
          {(!isNarrow || hour % LABEL_EVERY_H === 0) && (
            <text className={styles.hourText} x={x(ms)} y={16} textAnchor="middle">
              {hourLabel(hour)}
            </text>
          )}
        </g>
      ))}
      <path
        className={styles.frame}
        d={[...LINES.map(top), BOTTOM].map(y => `M${LEFT} ${y}H${width - RIGHT}`).join('')}
      />
      {LINES.map(line => (
        <g key={line}>
          <text className={styles.name} data-duty={line} x={LEFT - 9} y={middle(line) + 4.5} textAnchor="end">
            {line}
          </text>
          <text className={styles.total} x={width - 6} y={middle(line) + 5} textAnchor="end">
            {clockFigure(totals[line])}
          </text>
        </g>
      ))}
      {spans.map((span, nth) => {
        const [start, end] = [x(span.fromMs), x(span.toMs)];
        const line = lineOf(span.status);
        return (
          <g
            key={span.fromMs}
            data-duty={span.status}
            className={styles.span}
            data-chosen={nth === chosen || undefined}
          >
            <rect x={start} y={top(line) + 2} width={end - start} height={ROW - 4} className={styles.fill} />
            {INDICATED.includes(span.status) && end - start >= LETTERS_PX && (
              <text className={styles.letters} x={(start + end) / 2} y={top(line) + 12} textAnchor="middle">
                {span.status}
              </text>
            )}
          </g>
        );
      })}
      {day.violations.map(({ from: begins, to: ends }) => {
        const [start, end] = [x(Math.max(from, Date.parse(begins))), x(Math.min(to, Date.parse(ends)))];
        return (
          end > start && (
            <rect
              key={`${begins} ${ends}`}
              x={start}
              y={top('D') + 2}
              width={end - start}
              height={ROW - 4}
              fill={`url(#${hatch})`}
            />
          )
        );
      })}
      <path className={styles.joint} d={pathOf(spans, x, middle)} />
      {spans.map(span => (
        <path
          key={span.fromMs}
          className={styles.line}
          data-duty={span.status}
          d={`M${x(span.fromMs).toFixed(1)} ${middle(lineOf(span.status))}H${x(span.toMs).toFixed(1)}`}
        />
      ))}
      {proposed && <Proposed span={proposed} spans={spans} x={x} />}
      {at && (
        <rect
          className={styles.chosen}
          x={x(at.fromMs)}
          y={TOP}
          width={Math.max(2, x(at.toMs) - x(at.fromMs))}
          height={BOTTOM - TOP}
        />
      )}
      {below && <g transform={`translate(0 ${BOTTOM + 6})`}>{below.draw(x)}</g>}
    </svg>
  );

  return (
    <div ref={ref} className={styles.measured}>
      {onChoose ? (
        <div
          className={styles.scroller}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, spans.length - 1)}
          aria-valuenow={chosen ?? 0}
          aria-valuetext={at ? words(at) : t('graph.none')}
          onKeyDown={onKeyDown}
        >
          {picture}
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section className={styles.scroller} tabIndex={0} aria-label={label}>
          {picture}
        </section>
      )}
    </div>
  );
}

/** A proposed change: a dashed box, connected to the current line. */
function Proposed({
  span,
  spans,
  x,
}: {
  readonly span: Span;
  readonly spans: readonly Span[];
  readonly x: (ms: number) => number;
}) {
  const [start, end] = [x(span.fromMs), x(span.toMs)];
  const line = lineOf(span.status);
  const now = spans.find(one => one.fromMs <= span.fromMs && one.toMs > span.fromMs);
  const center = (start + end) / 2;
  return (
    <>
      {now && <path className={styles.joined} d={`M${center} ${middle(lineOf(now.status))}V${middle(line)}`} />}
      <rect
        className={styles.proposed}
        x={start - 1}
        y={middle(line) - 17}
        width={Math.max(4, end - start + 2)}
        height={34}
        rx={3}
      />
    </>
  );
}

/** M for midnight and N for noon, as on paper logs; in languages other than English, the hour. */
function hourLabel(hour: number): string {
  if (!formatLocale().startsWith('en')) return String(hour);
  return hour === 0 ? 'M' : hour === 12 ? 'N' : String(hour % 12);
}
