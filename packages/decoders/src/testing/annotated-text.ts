/** Text written as fields, one per line, with a comment after a bar. A literal bar is written `\|`. */
export function annotatedText(text: string): Uint8Array {
  const bare = text
    .split('\n')
    .map(line => (line.split(/(?<!\\)\|/)[0] ?? '').replaceAll('\\|', '|').trim())
    .join('');
  return Uint8Array.from(bare, character => character.charCodeAt(0));
}
