/** A page of text as a PDF, ISO 32000-1: header, objects, cross-reference table, trailer (7.5). */
export function onePagePdf(lines: readonly string[]): Buffer {
  const text = lines.map((line, nth) => `${nth === 0 ? '' : '0 -28 Td '}(${escaped(line)}) Tj`).join('\n');
  const content = `BT /F1 18 Tf 72 720 Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, nth) => {
    const offset = file.length;
    file += `${nth + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** Strings of 7.3.4.2; what the font's encoding does not have becomes what it has. */
const escaped = (line: string): string =>
  line
    .replaceAll('’', "'")
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/[\\()]/g, character => `\\${character}`);
