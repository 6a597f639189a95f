import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'

const Row = z
  .object({
    id: z.union([z.string(), z.number()]),
    question_id: z.union([z.string(), z.number()]).transform(String),
    question: z.string(),
    reference_answer: z.string(),
    student_answer: z.string(),
    alt_references: z.array(z.string()).default([]),
    score: z.number(),
    max_score: z.number().positive(),
  })
  .transform(({ score, max_score, ...row }) => ({ ...row, share: score / max_score }))
export type ScoredRow = z.output<typeof Row>

export interface ScoredSet {
  name: string
  rows: ScoredRow[]
}

export function readScoredSets(folder: string): ScoredSet[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => ({
      name: basename(name, '.jsonl').replace(/\.dev$/, ''),
      rows: readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => Row.parse(JSON.parse(line))),
    }))
}
