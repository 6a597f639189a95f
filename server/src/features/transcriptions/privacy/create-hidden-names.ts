import type { Box, Page, Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { LRUCache } from 'lru-cache'
import { coverRegions, coverRegionsOfPng, findNameRegions } from '../../../grader/anonymizer/cover-names.ts'
import { createMask, type Mask } from '../../../grader/anonymizer/mask.ts'
import type { NameBook } from '../../../grader/anonymizer/name-book.ts'
import { findOwnerHints, nameIn } from '../../../grader/extraction/owner/owner-hints.ts'
import { visibleLines } from '../../../grader/layout/paper-lines.ts'
import { rubricText } from '../../../grader/rubric/rubric-text.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import { PromiseCache } from '../../../lib/promise-cache.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { possibleCodeBoxes } from '../../../papers/codes/sheet-layout.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import { picturesToPdf } from '../../../papers/pdf/pictures-to-pdf.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import {
  type AssignmentNames,
  type CoveredPdf,
  type HiddenNames,
  hidesNames,
  noMask,
  type TextMask,
} from '../../anonymity/hidden-names.ts'
import { findAssignment, requireAssignment } from '../../assignments/assignment.service.ts'
import { hasPrints } from '../../intake/printing/print.service.ts'
import { findReading, readStoredPaper, renderStoredPage } from '../../submissions/pages/paper-reading.service.ts'
import { lastChangeOfPapers } from '../../submissions/submission-queries.ts'
import {
  buildAssignmentNameBook,
  buildCourseNameBook,
  identifies,
  identifyingWords,
  wordsOfPeople,
} from './identifying-words.ts'

export function createHiddenNames(services: Omit<Services, 'names'>): HiddenNames {
  // Made again when words have changed, and after a minute, as the task's text may have.
  const masks = new PromiseCache<string, Mask>({ max: 32, ttl: 60_000 })
  const maskOf = async (assignment: AssignmentNames) => {
    const [changed, people] = await Promise.all([lastChangeOfPapers(assignment._id), wordsOfPeople(assignment)])
    const key = hashOf(JSON.stringify([assignment._id, changed, people]))
    return masks.get(key, () => createAssignmentMask(assignment, people))
  }
  return {
    maskFor: async (assignment) => (hidesNames(assignment) ? createTextMask(await maskOf(assignment)) : noMask),
    ...createCoveredPapers(services, maskOf),
  }
}

async function createAssignmentMask(assignment: AssignmentNames, people: string[][]): Promise<Mask> {
  const [names, publicText] = await Promise.all([buildAssignmentNameBook(assignment, people), textOfTask(assignment)])
  return createMask({ private_words: [], name_on_paper: null, publicText, hidesAllAlike: true, ...names })
}

/** What the assignment prints is no name. */
async function textOfTask({ _id }: AssignmentNames): Promise<string> {
  const full = await findAssignment(_id)
  const blank = full && (await findReading(full.blank.hash))
  const printed = blank ? visibleLines(blank.paper).map(({ text }) => text) : []
  return [...(full?.rubric ? [rubricText(full.rubric)] : []), ...printed].join('\n')
}

/** Each text has its own numbering, so that it can be undone from that text alone. */
function createTextMask(mask: Mask): TextMask {
  const hide = (text: string) => {
    mask.forget()
    return mask.hide(text)
  }
  return {
    hide,
    reveal(edited, original) {
      hide(original)
      return mask.reveal(edited)
    },
  }
}

/** The longest side, in pixels: handwriting is read well at it. */
const LONGEST = 1600
/** A class is walked through forwards and back. */
const CACHED_BYTES = 64 * 1024 * 1024

const UNREADABLE =
  'This paper cannot be shown while names are hidden: it could not be read, so the name on it cannot be covered. Show names to see it.'

interface CoveredPaper {
  paper: Paper
  regions: Map<number, Box[]>
}

/** Nothing of a page is shown before the paper has been read. */
function createCoveredPapers(
  services: Omit<Services, 'names'>,
  maskOf: (assignment: AssignmentNames) => Promise<Mask>,
): Pick<HiddenNames, 'coveredPage' | 'coveredPdf' | 'uncoveredLines'> {
  const made = new LRUCache<string, CoveredPdf>({ maxSize: CACHED_BYTES, sizeCalculation: ({ bytes }) => bytes.length })
  const beingMade = new Map<string, Promise<CoveredPdf>>()

  async function findRegions(assignment: AssignmentNames, paper: Paper, blank: Paper): Promise<Map<number, Box[]>> {
    const [mask, hasCodes] = await Promise.all([maskOf(assignment), hasPrints(assignment._id)])
    return findNameRegions(paper, blank, mask.identifyingLines, hasCodes ? possibleCodeBoxes : undefined)
  }

  async function regionsOf(assignment: AssignmentNames, submission: SubmissionDoc): Promise<CoveredPaper> {
    const { blank } = await requireAssignment(assignment._id)
    try {
      const paper = await readStoredPaper(submission.file.hash, services)
      const printed = await readStoredPaper(blank.hash, services)
      return { paper, regions: await findRegions(assignment, paper, printed) }
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
      const regions = await findRegions(assignment, own.paper, printed.paper)
      return (page, box) => !(regions.get(page) ?? []).some((region) => isWithin(box, region))
    },
  }
}

/** By the middle of the line, as regions reach into the lines beside them. */
function isWithin({ x, y, width, height }: Box, region: Box): boolean {
  const middle = y + height / 2
  const meets = x < region.x + region.width && x + width > region.x
  return meets && middle > region.y && middle < region.y + region.height
}

const widthOf = ({ width, height }: Page): number =>
  width >= height ? LONGEST : Math.max(50, Math.round((LONGEST * width) / height))

const wholePage = ({ width, height }: Page): Box[] => [{ x: 0, y: 0, width, height }]

/** Lines are covered whole and lost to the reader, so another's given name alone covers nothing. */
export async function createPictureMask(
  submission: Parameters<typeof identifyingWords>[0],
  { paper, blank, rubric, around }: { paper: Paper; blank: Paper; rubric: Rubric; around: NameBook },
): Promise<Mask> {
  const lines = visibleLines(paper)
  const words = [...(await identifyingWords(submission)), nameIn(findOwnerHints(lines, visibleLines(blank))) ?? '']
  return createMask({
    private_words: words.filter(identifies),
    name_on_paper: null,
    publicText: [rubricText(rubric), ...visibleLines(blank).map(({ text }) => text)].join('\n'),
    otherNames: around,
    matchOthersSingleNames: false,
    ocr: lines.some(({ source }) => source === 'ocr' || source === 'model'),
  })
}

/** Each paper of a run needs them twice. A course may grow meanwhile. */
const namesByRun = new PromiseCache<string, NameBook>({ max: 32, ttl: 60_000 })

export function cachedCourseNames(
  key: string | null,
  assignment: Parameters<typeof buildCourseNameBook>[0],
): Promise<NameBook> {
  const build = () => buildCourseNameBook(assignment)
  return key === null ? build() : namesByRun.get(key, build)
}
