import { isOpenProblem } from '@assay/shared/rules/rubric-problems.ts'
import { describe, expect, it } from 'vitest'
import { generateRubric } from '../../server/src/grader/rubric/generate-rubric.ts'
import { usePaperReader } from '../../server/src/testing/cached-paper-reader.ts'
import { biologyQuiz } from './demo-biology.ts'
import { drawDemo, drawDemoPaper } from './demo-course.ts'
import { forcesExam } from './demo-forces.ts'
import { demoStudents } from './demo-students.ts'
import { drawBlank, drawKey } from './draw-papers.ts'

const { reader, papers } = usePaperReader()

async function textOf(bytes: Buffer): Promise<string> {
  const { pages } = await reader.read(await papers.put(bytes))
  return pages.flatMap((page) => page.lines.map((line) => line.text)).join(' ')
}

describe.each([
  ['biology', biologyQuiz],
  ['physics', forcesExam],
])('the %s assignment of the demo course', (_, assignment) => {
  it('has a paper of every student, answers to all questions, and files named after their students', () => {
    expect(assignment.papers.map((paper) => paper.username).toSorted()).toEqual(
      demoStudents.map((one) => one.username).toSorted(),
    )
    expect(new Set(assignment.papers.map((paper) => paper.fileName)).size).toBe(assignment.papers.length)
    for (const { username, fileName, answers } of assignment.papers) {
      expect(answers).toHaveLength(assignment.questions.length)
      const student = demoStudents.find((one) => one.username === username)
      const names = [
        username,
        student?.email,
        student?.student_number,
        student?.full_name,
        student?.full_name.replace(' ', '_'),
      ]
      expect(names).toContain(fileName.replace(/\.pdf$/, ''))
    }
  })

  it('contains what each student wrote, except on scans', async () => {
    for (const paper of assignment.papers) {
      if (paper.style === 'scanned') continue
      const text = await textOf((await drawDemoPaper(assignment, paper)).bytes)
      for (const answer of paper.answers) expect(text, paper.username).toContain(answer)
    }
  })
})

it('has scans, forms, turned pages, a student who wrote nothing and one with a hidden instruction', () => {
  const all = [...biologyQuiz.papers, ...forcesExam.papers]
  expect(new Set(all.map((paper) => paper.style))).toEqual(new Set(['typed', 'scanned', 'form', 'rotated']))
  expect(all.some((paper) => paper.answers.every((answer) => answer === ''))).toBe(true)
  expect(all.some((paper) => paper.extras?.hiddenInstruction)).toBe(true)
})

it('is deterministic, so that a file seeded twice is stored once', async () => {
  const [first, second] = [await drawDemo(forcesExam), await drawDemo(forcesExam)]
  for (const [index, paper] of first.papers.entries())
    expect(paper.bytes.equals(second.papers[index]?.bytes ?? Buffer.alloc(0)), paper.fileName).toBe(true)
})

it('prints the questions of the biology assignment with points on the blank, and answers on the key alone', async () => {
  const [blank, key] = [await textOf(await drawBlank(biologyQuiz)), await textOf(await drawKey(biologyQuiz))]
  for (const { number, prompt, points, answer } of biologyQuiz.questions) {
    expect(blank).toContain(`${number}. ${prompt} (${points} points)`)
    expect(key).toContain(`${number}. ${prompt} (${points} points)`)
    expect(key).toContain(answer)
  }
  expect(key).toContain('Answer: ')
  expect(blank).not.toContain('Answer: ')
})

it('prints the physics assignment of the demo as a board paper, of which every mark is read from its mark scheme', async () => {
  const read = async (bytes: Buffer) => reader.read(await papers.put(bytes))
  const rubric = generateRubric(await read(await drawBlank(forcesExam)), await read(await drawKey(forcesExam)))
  expect(rubric.problems.filter(isOpenProblem)).toEqual([])
  expect(
    rubric.questions.map(({ number, kind, criteria }) => [number, kind, criteria.map(({ points }) => points)]),
  ).toEqual([
    ['1.1', 'text', [1, 1]],
    ['1.2', 'choice', [1]],
    ['1.3', 'true_false', [1]],
    ['1.4', 'number', [1]],
    ['1.5', 'choice', [1]],
    ['2.1', 'number', [1, 1]],
    ['2.2', 'number', [1, 1]],
    ['2.3', 'text', [1, 1, 1]],
  ])
})
