import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ClassAnswers, Grader } from '../../grader.ts'
import { buildPaper, type LineSpec } from '../../testing/build-paper.ts'

type Written = string | LineSpec

const [WHY, SUM, CELL] = [
  '1. Why are there tides? (4 points)',
  '2. How much is 2 + 3? (2 points)',
  '3. What is a plant cell? (4 points)',
]

export const MOON = 'The moon pulls the water of the ocean and the earth turns.'

const blank = buildPaper([WHY, '', '', SUM, '', CELL, '', ''])
const key = buildPaper([
  WHY,
  'The moon pulls on the water of the oceans and the earth turns beneath it.',
  '',
  SUM,
  '5',
  CELL,
  'A cell with a wall and chloroplasts.',
])

export const answeredPaper = (why: Written, sum: Written, cell: Written) =>
  buildPaper([
    { text: 'Name: Ada Diaz', box: { x: 72, y: 20, width: 90, height: 12 } },
    WHY,
    why,
    '',
    SUM,
    sum,
    CELL,
    cell,
  ])

export const honestPaper = answeredPaper(MOON, '5', 'It has a wall and is green.')

/** Papers are numbered from 1. */
export async function extractClass(
  offline: Grader,
  papers: ReturnType<typeof buildPaper>[],
): Promise<{ rubric: Rubric; everyone: ClassAnswers }> {
  const rubric = await offline.generateRubric(blank, key)
  const extracted = await Promise.all(papers.map((one) => offline.extractAnswers(rubric, blank, one)))
  return {
    rubric,
    everyone: { key: JSON.stringify(papers), submissions: extracted.map((one, i) => ({ id: i + 1, extracted: one })) },
  }
}
