import { createMask, type Mask, type MaskOptions } from '../../../grader/anonymizer/mask.ts'
import { visibleLines } from '../../../grader/layout/paper-lines.ts'
import { rubricText } from '../../../grader/rubric/rubric-text.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { type HiddenNames, noMask, type TextMask } from '../../anonymous-grading/hidden-names.ts'
import { type AssignmentNames, hidesNames } from '../../anonymous-grading/present-student.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { findReading } from '../../submissions/pages/paper-reading.service.ts'
import { type OwnerOnPaper, ownersOnPapers } from '../answers.service.ts'
import { createCoveredPapers } from './covered-papers.ts'
import { identifyingWordsOfUsers } from './identifying-words.ts'
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

/** Each text is numbered for itself, so that what was shown can be undone from that text alone. */
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

/** What identifies the students of some submissions of an assignment, looked up for all of them at once. */
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

/** A file's name such as “two” is nobody's. */
const identifies = (word: string) => /[\s\d@]/.test(word) || word.length >= 6

function privateWords(submission: SubmissionDoc, words: string[], owner: OwnerOnPaper | undefined): string[] {
  const written = (owner?.hints ?? []).flatMap(({ kind, text }) => (kind === 'unlabelled' ? [] : [text]))
  const named = [submission.student_identifier, ...written].filter(identifies)
  return [...new Set([...words, ...named])]
}
