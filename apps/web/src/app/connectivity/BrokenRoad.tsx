/** A road that ends at a barrier, with a mile marker on the far side. */
export function BrokenRoad() {
  return (
    <svg width="132" height="64" viewBox="0 0 132 64" fill="none" strokeLinecap="round" aria-hidden="true">
      <path d="M4 46h46M82 46h46" stroke="var(--line-strong)" strokeWidth="6" />
      <path d="M10 46h34M88 46h34" stroke="var(--surface)" strokeWidth="1.6" strokeDasharray="6 5" />
      <path d="m54 38 5 16M66 36v20M78 38l-5 16" stroke="var(--critical)" strokeWidth="3" />
      <rect
        x="99"
        y="4"
        width="20"
        height="28"
        rx="3"
        fill="var(--brand2-soft)"
        stroke="var(--brand2)"
        strokeWidth="2"
      />
      <path d="M109 32v12M104 12h10M104 18h10M104 24h6" stroke="var(--brand2)" strokeWidth="2" />
    </svg>
  );
}
