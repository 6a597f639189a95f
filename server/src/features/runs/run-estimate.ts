import { otherModel } from '@assay/shared/model-settings.ts'
import { isOnThisMachine } from '@assay/shared/rules/web-address.ts'
import type { RunEstimate, WhatToGrade } from '@assay/shared/runs.ts'
import { dollarsFor, type Tokens } from '../../grader/model/tokens.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { ModelCallModel } from '../model/model-call.model.ts'
import type { ChosenModel } from '../model/models.ts'
import { touchedRubric } from '../rubrics/outdated.ts'
import { layingVersion } from '../rubrics/rubric.service.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { lookAhead } from './look-ahead.ts'
import { pagesToRead } from './pages-to-read.ts'
import { plan } from './run.service.ts'
import { tokensOfOne } from './tokens-of-papers.ts'

/** What reading a paper and grading it offline takes, in s: measured with typed papers of five pages, with four at once. */
const SECONDS_TO_READ = 0.25
const SECONDS_TO_GRADE = 0.03

/** A model's answer where none of this model is in the ledger yet, in s. */
const SECONDS_TO_ANSWER = 8

/** More papers than this are counted by a part of them. */
const MOST_COUNTED = 200

/** How many papers have something doubtful that is asked about a second time: about a third. */
const DOUBTFUL = 0.3

/**
 * What a run would come to: reading handwriting, grading with the teacher's decisions as examples, and second opinions. Papers that were
 * read are counted by their words, the others as like those.
 */
export async function estimate(
  assignment: AssignmentDoc,
  what: WhatToGrade,
  services: Services,
): Promise<RunEstimate> {
  const ids = await plan(assignment, what)
  const read = await readAmong(ids, assignment)
  const unread = ids.length - read.length
  const chosen = await services.models.chosenFor(assignment.course_id)
  const counts = { papers: ids.length, unread }
  const reading = unread * SECONDS_TO_READ
  if (!chosen) {
    const seconds = Math.ceil(reading + ids.length * SECONDS_TO_GRADE)
    return { ...counts, ...offline, seconds }
  }
  const ahead = unread > 0 ? await lookAhead(assignment, chosen, services) : null
  const rubric = what.outdated ? await touchedRubric(assignment) : (ahead ?? assignment).rubric
  const { pictures } = chosen
  const pages = await pagesToRead(someOf(ids), ids.length, ahead, chosen)
  const each = await tokensOfOne(someOf(read), ids, { assignment, rubric, pictures })
  const first = sumOf(scaled(each, ids.length), pages)
  const doubtful = chosen.second_opinion === 'never' ? 0 : ids.length * DOUBTFUL
  const second = scaled(each, doubtful)
  const secondPrice = otherModel(chosen) === null ? chosen.price : chosen.second_price
  const dollars = addUp(dollarsFor(first, chosen.price), dollarsFor(second, secondPrice))
  const left_of_budget = await services.models.leftOfBudget(chosen, assignment.course_id)
  const asking =
    (ids.length + doubtful) * (await usualSeconds(chosen, 'grade')) +
    pages.pages * (await usualSeconds(chosen, 'transcribe'))
  return {
    ...counts,
    ...scaled(sumOf(first, second), 1),
    pages_to_read: pages.pages,
    grader: chosen.name,
    leaves_server: !isOnThisMachine(chosen.base_url),
    pictures,
    dollars,
    seconds: Math.ceil(reading + asking / Math.min(chosen.at_once, ids.length || 1)),
    left_of_budget,
    enough: left_of_budget === null || dollars === null || dollars <= left_of_budget,
  }
}

/** A second opinion nobody has put a price on is not in the figure: the first is by far the most of it. */
const addUp = (first: number | null, second: number | null) => (first === null ? null : first + (second ?? 0))

const sumOf = (a: Tokens, b: Tokens): Tokens => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
})

function scaled(each: Tokens, by: number): Tokens {
  return {
    input_tokens: Math.round(each.input_tokens * by),
    output_tokens: Math.round(each.output_tokens * by),
  }
}

function someOf(ids: number[]): number[] {
  const step = Math.ceil(ids.length / MOST_COUNTED)
  return ids.filter((_, i) => i % step === 0)
}

const offline = {
  grader: 'offline',
  leaves_server: false,
  pictures: false,
  pages_to_read: 0,
  input_tokens: 0,
  output_tokens: 0,
  dollars: 0,
  left_of_budget: null,
  enough: true,
}

async function readAmong(ids: number[], assignment: AssignmentDoc): Promise<number[]> {
  const laid = { _id: { $in: ids }, rubric_version: layingVersion(assignment) }
  return (await AnswersModel.find(laid, { _id: 1 }).sort({ _id: 1 }).lean()).map(({ _id }) => _id)
}

/** How long this model's last answers took. */
async function usualSeconds(
  { provider, model }: ChosenModel,
  purpose: 'grade' | 'transcribe',
): Promise<number> {
  const answered = { provider, model, purpose, outcome: 'answered' as const }
  const last = await ModelCallModel.find(answered, { ms: 1 }).sort({ at: -1 }).limit(20).lean()
  if (last.length === 0) return SECONDS_TO_ANSWER
  return last.reduce((sum, { ms }) => sum + ms, 0) / last.length / 1000
}
