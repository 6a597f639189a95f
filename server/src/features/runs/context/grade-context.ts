import { coverRegions, findNameRegions } from '../../../grader/anonymizer/cover-names.ts'
import type { NameBook } from '../../../grader/anonymizer/name-book.ts'
import type { Anchor, GradeContext, IdentifyingWords, Picture, SuggestedCriterion } from '../../../grader/grader.ts'
import { PromiseCache } from '../../../lib/promise-cache.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { RunHead } from '../../../records/grading/run.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { findAnchors } from '../../grades/decide-criteria.ts'
import { findCriterionGrades, toCurrentGrade } from '../../grades/grade.service.ts'
import { requireRubric } from '../../rubrics/assignment-rubric.ts'
import { readStoredPaper, renderStoredPage } from '../../submissions/pages/paper-reading.service.ts'
import { findSubmissionIdentity } from '../../submissions/submission-grading.ts'
import { identifyingWords, studentIdentity } from '../../transcriptions/privacy/identifying-words.ts'
import { cachedCourseNames, createPictureMask } from '../../transcriptions/privacy/picture-mask.ts'
import { CACHED_RUNS } from './run-class.ts'

/** In pixels: handwriting is read well at it, and a model's provider would scale more down again. */
const IMAGE_WIDTH = 1600
/** Of a page that wide, before it is cut into answers and those are scaled down. */
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

/** The AI's own suggestion for what the teacher has decided on since. */
async function findDecidedCriteria({ grade }: Pick<SubmissionDoc, 'grade'>): Promise<SuggestedCriterion[]> {
  if (!grade || Object.keys(grade.decisions ?? {}).length === 0) return []
  const { criteria } = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
  return criteria.filter(({ criterion_id }) => grade.decisions?.[criterion_id] !== undefined)
}

/** Looked up for each paper graded, as a student may have been found for one meanwhile. */
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

interface PageImageSource {
  assignment: AssignmentDoc
  submission: SubmissionDoc
  around: NameBook
}

/** Each page is drawn once, however many questions are on it, with the student's identity covered. */
function createPageImages(
  { assignment, submission, around }: PageImageSource,
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

/** Looked up once for all papers of a run; after a restart there may be a few more. */
function cachedRunAnchors({ class_key }: Pick<RunHead, 'class_key'>, assignment: AssignmentDoc): Promise<Anchor[]> {
  const load = () => findAnchors(assignment)
  return class_key ? anchorsByClass.get(class_key, load) : load()
}
