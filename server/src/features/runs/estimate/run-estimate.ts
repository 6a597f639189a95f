import { secondModelOf } from '@assay/shared/llm/llm-settings.ts'
import { openProblems } from '@assay/shared/rules/rubric-problems.ts'
import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'
import type { RunEstimate, RunSelection } from '@assay/shared/runs.ts'
import { costInDollars, type TokenCounts } from '../../../grader/llm/tokens.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { Services } from '../../../services.ts'
import type { ChosenLlm } from '../../llm/llm-service.ts'
import { lastCallDurations } from '../../llm/usage/llm-call-ledger.ts'
import { openStoredRubric } from '../../rubrics/open-stored-rubric.ts'
import { outdatedPartOfRubric } from '../../rubrics/outdated-grades.ts'
import { extractionVersion } from '../../rubrics/rubric.service.ts'
import { filterExtractedBy } from '../../transcriptions/answers.service.ts'
import { selectSubmissions } from '../run.service.ts'
import { previewAssignment } from './assignment-preview.ts'
import { averagePaperTokens } from './paper-tokens.ts'
import { estimateTranscription } from './transcription-estimate.ts'

/** The time to read a paper and grade it offline, in s: measured with typed papers of five pages, with four at once. */
const SECONDS_TO_READ = 0.25
const SECONDS_TO_GRADE = 0.03

/** The assumed duration of a response while the ledger has none of this LLM, in s. */
const SECONDS_TO_ANSWER = 8

/** More papers than this are estimated by a sample. */
const MAX_SAMPLE = 200

/** The share of papers with a second opinion: about a third. */
const SECOND_OPINION_SHARE = 0.3

/**
 * What a run would cost: reading handwriting, grading with the teacher's decisions as examples, and second opinions. Papers that were
 * read are counted by their words, the others are assumed to be like those.
 */
export async function estimateRunCost(
  assignment: AssignmentDoc,
  what: RunSelection,
  services: Services,
): Promise<RunEstimate> {
  const ids = await selectSubmissions(assignment, what)
  const read = await filterExtractedBy(ids, extractionVersion(assignment))
  const unread = ids.length - read.length
  const chosen = await services.llm.chosenFor(assignment.course_id)
  const problems = assignment.rubric ? openProblems(openStoredRubric(assignment.rubric)) : []
  const counts = { papers: ids.length, unread, problems }
  const reading = unread * SECONDS_TO_READ
  if (!chosen) {
    const seconds = Math.ceil(reading + ids.length * SECONDS_TO_GRADE)
    return { ...counts, ...offlineEstimate, seconds }
  }
  const ahead = unread > 0 ? await previewAssignment(assignment, chosen, services) : null
  const rubric = what.outdated ? await outdatedPartOfRubric(assignment) : (ahead ?? assignment).rubric
  const { pictures } = chosen
  const papers = { assignmentId: assignment._id, some: sample(ids), all: ids.length, rubric }
  const pages = await estimateTranscription(papers, ahead, chosen)
  const each = await averagePaperTokens(sample(read), ids, { assignment, rubric, pictures })
  const first = addTokens(scaleTokens(each, ids.length), pages)
  const doubtful = chosen.second_opinion === 'never' ? 0 : ids.length * SECOND_OPINION_SHARE
  const second = scaleTokens(each, doubtful)
  const secondPrice = secondModelOf(chosen) === null ? chosen.price : chosen.second_price
  const dollars = addDollars(costInDollars(first, chosen.price), costInDollars(second, secondPrice))
  const left_of_budget = await services.llm.remainingBudget(chosen, assignment.course_id)
  const asking =
    (ids.length + doubtful) * (await averageCallSeconds(chosen, 'grade')) +
    pages.pages * (await averageCallSeconds(chosen, 'transcribe'))
  return {
    ...counts,
    ...scaleTokens(addTokens(first, second), 1),
    pages_to_read: pages.pages,
    grader: chosen.name,
    leaves_server: !isLoopbackAddress(chosen.base_url),
    pictures,
    dollars,
    seconds: Math.ceil(reading + asking / Math.min(chosen.at_once, ids.length || 1)),
    left_of_budget,
    enough: left_of_budget === null || dollars === null || dollars <= left_of_budget,
  }
}

/** A second opinion without a price is not in the figure: the first is by far the larger part. */
const addDollars = (first: number | null, second: number | null) => (first === null ? null : first + (second ?? 0))

const addTokens = (a: TokenCounts, b: TokenCounts): TokenCounts => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
})

function scaleTokens(each: TokenCounts, by: number): TokenCounts {
  return {
    input_tokens: Math.round(each.input_tokens * by),
    output_tokens: Math.round(each.output_tokens * by),
  }
}

function sample(ids: number[]): number[] {
  const step = Math.ceil(ids.length / MAX_SAMPLE)
  return ids.filter((_, i) => i % step === 0)
}

const offlineEstimate = {
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

async function averageCallSeconds(chosen: ChosenLlm, purpose: 'grade' | 'transcribe'): Promise<number> {
  const last = await lastCallDurations(chosen, purpose)
  if (last.length === 0) return SECONDS_TO_ANSWER
  return last.reduce((sum, ms) => sum + ms, 0) / last.length / 1000
}
