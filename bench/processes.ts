import { readFileSync } from 'node:fs';
import { childrenOf, statOf } from '../apps/server/testing/processes.ts';

/** Linux only: all of this is read from /proc. */

/** Processor time used so far, in seconds; 0 for a process that has ended. */
export function processorSecondsOf(pid: number): number {
  try {
    const fields = statOf(pid);
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** The same of a process with its children, those that have ended included. */
export function processorSecondsOfTree(parent: number): number {
  try {
    const fields = statOf(parent);
    const ended = (Number(fields[13]) + Number(fields[14])) / 100;
    return childrenOf(parent).reduce((sum, pid) => sum + processorSecondsOf(pid), processorSecondsOf(parent) + ended);
  } catch {
    return 0;
  }
}

/** Resident memory, current and peak, in megabytes. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
