import { coverRegions, findNameRegions } from '../../../grader/anonymizer/cover-names.ts'
import type { NameBook } from '../../../grader/anonymizer/name-book.ts'
import type {
  Anchor,
  ClassAnswers,
  ExtractedSubmission,
  GradeContext,
  Grader,
  IdentifyingWords,
  Picture,
  SuggestedCriterion,
} from '../../../grader/grader.ts'
import { createLlmGrader } from '../../../grader/llm-grading/llm-grader.ts'
import { batchesOf } from '../../../lib/batches.ts'
import { PromiseCache } from '../../../lib/promise-cache.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type RunHead, RunModel } from '../../../records/grading/run.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { findTestUserIds } from '../../courses/enrollment-queries.ts'
import { findAnchors } from '../../grades/decide-criteria.ts'
import { findCriterionGrades, toCurrentGrade } from '../../grades/grade.service.ts'
import type { ChosenLlm } from '../../llm/llm-service.ts'
import { requireRubric } from '../../rubrics/assignment-rubric.ts'
import { extractionVersion } from '../../rubrics/rubric.service.ts'
import { readStoredPaper, renderStoredPage } from '../../submissions/pages/paper-reading.service.ts'
import { findSubmissionIdentity } from '../../submissions/submission-grading.ts'
import { submissionsByStudent } from '../../submissions/submission-owners.ts'
import { findAllAnswers, findAnswers, submissionsExtractedBy } from '../../transcriptions/answers.service.ts'
import { cachedCourseNames, createPictureMask } from '../../transcriptions/privacy/create-hidden-names.ts'
import { identifyingWords, studentIdentity } from '../../transcriptions/privacy/identifying-words.ts'
import type { GradingPool } from '../steps/run-steps.ts'

const CACHED_RUNS = 16

/** In pixels: a model's provider would scale more down again. */
const IMAGE_WIDTH = 1600
/** In pixels, before a page is cut into answers. */
const MAX_IMAGE_LENGTH = 2400

export async function buildGradeContext(
  run: Pick<RunHead, 'class_key'>,
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  services: Services,
  signal: AbortSignal,
): Promise<GradeContext> {
  const [anchors, private_words, decidedCriteria, others] = await Promise.all([
    cachedRunAnchors(run, assignment),
    identifyingWords(submission),
    findDecidedCriteria(submission),
    cachedCourseNames(run.class_key, assignment),
  ])
  const picture = createPageImages({ assignment, submission, around: others }, services, signal)
  return {
    signal,
    anchors,
    previousCriteria: decidedCriteria,
    private_words,
    private_words_of: createIdentityLookup(),
    others,
    pagePicture: picture,
  }
}

async function findDecidedCriteria({ grade }: Pick<SubmissionDoc, 'grade'>): Promise<SuggestedCriterion[]> {
  if (!grade || Object.keys(grade.decisions ?? {}).length === 0) return []
  const { criteria } = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
  return criteria.filter(({ criterion_id }) => grade.decisions?.[criterion_id] !== undefined)
}

/** For each paper graded, as a student may have been found for one meanwhile. */
export function createIdentityLookup() {
  const known = new Map<number, Promise<IdentifyingWords | null>>()
  async function lookUp(id: number): Promise<IdentifyingWords | null> {
    const one = await findSubmissionIdentity(id)
    return one && studentIdentity(one)
  }
  return (id: number): Promise<IdentifyingWords | null> => {
    const words = known.get(id) ?? lookUp(id)
    known.set(id, words)
    return words
  }
}

/** Each page is drawn once, with the student's identity covered. */
function createPageImages(
  { assignment, submission, around }: { assignment: AssignmentDoc; submission: SubmissionDoc; around: NameBook },
  services: Services,
  signal: AbortSignal,
) {
  const { hash } = submission.file
  const drawn = new Map<number, Promise<Picture>>()
  let placing: ReturnType<typeof findCoveredAreas> | undefined
  const coveredAreasOnce = () => {
    placing ??= findCoveredAreas()
    return placing
  }
  async function findCoveredAreas() {
    const [paper, blank] = await Promise.all([
      readStoredPaper(hash, services, signal),
      readStoredPaper(assignment.blank.hash, services, signal),
    ])
    const { rubric } = requireRubric(assignment)
    const mask = await createPictureMask(submission, { paper, blank, rubric, around })
    return { paper, covered: findNameRegions(paper, blank, mask.identifyingLines) }
  }
  async function draw(page: number): Promise<Picture> {
    const [bytes, places] = await Promise.all([renderStoredPage(hash, page, IMAGE_WIDTH, services), coveredAreasOnce()])
    const { paper, covered } = places
    const size = paper.pages.find(({ number }) => number === page)
    if (!size) throw new RangeError(`Submission ${submission._id} has no page ${page}.`)
    return coverRegions(bytes, { width: size.width, height: size.height }, covered.get(page) ?? [], MAX_IMAGE_LENGTH)
  }
  return (page: number): Promise<Picture> => {
    const known = drawn.get(page) ?? draw(page)
    drawn.set(page, known)
    return known
  }
}

const anchorsByClass = new PromiseCache<string, Anchor[]>({ max: CACHED_RUNS })

function cachedRunAnchors({ class_key }: Pick<RunHead, 'class_key'>, assignment: AssignmentDoc): Promise<Anchor[]> {
  const load = () => findAnchors(assignment)
  return class_key ? anchorsByClass.get(class_key, load) : load()
}

export async function selectGrader(
  { _id: assignment_id, course_id }: Pick<AssignmentDoc, '_id' | 'course_id'>,
  run: { _id: number },
  submission: Pick<SubmissionDoc, '_id'>,
  { grader, llm }: Pick<Services, 'grader' | 'llm'>,
): Promise<{ grader: Grader; pool: GradingPool; llm: ChosenLlm | null }> {
  const chosen = await llm.chosenFor(course_id)
  if (!chosen) return { grader, pool: 'cpu', llm: chosen }
  const about = { course_id, assignment_id, run_id: run._id, submission_id: submission._id }
  const ask = llm.clientFor(chosen, about)
  return { grader: createLlmGrader({ llm: ask, offline: grader, settings: chosen }), pool: 'llm', llm: chosen }
}

export async function selectGradingPool(
  { course_id }: Pick<AssignmentDoc, 'course_id'>,
  { llm }: Pick<Services, 'llm'>,
): Promise<GradingPool> {
  return (await llm.chosenFor(course_id)) ? 'llm' : 'cpu'
}

/** Extracted by the rubric's current questions, without an LMS's test students. */
export async function findClassMembers({
  _id: assignment_id,
  course_id,
  ...versions
}: Pick<AssignmentDoc, '_id' | 'course_id' | 'rubric_version' | 'extraction_version'>): Promise<number[]> {
  const [members, tests] = await Promise.all([
    submissionsExtractedBy(assignment_id, extractionVersion(versions)),
    course_id === null ? new Set<number>() : findTestUserIds(course_id),
  ])
  const theirs = tests.size === 0 ? [] : [...(await submissionsByStudent(assignment_id, [...tests])).values()].flat()
  return members.filter((id) => !theirs.includes(id))
}

export function classKey(run: Pick<RunHead, '_id' | 'assignment_id'>, members: number[]): string {
  const who = hashOf(members.join(',')).slice(0, 16)
  return `${run.assignment_id}/${run._id}/${who}`
}

const classesByKey = new PromiseCache<string, ClassAnswers>({ max: CACHED_RUNS })

/** Only the paper's own answers have positions: a class's would fill the memory. */
export async function classForSubmission(run: RunHead, submissionId: number): Promise<ClassAnswers> {
  const [everyone, own] = await Promise.all([cachedRunClass(run), findAnswers(submissionId)])
  if (!own) throw new Error(`submission ${submissionId} has not been read`)
  const mine = { id: submissionId, extracted: own.extracted }
  // A test student is in no class, so gets one with the class.
  if (!everyone.submissions.some(({ id }) => id === submissionId))
    return { key: `${everyone.key}+${submissionId}`, submissions: [...everyone.submissions, mine] }
  const submissions = everyone.submissions.map((one) => (one.id === submissionId ? mine : one))
  return { key: everyone.key, submissions }
}

export function ownAnswers(everyone: ClassAnswers, submissionId: number): ExtractedSubmission {
  const own = everyone.submissions.find(({ id }) => id === submissionId)
  if (!own) throw new RangeError(`submission ${submissionId} is not among the class`)
  return own.extracted
}

export function cachedRunClass({ _id, class_key }: RunHead): Promise<ClassAnswers> {
  if (!class_key) throw new Error(`run ${_id} has no class yet`)
  return classesByKey.get(class_key, () => loadRunClass(_id, class_key))
}

const BATCH = 200

async function loadRunClass(runId: number, key: string): Promise<ClassAnswers> {
  const ids = (await RunModel.findById(runId, { class_submission_ids: 1 }).lean())?.class_submission_ids ?? []
  const submissions: ClassAnswers['submissions'] = []
  for (const some of batchesOf(ids, BATCH)) {
    for (const { _id, extracted } of await findAllAnswers(some)) {
      const words = extracted.answers.map((answer) => ({ ...answer, evidence: [] }))
      submissions.push({ id: _id, extracted: { answers: words, warnings: [], name_on_paper: extracted.name_on_paper } })
    }
  }
  submissions.sort((a, b) => a.id - b.id)
  return { key, submissions }
}
