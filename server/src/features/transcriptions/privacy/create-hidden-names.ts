import type { Box, Page, Paper } from '@assay/shared/papers.ts'
import { LRUCache } from 'lru-cache'
import { coverRegions, coverRegionsOfPng, findNameRegions } from '../../../grader/anonymizer/cover-names.ts'
import { createMask, type Mask, type MaskOptions } from '../../../grader/anonymizer/mask.ts'
import { visibleLines } from '../../../grader/layout/paper-lines.ts'
import { rubricText } from '../../../grader/rubric/rubric-text.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import { picturesToPdf } from '../../../papers/pdf/pictures-to-pdf.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { type CoveredPdf, type HiddenNames, noMask, type TextMask } from '../../anonymous-grading/hidden-names.ts'
import { type AssignmentNames, hidesNames } from '../../anonymous-grading/present-student.ts'
import { findAssignment, requireAssignment } from '../../assignments/assignment.service.ts'
import { findReading, readStoredPaper } from '../../submissions/pages/paper-reading.service.ts'
import { renderStoredPage } from '../../submissions/pages/render-stored-page.ts'
import { type OwnerOnPaper, ownersOnPapers } from '../answers.service.ts'
import { identifies, identifyingWordsOfUsers } from './identifying-words.ts'
import { cachedCourseNames } from './picture-mask.ts'

export function createHiddenNames(services: Omit<Services, 'names'>): HiddenNames {
  const masksFor: HiddenNames['masksFor'] = async (assignment, submissions) => {
    if (!hidesNames(assignment) || submissions.length === 0) return () => noMask
    const optionsOf = await loadMaskOptions(assignment, submissions, services)
    const masks = new Map(submissions.map(({ _id }) => [_id, createTextMask(() => createMask(optionsOf(_id)))]))
    return (id) => masks.get(id) ?? fail(id)
  }
  const covered = createCoveredPapers(services, async (assignment, submission) => {
    const options = (await loadMaskOptions(assignment, [submission], services))(submission._id)
    // A line is covered from edge to edge, so another student's given name alone covers nothing.
    return createMask({ ...options, matchOthersSingleNames: false })
  })
  return {
    masksFor,
    maskFor: async (assignment, submission) => (await masksFor(assignment, [submission]))(submission._id),
    courseMaskFor: async (assignment) => {
      if (!hidesNames(assignment)) return noMask
      const [otherNames, publicText] = await Promise.all([
        cachedCourseNames(`names/${assignment._id}`, assignment, services),
        textOfTask(assignment),
      ])
      return createTextMask(() => createMask({ private_words: [], name_on_paper: null, publicText, otherNames }))
    },
    ...covered,
  }
}

/** What the assignment prints is no name. */
async function textOfTask({ _id }: AssignmentNames): Promise<string> {
  const full = await findAssignment(_id)
  const blank = full && (await findReading(full.blank.hash))
  const printed = blank ? visibleLines(blank.paper).map(({ text }) => text) : []
  return [...(full?.rubric ? [rubricText(full.rubric)] : []), ...printed].join('\n')
}

function fail(submissionId: number): never {
  throw new RangeError(`No mask was made for submission ${submissionId}.`)
}

/** Each text has its own numbering, so that what was shown can be undone from that text alone. */
function createTextMask(create: () => Mask): TextMask {
  // Most rows of a list have no text to hide.
  let made: Mask | undefined
  const fresh = () => {
    made ??= create()
    made.forget()
    return made
  }
  return {
    hide: (text) => fresh().hide(text),
    reveal(edited, original) {
      const mask = fresh()
      mask.hide(original)
      return mask.reveal(edited)
    },
  }
}

async function loadMaskOptions(
  assignment: AssignmentNames,
  submissions: SubmissionDoc[],
  services: Pick<Services, 'clock'>,
): Promise<(submissionId: number) => MaskOptions> {
  const { _id, course_id } = assignment
  const students = submissions.flatMap(({ student_id }) => (student_id === null ? [] : [student_id]))
  const [words, owners, around, publicText] = await Promise.all([
    identifyingWordsOfUsers([...new Set(students)], course_id),
    ownersOnPapers(submissions.map((submission) => submission._id)),
    cachedCourseNames(`names/${_id}`, assignment, services),
    textOfTask(assignment),
  ])
  const byId = new Map(submissions.map((submission) => [submission._id, submission]))
  return (submissionId) => {
    const submission = byId.get(submissionId) ?? fail(submissionId)
    const owner = owners.get(submissionId)
    return {
      private_words: privateWords(submission, words.get(submission.student_id ?? 0) ?? [], owner),
      name_on_paper: owner?.name ?? null,
      publicText,
      otherNames: around,
      ocr: submission.file.handwritten || (owner?.hints.some(({ ocr }) => ocr) ?? false),
    }
  }
}

function privateWords(submission: SubmissionDoc, words: string[], owner: OwnerOnPaper | undefined): string[] {
  const written = (owner?.hints ?? []).flatMap(({ kind, text }) => (kind === 'unlabelled' ? [] : [text]))
  const named = [submission.student_identifier, ...written].filter(identifies)
  return [...new Set([...words, ...named])]
}

/** The longest side, in pixels: handwriting is read well at it. */
const LONGEST = 1600
/** Of covered PDFs in memory: a class is walked through forwards and back. */
const CACHED_BYTES = 64 * 1024 * 1024

const UNREADABLE =
  'This paper cannot be shown while names are hidden: it could not be read, so the name on it cannot be covered. Show names to see it.'

type PaperServices = Omit<Services, 'names'>
type CreateMask = (assignment: AssignmentNames, submission: SubmissionDoc) => Promise<Mask>

interface CoveredPaper {
  paper: Paper
  regions: Map<number, Box[]>
}

/** Without what shows whose they are. Nothing of a page is shown before the paper has been read. */
function createCoveredPapers(
  services: PaperServices,
  createPageMask: CreateMask,
): Pick<HiddenNames, 'coveredPage' | 'coveredPdf' | 'uncoveredLines'> {
  const made = new LRUCache<string, CoveredPdf>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  const beingMade = new Map<string, Promise<CoveredPdf>>()

  async function regionsOf(assignment: AssignmentNames, submission: SubmissionDoc): Promise<CoveredPaper> {
    const { blank } = await requireAssignment(assignment._id)
    try {
      const paper = await readStoredPaper(submission.file.hash, services)
      const printed = await readStoredPaper(blank.hash, services)
      const mask = await createPageMask(assignment, submission)
      return { paper, regions: findNameRegions(paper, printed, mask.identifyingLines) }
    } catch (cause) {
      if (!(cause instanceof PaperError)) throw cause
      throw new AppError('names_hidden', UNREADABLE, { cause })
    }
  }

  async function makePdf(hash: string, { paper, regions }: CoveredPaper, key: string): Promise<CoveredPdf> {
    const pages = []
    for (const page of paper.pages) {
      const png = await renderStoredPage(hash, page.number, widthOf(page), services)
      const { bytes: jpeg } = await coverRegions(png, page, regions.get(page.number) ?? wholePage(page), LONGEST)
      const { default: sharp } = await import('sharp')
      const { width, height } = await sharp(jpeg).metadata()
      pages.push({ jpeg, pixels: { width, height }, points: { width: page.width, height: page.height } })
    }
    const covered = { bytes: picturesToPdf(pages), hash: key }
    made.set(key, covered)
    return covered
  }

  return {
    async coveredPage(assignment, submission, number, width) {
      const { paper, regions } = await regionsOf(assignment, submission)
      const page = paper.pages.find((one) => one.number === number)
      if (!page) throw notFound(`Page ${number} does not exist.`)
      const png = await renderStoredPage(submission.file.hash, number, width, services)
      return coverRegionsOfPng(png, page, regions.get(number) ?? wholePage(page))
    },

    async coveredPdf(assignment, submission) {
      const covered = await regionsOf(assignment, submission)
      const { hash } = submission.file
      const key = hashOf(JSON.stringify(['covered', 1, hash, [...covered.regions]]))
      const known = made.get(key) ?? beingMade.get(key)
      if (known) return known
      const making = makePdf(hash, covered, key).finally(() => beingMade.delete(key))
      beingMade.set(key, making)
      return making
    },

    async uncoveredLines(assignment, submission) {
      if (!hidesNames(assignment)) return () => true
      const { blank } = await requireAssignment(assignment._id)
      const [own, printed] = await Promise.all([findReading(submission.file.hash), findReading(blank.hash)])
      if (!own || !printed) return () => false
      const mask = await createPageMask(assignment, submission)
      const regions = findNameRegions(own.paper, printed.paper, mask.identifyingLines)
      return (page, box) => !(regions.get(page) ?? []).some((region) => isWithin(box, region))
    },
  }
}

/** By the middle of the line, as regions reach into the lines above and below. */
function isWithin({ x, y, width, height }: Box, region: Box): boolean {
  const middle = y + height / 2
  const meets = x < region.x + region.width && x + width > region.x
  return meets && middle > region.y && middle < region.y + region.height
}

const widthOf = ({ width, height }: Page): number =>
  width >= height ? LONGEST : Math.max(50, Math.round((LONGEST * width) / height))

const wholePage = ({ width, height }: Page): Box[] => [{ x: 0, y: 0, width, height }]
