import { Worker } from 'node:worker_threads'

/** What the watchdog writes to stderr before it kills the process, so that the parent can say why. */
export const outOfMemoryMarker = 'assay: too much memory'

/**
 * Kills this process when it holds more memory than it may, or when its parent has died. A thread of
 * its own does it, because the main thread may be busy in pdf.js or in WebAssembly for minutes; V8's
 * own limits do not count ArrayBuffers, which is where a decompression bomb goes.
 */
export function startMemoryWatchdog(megabytes: number): void {
  const thread = new Worker(new URL('./memory-watchdog-thread.ts', import.meta.url), {
    workerData: { bytes: megabytes * 2 ** 20, parent: process.ppid },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  thread.unref()
}
