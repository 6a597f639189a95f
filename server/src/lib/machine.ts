import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { hasCode } from './has-code.ts'

function attempt(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** One boot, one container: host names are shared by containers and copied machines. */
export const machineId = [
  hostname(),
  attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8)),
  attempt(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
]
  .filter((part) => part !== null)
  .join(':')

export interface ProcessIdentity {
  machine: string
  pid: number
  /** In a container every process has the same number. */
  start?: string | undefined
}

export const thisProcess = {
  machine: machineId,
  pid: process.pid,
  start: randomUUID().slice(0, 8),
} satisfies ProcessIdentity

let isAlone = false

export function setAlone(alone: boolean): void {
  isAlone = alone
}

/** False for other machines, where nobody can tell. */
export function hasEnded({ machine, pid, start }: ProcessIdentity): boolean {
  const isThis = machine === machineId && pid === process.pid && start === thisProcess.start
  if (isThis) return false
  if (isAlone) return true
  if (machine !== machineId) return false
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return !hasCode(error, 'EPERM')
  }
}
