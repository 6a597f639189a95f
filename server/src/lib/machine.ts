import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Null where the system does not tell. */
function attempt(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}

/**
 * Where a process id says which process it is: until the machine starts again, and in one container. Containers may share a host's name,
 * and copies of a virtual machine do. Without a slash.
 */
export const machineId = [
  hostname(),
  attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8)),
  attempt(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
]
  .filter((part) => part !== null)
  .join(':')

/** One process of one machine. */
export interface ProcessIdentity {
  machine: string
  pid: number
  /** Another one at each start: in a container every process has the same number. */
  start?: string | undefined
}

export const thisProcess = {
  machine: machineId,
  pid: process.pid,
  start: randomUUID().slice(0, 8),
} satisfies ProcessIdentity

let isAlone = false

/** Says whether no other process can be at work on the database: it is embedded in this one. */
export function setAlone(alone: boolean): void {
  isAlone = alone
}

/** Whether a process has certainly ended. False for those of other machines: nobody knows here. */
export function hasEnded({ machine, pid, start }: ProcessIdentity): boolean {
  const isThis = machine === machineId && pid === process.pid && start === thisProcess.start
  if (isThis) return false
  if (isAlone) return true
  if (machine !== machineId) return false
  // An earlier process with our number.
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM')
  }
}
