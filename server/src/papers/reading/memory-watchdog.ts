import { Worker } from 'node:worker_threads'

/** What the watchdog writes to stderr before it kills the process, so that the parent can say why. */
export const outOfMemoryMarker = 'assay: too much memory'

/**
 * Kills this process over its memory limit or without a parent. A thread, because the main one may be busy for minutes;
 * V8's limits do not count ArrayBuffers, which a decompression bomb fills.
 */
export function startMemoryWatchdog(megabytes: number): void {
  const thread = new Worker(new URL('./memory-watchdog-thread.ts', import.meta.url), {
    workerData: { bytes: megabytes * 2 ** 20, parent: process.ppid },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  thread.unref()
}
