import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const script = new URL('../../../../scripts/grader-evaluate.ts', import.meta.url).pathname

const TIDES = {
  question_id: 'tides',
  question: 'Why are there tides?',
  reference_answer: 'The moon pulls on the water of the oceans.',
  max_score: 5,
}
const SUM = { question_id: 'sum', question: 'What is 6 × 7?', reference_answer: '42', max_score: 1 }
const ROWS = [
  { ...TIDES, id: 't1', student_answer: 'The moon pulls the ocean water.' },
  { ...SUM, id: 's1', student_answer: '6 × 7 = 42' },
  { ...TIDES, id: 't2', student_answer: 'Because of the wind' },
  { ...TIDES, id: 't3', student_answer: 'the moon attracts water', alt_references: ['The moon attracts water'] },
  { ...SUM, id: 's2', student_answer: '41' },
  { ...TIDES, id: 't4', student_answer: "I don't know" },
  { ...TIDES, id: 't5', student_answer: '' },
]

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evaluate-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function evaluate(text: string) {
  const file = join(folder, `${randomUUID()}.jsonl`)
  await writeFile(file, text)
  return run(process.execPath, [script, file])
}

interface Printed {
  id: string
  score: number
  confidence: number
}

describe('grader:evaluate', () => {
  it('prints a score and a confidence for each row, in order, and looks at no gold', async () => {
    const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
    const { stdout } = await evaluate(`${lines(ROWS)}\n\n`)
    const printed = stdout
      .trim()
      .split('\n')
      .map((line): Printed => JSON.parse(line))
    expect(printed.map(({ id }) => id)).toEqual(ROWS.map(({ id }) => id))
    const score = Object.fromEntries(printed.map((row) => [row.id, row.score]))
    expect(score).toMatchObject({ s1: 1, s2: 0, t4: 0, t5: 0 })
    expect(score.t1).toBeGreaterThan(score.t2 ?? 1)
    for (const { score, confidence } of printed) {
      expect(Math.min(score, confidence)).toBeGreaterThanOrEqual(0)
      expect(Math.max(score, confidence)).toBeLessThanOrEqual(1)
    }
    const gold = ROWS.map((row, i) => ({ ...row, score: i % 2, label: 'correct' }))
    expect((await evaluate(lines(gold))).stdout).toBe(stdout)
  })

  it('takes a teacher’s scores as they are, and as the measure for the others', async () => {
    const decided = ROWS.map((row) => (row.id === 't2' ? { ...row, teacher_score: 4 } : row))
    const [before, after] = await Promise.all(
      [ROWS, decided].map(async (rows) => {
        const { stdout } = await evaluate(rows.map((row) => JSON.stringify(row)).join('\n'))
        const printed = stdout.trim().split('\n')
        return new Map(printed.map((line): Printed => JSON.parse(line)).map((row) => [row.id, row.score]))
      }),
    )
    expect(after?.get('t2')).toBe(0.8)
    expect(after?.get('t3')).toBeGreaterThanOrEqual(before?.get('t3') ?? 1)
    expect(after?.get('s2')).toBe(0)
    expect(after?.get('t5')).toBe(0)
  })

  it('names the line it cannot read', async () => {
    await expect(evaluate(`${JSON.stringify(ROWS[0])}\nnot json`)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(':2: not JSON'),
    })
    await expect(evaluate('{"id": 1}')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('question_id'),
    })
  })
})
