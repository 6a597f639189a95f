import { secondModelOf } from '@assay/shared/llm/llm-settings.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { openProblems } from '@assay/shared/rules/rubric-problems.ts'
import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'
import type { RunEstimate, RunSelection } from '@assay/shared/runs.ts'
import type { Anchor, Answer } from '../../../grader/grader.ts'
import { costInDollars, type TokenCounts } from '../../../grader/llm/llm-request.ts'
import { type EstimateOptions, estimateGradingTokens } from '../../../grader/llm-grading/estimate-grading-tokens.ts'
import { chooseExamples, isDecidedByTeacher } from '../../../grader/llm-grading/prepare-questions.ts'
import { rubricText } from '../../../grader/rubric/rubric-text.ts'
import { estimateReadingTokens, isPicture, isWhollyDamaged } from '../../../grader/transcribe/read-answers.ts'
import { estimatePageTokens } from '../../../grader/transcribe/transcribe-page.ts'
import { createYielder } from '../../../lib/yielder.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { Services } from '../../../services.ts'
import { findAnchors } from '../../grades/decide-criteria.ts'
import type { ChosenLlm } from '../../llm/llm-service.ts'
import { lastCallDurations } from '../../llm/usage/llm-call-ledger.ts'
import { RubricUnavailableError, readBlankOrKey } from '../../rubrics/assignment-rubric.ts'
import { outdatedPartOfRubric } from '../../rubrics/outdated-grades.ts'
import { extractionVersion, openStoredRubric } from '../../rubrics/rubric.service.ts'
import { findStoredReading } from '../../submissions/pages/paper-reading.service.ts'
import { countHandwritten, streamSubmissionFiles } from '../../submissions/submission-grading.ts'
import { answerReaderName, hasReading } from '../../transcriptions/answer-readings.ts'
import { filterExtractedBy, findAllAnswers, streamAnswers } from '../../transcriptions/answers.service.ts'
import { createIdentityLookup } from '../context/grade-context.ts'
import { selectSubmissions } from '../run.service.ts'

/** In s a paper, offline: measured with typed papers of five pages, four at once. */
const SECONDS_TO_READ = 0.25
const SECONDS_TO_GRADE = 0.03

/** In s, before this LLM has answered. */
const SECONDS_TO_ANSWER = 8

const MAX_SAMPLE = 200

const SECOND_OPINION_SHARE = 0.3

/** With the teacher's decisions as examples. Unread papers are assumed to be like those read. */
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

/** A second opinion without a price is left out: the first is by far the larger part. */
const addDollars = (first: number | null, second: number | null) => (first === null ? null : first + (second ?? 0))

const addTokens = (a: TokenCounts, b: TokenCounts): TokenCounts => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
})

function scaleTokens(each: TokenCounts, by: number): TokenCounts {
  return { input_tokens: Math.round(each.input_tokens * by), output_tokens: Math.round(each.output_tokens * by) }
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

const DEFAULT_PAPER_TOKENS = { input_tokens: 3000, output_tokens: 1900 }

const PLACEHOLDER_ANSWER = 'an answer of a line or two, as most of them are, without anything beside it'
const HANDWRITING_CONFIDENCE = 0.9

async function averagePaperTokens(
  read: number[],
  unread: number[],
  { assignment, rubric, pictures }: { assignment: AssignmentDoc; rubric: Rubric | null; pictures: boolean },
): Promise<TokenCounts> {
  if (!rubric) return DEFAULT_PAPER_TOKENS
  const anchors = await findAnchors(assignment)
  const examples = await chooseExamplesPerQuestion(rubric, anchors)
  if (read.length === 0) {
    const reading = (await countHandwritten(unread)) > unread.length / 2 ? HANDWRITING_CONFIDENCE : 1
    return estimateGradingTokens(rubric, placeholderAnswers(rubric, reading), pictures, { examples })
  }
  const sum = { input_tokens: 0, output_tokens: 0 }
  const turn = createYielder()
  for await (const { _id, extracted } of streamAnswers(read)) {
    const skip: EstimateOptions['isDecided'] = (question) => isDecidedByTeacher(question, _id, { anchors })
    const one = estimateGradingTokens(rubric, extracted.answers, pictures, { examples, isDecided: skip })
    sum.input_tokens += one.input_tokens
    sum.output_tokens += one.output_tokens
    await turn()
  }
  return { input_tokens: sum.input_tokens / read.length, output_tokens: sum.output_tokens / read.length }
}

const placeholderAnswers = ({ questions }: Rubric, reading: number): Answer[] =>
  questions.map(({ id }) => ({
    question_id: id,
    text: PLACEHOLDER_ANSWER,
    found: true,
    evidence: [],
    reading,
    seen: true,
  }))

async function chooseExamplesPerQuestion(rubric: Rubric, anchors: Anchor[]): Promise<EstimateOptions['examples']> {
  const ids = [...new Set(anchors.map(({ submission_id }) => submission_id))]
  const papers = await findAllAnswers(ids)
  const everyone = { key: '', submissions: papers.map(({ _id, extracted }) => ({ id: _id, extracted })) }
  const context = { anchors, private_words_of: createIdentityLookup() }
  const rubricPrompt = rubricText(rubric)
  const nobody = -1
  const chosen = await Promise.all(
    rubric.questions.map(
      async (question) =>
        [question.id, await chooseExamples(question, nobody, everyone, context, rubricPrompt)] as const,
    ),
  )
  return new Map(chosen)
}

interface TranscriptionEstimate extends TokenCounts {
  pages: number
}

interface PapersToRead {
  assignmentId: number
  /** A sample of the papers, representing `all` of them. */
  some: number[]
  all: number
  rubric: Rubric | null
}

/** Unread papers are assumed to be like the blank, with the usual share of pictures. */
async function estimateTranscription(
  { assignmentId, some, all, rubric }: PapersToRead,
  ahead: AssignmentPreview | null,
  chosen: ChosenLlm,
): Promise<TranscriptionEstimate> {
  const sum: TranscriptionEstimate = { pages: 0, input_tokens: 0, output_tokens: 0 }
  if (!chosen.pictures || some.length === 0) return sum
  const reader = answerReaderName(chosen)
  const add = (pages: number, tokens: TokenCounts, times = 1) => {
    sum.pages += times * pages
    sum.input_tokens += times * tokens.input_tokens
    sum.output_tokens += times * tokens.output_tokens
  }
  const addPaper = (pages: number) => add(pages, estimateReadingTokens(pages, rubric?.questions ?? null))
  let [typed, pictures, unknown] = [0, 0, 0]
  for await (const { file } of streamSubmissionFiles(some)) {
    const paper = await findStoredReading(file.hash)
    if (paper) {
      const pages = paper.pages.filter((page) => !isWhollyDamaged(page))
      const shown = file.handwritten ? pages : pages.filter(isPicture)
      if (shown.length > 0 && !(await hasReading(file.hash, assignmentId, reader))) addPaper(shown.length)
      if (!file.handwritten) {
        typed++
        pictures += shown.length
      }
    } else if (file.handwritten) addPaper(ahead?.pageCount ?? DEFAULT_PAGE_COUNT)
    else unknown++
  }
  if (typed > 0 && pictures > 0) {
    const each = pictures / typed
    add(each, estimateReadingTokens(each, rubric?.questions ?? null), unknown)
  }
  const scale = all / some.length
  sum.pages = Math.round(sum.pages * scale)
  sum.input_tokens *= scale
  sum.output_tokens *= scale
  for (const lines of ahead?.untranscribedLineCounts ?? []) add(1, estimatePageTokens(lines))
  return sum
}

/** In ms: a person is waiting, so what takes longer is guessed. */
const PREVIEW_TIMEOUT_MS = 4_000

const DEFAULT_PAGE_COUNT = 2

interface AssignmentPreview {
  pageCount: number | null
  /** As a run would make it by the rules. Not stored. */
  rubric: Rubric | null
  /** Of blank and key, before a rubric is made; null for an unread page. */
  untranscribedLineCounts: (number | null)[]
}

/** The readings are stored for the run, which reports what cannot be read. */
async function previewAssignment(
  assignment: AssignmentDoc,
  { pictures }: Pick<ChosenLlm, 'pictures'>,
  services: Services,
): Promise<AssignmentPreview> {
  const ahead: AssignmentPreview = { pageCount: null, rubric: assignment.rubric, untranscribedLineCounts: [] }
  const signal = AbortSignal.timeout(PREVIEW_TIMEOUT_MS)
  const read = async (which: 'blank' | 'key') => {
    try {
      return await readBlankOrKey(which, assignment, services, signal, null)
    } catch (error) {
      if (!(error instanceof RubricUnavailableError) && !(error instanceof PaperError)) throw error
      if (signal.aborted && pictures && !assignment.rubric)
        ahead.untranscribedLineCounts.push(...Array<null>(ahead.pageCount ?? DEFAULT_PAGE_COUNT).fill(null))
      return null
    }
  }
  const blank = await read('blank')
  if (blank) ahead.pageCount = Math.max(1, blank.paper.pages.length)
  if (assignment.rubric) return ahead
  const key = await read('key')
  for (const { lines } of [blank, key].flatMap((one) => one?.untranscribed ?? []))
    ahead.untranscribedLineCounts.push(lines.length)
  if (!blank || !key) return ahead
  const made = await services.grader.generateRubric(blank.paper, key.paper)
  if (made.questions.length > 0) ahead.rubric = made
  return ahead
}
