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

/** Whether a process of this machine has ended. False for those of other machines: nobody knows here. */
export function hasEndedHere(machine: string, pid: number): boolean {
  if (machine !== machineId) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM')
  }
}
