import { decideAnswers, getQuestion } from '@assay/shared/questions.ts'
import { applyRubricItem, changeRubricItem, createRubricItem } from '@assay/shared/rubric-items.ts'
import type { Api, Person } from '../../server/src/testing/api.ts'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { copyPaper } from '../../server/src/testing/copy-paper.ts'

export const ANSWERS = 10_000
export const DECIDED = 2_000
const QUESTION = 'q1'

const subjects = ['Ice', 'Frozen water', 'The ice', 'Solid water', 'An ice cube']
const verbs = [
  'is lighter than',
  'is less dense than',
  'weighs less than',
  'has more room than',
  'takes more space than',
]
const objects = ['water', 'the liquid', 'liquid water', 'the same water', 'the sea']
const reasons = [
  'because it expands',
  'since molecules are apart',
  'as air is in it',
  'by its lattice',
  'when it is cold',
]

/** A fifth wrote the same; the others one of 12,500 sentences. */
function answerOf(i: number): string {
  if (i % 5 === 0) return 'Ice is less dense than water.'
  const pick = (words: string[], by: number) => words[Math.floor(i / by) % words.length]
  return `${pick(subjects, 1)} ${pick(verbs, 7)} ${pick(objects, 31)} ${pick(reasons, 127)}, see ${i % 20}.`
}

/** A question with many answers, graded; `largest` has as many as are decided. */
export interface LargeQuestion {
  params: { assignmentId: number; questionId: string }
  largest: number[]
  /** In ms, over HTTP: the first time, which projects them, and the next. */
  firstOpen: number
  open: number
  megabytes: number
}

/** In ms. */
interface QuestionCost {
  decide: number
  /** As others see it, who load all answers again. */
  loadDecided: number
  /** A rubric item given to as many, and changed in all of them. */
  giveItem: number
  changeItem: number
}

/** One question with many answers, opened. */
export async function seedLargeQuestion(api: Api, instructor: Person): Promise<LargeQuestion> {
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [
    { name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada Byron' }, correctAnswers) },
  ])
  await gradeAssignment(api, instructor, assignmentId)
  await copyPaper(submissionIds[0] ?? 0, { copies: ANSWERS - 1, question: QUESTION, answerOf })
  const params = { assignmentId, questionId: QUESTION }
  const caller = api.as(instructor)
  const load = () => timed(() => caller.send(getQuestion, { params }))
  const first = await load()
  const again = await load()
  const { groups, answers } = again.result.body
  const largest = groups.map(({ variants }) => variants.flat()).sort((a, b) => b.length - a.length)
  const ids = largest.flat().slice(0, DECIDED)
  if (answers.length !== ANSWERS) throw new Error(`${answers.length} answers`)
  return {
    params,
    largest: ids,
    firstOpen: first.ms,
    open: again.ms,
    megabytes: again.result.bytes.length / 1e6,
  }
}

/** A group of them decided. */
export async function measureQuestion(
  api: Api,
  instructor: Person,
  { params, largest: ids }: LargeQuestion,
): Promise<QuestionCost> {
  const caller = api.as(instructor)
  const load = () => timed(() => caller.send(getQuestion, { params }))
  const body = { answers: ids.map((submission_id) => ({ submission_id, decided: null })), points: { [QUESTION]: 4 } }
  const decided = await timed(() => caller.send(decideAnswers, { params, body }))
  if (decided.result.body.changed.length !== DECIDED) throw new Error(decided.result.text.slice(0, 300))
  const shown = await load()
  const words = { kind: 'takes' as const, points: 2, text: 'Say why.' }
  const made = await caller.send(createRubricItem, { params, body: { criterion_id: QUESTION, ...words } })
  const item = { ...params, itemId: made.body.id }
  const seen = ids.map((submission_id) => ({ submission_id, decided: { [QUESTION]: 4 }, items: [] }))
  const given = await timed(() =>
    caller.send(applyRubricItem, { params: item, body: { answers: seen, applied: true } }),
  )
  const changed = await timed(() =>
    caller.send(changeRubricItem, { params: item, body: { ...words, points: 1, revision: 1 } }),
  )
  for (const { result } of [given, changed])
    if (result.body.changed?.length !== DECIDED) throw new Error(result.text.slice(0, 300))
  return {
    decide: decided.ms,
    loadDecided: shown.ms,
    giveItem: given.ms,
    changeItem: changed.ms,
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now()
  const result = await work()
  return { result, ms: performance.now() - start }
}
