import type { Result } from '../result.ts';
import { bad, good } from '../result.ts';
import type { OutputFault } from './faults.ts';
import { writeLines } from './lines.ts';
import { isPreview, sealed } from './preview.ts';
import { readOutputFile } from './read.ts';
import type { OutputFile } from './sections.ts';

/**
 * The text of an output file, or its faults: nothing is written that the strict reader would refuse. A preview gets its
 * digest.
 */
export function writeOutputFile(file: OutputFile): Result<string, readonly OutputFault[]> {
  const text = writeLines(isPreview(file) ? sealed(file) : file);
  const read = readOutputFile(text);
  return read.ok ? good(text) : bad(read.fault);
}
