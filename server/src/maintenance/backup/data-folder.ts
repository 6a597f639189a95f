import { realpathSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { hasCode } from './checked-files.ts'

/** Files made by another user are files the server cannot open. */
export function assertOwner(folder: string): void {
  const [owner, us] = [statSync(folder).uid, process.getuid?.()]
  if (us === undefined || owner === us) return
  throw new OperatorError(`${folder} belongs to another user. Run this command as the user that Assay runs as.`)
}

/** With links resolved, also of a path whose last part does not exist. */
export function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(whole) === whole) throw error
    return join(realPath(dirname(whole)), basename(whole))
  }
}

export const isWithin = (path: string, folder: string) =>
  realPath(path)
    .concat(sep)
    .startsWith(realPath(folder) + sep)

/** The names in a folder; none if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  }
}
