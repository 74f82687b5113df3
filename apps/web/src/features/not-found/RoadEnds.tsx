/** A road that ends at a mile marker without a number. */
export function RoadEnds() {
  return (
    <svg width="132" height="64" viewBox="0 0 132 64" fill="none" strokeLinecap="round" aria-hidden="true">
      <path d="M4 52h92" stroke="var(--line-strong)" strokeWidth="6" />
      <path d="M10 52h80" stroke="var(--bg)" strokeWidth="1.6" strokeDasharray="6 5" />
      <path d="M104 52h3M113 52h3M122 52h3" stroke="var(--line-strong)" strokeWidth="2" />
      <path d="M78 38v10" stroke="var(--brand2)" strokeWidth="2" />
      <rect
        x="66"
        y="6"
        width="24"
        height="32"
        rx="3"
        fill="var(--brand2-soft)"
        stroke="var(--brand2)"
        strokeWidth="2"
      />
      <path d="M73.5 18a4.5 4.5 0 1 1 6 4.2c-1 .4-1.5 1-1.5 2.3M78 29.4v.1" stroke="var(--brand2)" strokeWidth="2" />
    </svg>
  );
}
