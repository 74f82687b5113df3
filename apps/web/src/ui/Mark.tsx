/** The product's logo, a mile marker. Drawn in the current text color, with its two lines in the rail's teal. */
export function Mark({ height = 28 }: { readonly height?: number }) {
  return (
    <svg
      viewBox="0 0 24 32"
      width={(height * 3) / 4}
      height={height}
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <rect x="1" y="1" width="22" height="30" rx="3.5" stroke="currentColor" strokeWidth="2" />
      <path d="M6.5 14V7.5l5.5 6 5.5-6V14" stroke="currentColor" strokeWidth="2.4" strokeLinejoin="round" />
      <path d="M6.5 19h11M6.5 25h6" stroke="var(--rail-mark)" strokeWidth="2.4" />
    </svg>
  );
}
