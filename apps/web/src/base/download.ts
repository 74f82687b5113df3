/** Hands a file to the browser's downloads. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the address by then; kept any longer it would hold the file in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
