/** An empty road with a mile marker. */
export function EmptyRoad() {
  return (
    <svg width="132" height="64" viewBox="0 0 132 64" fill="none" strokeLinecap="round" aria-hidden="true">
      <path d="M4 46h124" stroke="var(--line-strong)" strokeWidth="6" />
      <path d="M10 46h112" stroke="var(--surface)" strokeWidth="1.6" strokeDasharray="6 5" />
      <rect
        x="56"
        y="4"
        width="20"
        height="28"
        rx="3"
        fill="var(--brand2-soft)"
        stroke="var(--brand2)"
        strokeWidth="2"
      />
      <path d="M66 32v12M61 12h10M61 18h10M61 24h6" stroke="var(--brand2)" strokeWidth="2" />
    </svg>
  );
}
