import { readdirSync, readFileSync } from 'node:fs'

/** In MB, from /proc; shared pages count for each process. */
function treeMegabytes(): number {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!pid) continue
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {} // The process has just ended.
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = parents.get(at)) if (at === process.pid) return true
    return false
  }
  let kilobytes = 0
  for (const pid of parents.keys()) {
    if (!isOurs(pid)) continue
    try {
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    } catch {} // The process has just ended.
  }
  return kilobytes / 1024
}

/** Of this process and its children; the result returns the peak in MB. */
export function watchMemory(everyMs = 100): () => number {
  let peak = treeMegabytes()
  const timer = setInterval(() => {
    peak = Math.max(peak, treeMegabytes())
  }, everyMs)
  return () => {
    clearInterval(timer)
    return Math.max(peak, treeMegabytes())
  }
}
