import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { BenchReport, isGoalMet } from './bench-report.ts'

afterEach(() => vi.restoreAllMocks())

it.each([
  ['299 ms', 'goal: under 300 ms', true],
  ['300 ms', 'goal: under 300 ms', false],
  ['1,048 MB', 'goal: under 2,048 MB', true],
  ['2.50×', 'goal: at most 2.5×', true],
  ['94.9 %', 'goal: at least 95 %', false],
  // The goal is the ratio's, which stands before it.
  ['41.0 / 10.0 ms', '4.10×, goal: at most 1.5×', false],
  ['12.0 / 10.0 ms', '1.20×, goal: at most 1.5×', true],
  // Not one figure.
  ['348, 553, 576 MB', 'goal: flat', null],
  ['0 / 0', 'goal: 0 / 0', null],
  ['451', '', null],
  ['–', 'goal: under 3 s', null],
])('judges %s against “%s”: %s', (value, goal, met) => {
  expect(isGoalMet(value, goal)).toBe(met)
})

it('prints lines as they come and writes them all to a file', () => {
  const printed: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  const report = new BenchReport()
  report.startPart('jobs')
  report.heading('Jobs that do nothing')
  report.result('eight processes: jobs per second', '433', 'goal: at least 500/s')
  report.text('two lines\nof a table')
  report.printSummary()
  expect(printed.join('\n')).toContain('goal: at least 500/s  MISSED')
  expect(printed).toContain('\n0 of 1 goals reached')
  const folder = mkdtempSync(join(tmpdir(), 'assay-report-'))
  report.writeJson(join(folder, 'bench.json'))
  const written = JSON.parse(readFileSync(join(folder, 'bench.json'), 'utf8'))
  rmSync(folder, { recursive: true })
  expect(written.results).toEqual([
    {
      part: 'jobs',
      about: 'Jobs that do nothing',
      what: 'eight processes: jobs per second',
      value: '433',
      figure: 433,
      goal: 'goal: at least 500/s',
      met: false,
    },
  ])
  expect(written.machine.node).toBe(process.version)
  expect(written.lines).toEqual(['jobs: two lines\nof a table'])
})
