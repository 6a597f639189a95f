import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'

interface BenchResult {
  part: string
  about: string
  what: string
  /** As printed: with its unit, or several figures. */
  value: string
  figure: number | null
  /** As printed, such as `goal: at most 2.5×`; empty without. */
  goal: string
  /** Null without a goal that is one figure. */
  met: boolean | null
}

const figureIn = (text: string): number | null => {
  const found = /-?\d[\d,]*(?:\.\d+)?/.exec(text)?.[0]
  return found === undefined ? null : Number(found.replaceAll(',', ''))
}

/** A ratio before the goal is what the goal is about. */
function isGoalMet(value: string, goal: string): boolean | null {
  const [, ratio = '', direction, limit = ''] = /^(.*?)goal: (under|at most|at least) ([\d,.]*\d)/.exec(goal) ?? []
  if (direction === undefined) return null
  const figure = figureIn(ratio) ?? figureIn(value)
  const bound = figureIn(limit)
  if (figure === null || bound === null) return null
  if (direction === 'under') return figure < bound
  return direction === 'at most' ? figure <= bound : figure >= bound
}

export class BenchReport {
  readonly results: BenchResult[] = []
  readonly #lines: string[] = []
  #part = ''
  #about = ''

  startPart(name: string): void {
    this.#part = name
    this.#about = ''
  }

  heading = (about: string): void => {
    this.#about = about
    console.log(`\n${about}`)
  }

  result = (what: string, value: string, goal = ''): void => {
    const met = isGoalMet(value, goal)
    this.results.push({ part: this.#part, about: this.#about, what, value, figure: figureIn(value), goal, met })
    console.log(`${what.padEnd(58)} ${value.padStart(14)}  ${goal}${met === false ? '  MISSED' : ''}`)
  }

  text = (lines: string): void => {
    this.#lines.push(`${this.#part}: ${lines}`)
    console.log(lines)
  }

  printSummary(): void {
    const judged = this.results.filter(({ met }) => met !== null)
    const missed = judged.filter(({ met }) => met === false)
    console.log(`\n${judged.length - missed.length} of ${judged.length} goals reached`)
    for (const { about, what, value, goal } of missed) console.log(`✗ ${about}: ${what}: ${value} (${goal})`)
  }

  writeJson(path: string): void {
    const [cpu] = cpus()
    const machine = {
      cores: cpus().length,
      cpu: cpu?.model ?? '',
      memory_gb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    }
    const report = { measured_at: new Date().toISOString(), commit: currentCommit(), machine, results: this.results }
    writeFileSync(path, `${JSON.stringify({ ...report, lines: this.#lines }, null, 2)}\n`)
    console.log(`\nWritten to ${path}`)
  }
}

export async function inFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `assay-bench-${name}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** With a mark where files have changed since; null outside a checkout. */
function currentCommit(): string | null {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return null
  }
}
