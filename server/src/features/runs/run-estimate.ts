import type { Rubric } from '@assay/shared/rubrics.ts'
import { isOnThisMachine } from '@assay/shared/rules/web-address.ts'
import type { RunEstimate, WhatToGrade } from '@assay/shared/runs.ts'
import { estimateTokens } from '../../grader/model/estimate-tokens.ts'
import { dollarsFor, type Tokens } from '../../grader/model/tokens.ts'
import { takeTurns } from '../../lib/turns.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { ModelCallModel } from '../model/model-call.model.ts'
import type { ChosenModel } from '../model/models.ts'
import { touchedRubric } from '../rubrics/outdated.ts'
import { layingVersion } from '../rubrics/rubric.service.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { plan } from './run.service.ts'

/** What reading a paper and grading it offline takes, in s: measured with typed papers of five pages, with four at once. */
const SECONDS_TO_READ = 0.25
const SECONDS_TO_GRADE = 0.03

/** A model's answer about a paper where none of this model is in the ledger yet, in s. */
const SECONDS_TO_ANSWER = 8

/** More papers than this are counted by a part of them. */
const MOST_COUNTED = 200

/** A paper nobody has read yet, where none of its class has been either: two pages of ten questions. */
const UNKNOWN_PAPER = { input_tokens: 3000, output_tokens: 1900 }

/** What a second opinion on the doubtful ones adds: about a third of all are doubtful. */
const SECOND_OPINIONS = 1.3

/** What a run would come to. Papers that were read are counted by their words, the others as like those. */
export async function estimate(
  assignment: AssignmentDoc,
  what: WhatToGrade,
  services: Pick<Services, 'models'>,
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
  const asked = what.outdated ? await touchedRubric(assignment) : assignment.rubric
  const each = (await tokensOfOne(read, asked, chosen.pictures)) ?? UNKNOWN_PAPER
  const more = chosen.second_opinion === 'never' ? 1 : SECOND_OPINIONS
  const tokens = scaled(each, ids.length * more)
  // Another model's second opinions have no price, so neither the budget nor this counts them.
  const { second_opinion, second_model } = chosen
  const elsewhere = second_opinion === 'other' && second_model && second_model !== chosen.model
  const priced = elsewhere ? scaled(each, ids.length) : tokens
  const dollars = dollarsFor(priced, chosen.price)
  const left_of_budget = await services.models.leftOfBudget(chosen, assignment.course_id)
  const asking =
    (ids.length * more * (await usualSeconds(chosen))) / Math.min(chosen.at_once, ids.length || 1)
  return {
    ...counts,
    ...tokens,
    grader: chosen.name,
    leaves_server: !isOnThisMachine(chosen.base_url),
    pictures: chosen.pictures,
    dollars,
    seconds: Math.ceil(reading + asking),
    left_of_budget,
    enough: left_of_budget === null || dollars === null || dollars <= left_of_budget,
  }
}

function scaled(each: Tokens, by: number): Tokens {
  return {
    input_tokens: Math.round(each.input_tokens * by),
    output_tokens: Math.round(each.output_tokens * by),
  }
}

const offline = {
  grader: 'offline',
  leaves_server: false,
  pictures: false,
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

/** What one paper takes on average; null where none has been read. */
async function tokensOfOne(read: number[], rubric: Rubric | null, pictures: boolean) {
  if (!rubric || read.length === 0) return null
  const step = Math.ceil(read.length / MOST_COUNTED)
  const some = read.filter((_, i) => i % step === 0)
  const sum = { input_tokens: 0, output_tokens: 0 }
  const turn = takeTurns()
  for await (const { laid } of AnswersModel.find({ _id: { $in: some } })
    .lean()
    .cursor()) {
    const { input_tokens, output_tokens } = estimateTokens(rubric, laid.answers, pictures)
    sum.input_tokens += input_tokens
    sum.output_tokens += output_tokens
    await turn()
  }
  return { input_tokens: sum.input_tokens / some.length, output_tokens: sum.output_tokens / some.length }
}

/** How long this model's last answers took. */
async function usualSeconds({ provider, model }: ChosenModel): Promise<number> {
  const answered = { provider, model, purpose: 'grade' as const, outcome: 'answered' as const }
  const last = await ModelCallModel.find(answered, { ms: 1 }).sort({ at: -1 }).limit(20).lean()
  if (last.length === 0) return SECONDS_TO_ANSWER
  return last.reduce((sum, { ms }) => sum + ms, 0) / last.length / 1000
}
