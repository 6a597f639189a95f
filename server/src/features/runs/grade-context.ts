import type { GradeContext, Picture, SuggestedCriterion, WhoseWords } from '../../grader/grader.ts'
import type { NameBook } from '../../grader/model/name-book.ts'
import { coverPlaces, namePlaces } from '../../grader/transcribe/cover-names.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { findDetails } from '../grades/grade.service.ts'
import { standingOf } from '../grades/standing.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { maskForPictures, namesOfRun } from '../submissions/mask-for-pictures.ts'
import { renderStoredPage } from '../submissions/page-picture.ts'
import { privateWords, whoseWords } from '../submissions/private-words.ts'
import { readStoredPaper } from '../submissions/reading.service.ts'
import { type SubmissionDoc, SubmissionModel } from '../submissions/submission.model.ts'
import { asReadByModel } from '../transcriptions/read-by-model.ts'
import { anchorsOfRun } from './anchors-of-run.ts'
import { requireRubric } from './rubric-of-assignment.ts'
import type { RunHead } from './run.model.ts'

/** In pixels: handwriting is read well at it, and a model's provider would scale more down again. */
const PICTURE_WIDTH = 1600
/** As much as a page that wide has; it is cut into answers, which are scaled down after. */
const LONGEST = 2400

/** What a grader may use beside the rubric and the answers. */
export async function gradeContext(
  run: Pick<RunHead, 'class_key'>,
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  services: Services,
  signal: AbortSignal,
): Promise<GradeContext> {
  const [anchors, private_words, standing, others] = await Promise.all([
    anchorsOfRun(run, assignment),
    privateWords(submission),
    suggestedBefore(submission),
    namesOfRun(run.class_key, assignment, services),
  ])
  const picture = pictures({ assignment, submission, around: others }, services, signal)
  return { signal, anchors, standing, private_words, private_words_of: othersWords(), others, picture }
}

/** The AI's own suggestion for what the teacher has decided on since. */
async function suggestedBefore({ grade }: Pick<SubmissionDoc, 'grade'>): Promise<SuggestedCriterion[]> {
  if (!grade || Object.keys(grade.decisions ?? {}).length === 0) return []
  const { criteria } = standingOf(grade, (await findDetails(grade.id)) ?? [])
  return criteria.filter(({ criterion_id }) => grade.decisions?.[criterion_id] !== undefined)
}

/** Looked up anew for each paper graded, as a student may have been found for one meanwhile. */
export function othersWords() {
  const known = new Map<number, Promise<WhoseWords | null>>()
  async function lookUp(id: number): Promise<WhoseWords | null> {
    const fields = { student_id: 1, student_identifier: 1, course_id: 1 }
    const one = await SubmissionModel.findById(id, fields).lean()
    return one && whoseWords(one)
  }
  return (id: number): Promise<WhoseWords | null> => {
    const words = known.get(id) ?? lookUp(id)
    known.set(id, words)
    return words
  }
}

interface ToDraw {
  assignment: AssignmentDoc
  submission: SubmissionDoc
  around: NameBook
}

/** Each page is drawn once, however many questions stand on it, with who the student is covered. */
function pictures({ assignment, submission, around }: ToDraw, services: Services, signal: AbortSignal) {
  const { hash } = submission.file
  const drawn = new Map<number, Promise<Picture>>()
  let placing: ReturnType<typeof findPlaces> | undefined
  const placesOnce = () => {
    placing ??= findPlaces()
    return placing
  }
  async function findPlaces() {
    const [stored, blank, answers] = await Promise.all([
      readStoredPaper(hash, services, signal),
      readStoredPaper(assignment.blank.hash, services, signal),
      AnswersModel.findById(submission._id, { read_by: 1 }).lean(),
    ])
    // A model may have read a name that OCR did not.
    const paper = answers?.read_by
      ? (await asReadByModel(stored, submission.file, answers.read_by)).paper
      : stored
    const { rubric } = requireRubric(assignment)
    const mask = await maskForPictures(submission, { paper, blank, rubric, around })
    return { paper, covered: namePlaces(paper, blank, mask.telling) }
  }
  async function draw(page: number): Promise<Picture> {
    const [bytes, places] = await Promise.all([
      renderStoredPage(hash, page, PICTURE_WIDTH, services),
      placesOnce(),
    ])
    const { paper, covered } = places
    const size = paper.pages.find(({ number }) => number === page)
    if (!size) throw new RangeError(`Submission ${submission._id} has no page ${page}.`)
    return coverPlaces(bytes, { width: size.width, height: size.height }, covered.get(page) ?? [], LONGEST)
  }
  return (page: number): Promise<Picture> => {
    const known = drawn.get(page) ?? draw(page)
    drawn.set(page, known)
    return known
  }
}
