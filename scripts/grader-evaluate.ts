/**
 * Measures how well the offline grader agrees with people: `npm run -s grader:evaluate -- FILE.jsonl` reads one `{id,
 * question_id, question, reference_answer, student_answer, alt_references?, max_score}` per line and prints one `{id,
 * score 0..1, confidence 0..1}` per line. A row with a `teacher_score` (out of `max_score`) is a teacher's decision, by
 * which the others are calibrated.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { evaluateRows } from '../server/src/grader/offline/evaluate-rows.ts'

const Row = z
  .object({
    id: z.union([z.string(), z.number()]),
    question_id: z.union([z.string(), z.number()]).transform(String),
    question: z.string(),
    reference_answer: z.string(),
    student_answer: z.string(),
    alt_references: z.array(z.string()).default([]),
    max_score: z.number().positive().default(1),
    teacher_score: z.number().min(0).optional(),
  })
  .transform(({ max_score, teacher_score, ...row }) => ({
    ...row,
    ...(teacher_score === undefined ? {} : { teacher_share: Math.min(1, teacher_score / max_score) }),
  }))

const [file] = process.argv.slice(2)
if (!file) {
  console.error('usage: npm run -s grader:evaluate -- FILE.jsonl')
  process.exit(2)
}

const rows = readFileSync(file, 'utf8')
  .split('\n')
  .flatMap((line, i) => (line.trim() === '' ? [] : [readRow(line, i + 1)]))

process.stdout.write(
  evaluateRows(rows)
    .map((result) => `${JSON.stringify(result)}\n`)
    .join(''),
)

function readRow(line: string, number: number): z.infer<typeof Row> {
  try {
    return Row.parse(JSON.parse(line))
  } catch (error) {
    console.error(`${file}:${number}: ${error instanceof z.ZodError ? z.prettifyError(error) : 'not JSON'}`)
    process.exit(1)
  }
}
