/** Text written in fields, with what they mean behind a bar on each line. A bar that is meant is written `\|`. */
export function annotatedText(text: string): Uint8Array {
  const bare = text
    .split('\n')
    .map(line => (line.split(/(?<!\\)\|/)[0] ?? '').replaceAll('\\|', '|').trim())
    .join('');
  return Uint8Array.from(bare, character => character.charCodeAt(0));
}
