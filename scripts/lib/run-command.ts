import { resolve } from 'node:path'
import { ConfigError } from '../../server/src/config.ts'
import { explainFailure } from '../../server/src/maintenance/backup/explain-failure.ts'

/** A failure that can be explained is printed as a sentence; each failure ends with status 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : (explainFailure(error) ?? error))
    process.exitCode = 1
  }
}

/** npm runs a script in the project's folder, and says where it was called. */
export const pathFromCaller = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)

export function exitWithUsage(usage: string): never {
  console.error(`usage: ${usage}`)
  process.exit(2)
}

const number = new Intl.NumberFormat('en')

export function count(n: number, noun: string): string {
  return `${number.format(n)} ${noun}${n === 1 ? '' : 's'}`
}
