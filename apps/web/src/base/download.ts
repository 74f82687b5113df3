/** Saves a file through the browser's downloads. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has read the file. Keeping the URL longer would keep the file in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
