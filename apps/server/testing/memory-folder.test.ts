import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { makeMemoryFolder } from './memory-folder.ts';
import { removeScratchFolder } from './scratch.ts';

it('a folder in memory lasts no longer than its run, even if that is killed', ({ skip }) => {
  const mine = makeMemoryFolder();
  try {
    skip(dirname(mine) !== '/dev/shm', 'not enough memory for files');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const left = mine.replace(`-${process.pid}-`, `-${pid}-`);
    mkdirSync(left);
    writeFileSync(`${left}/data`, 'left over');
    removeScratchFolder(makeMemoryFolder());
    expect(existsSync(left)).toBe(false);
    expect(existsSync(mine)).toBe(true);
  } finally {
    removeScratchFolder(mine);
  }
});
