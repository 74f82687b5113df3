/**
 * A text as the file allows it (Appendix A, 4.8.2.1): ASCII; commas and carriage returns become `;`. Accents are
 * dropped (José → Jose); anything without an ASCII form becomes a question mark.
 */
export function fileText(text: string, longest: number): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[,\r\n]+/g, ';')
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('ß', 'ss')
    .replaceAll(/[ØøŁłĐđÆæŒœ]/g, letter => WITHOUT_PARTS[letter] ?? '?')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/[^\x20-\x7e]/gu, '?')
    .slice(0, longest);
}

/** Letters that Unicode does not decompose. */
const WITHOUT_PARTS: Readonly<Record<string, string>> = {
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
};
