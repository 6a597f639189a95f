import type { ZipEntry } from '../../lib/storage/zip-stream.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { ReleaseDoc } from '../../records/grading/grade.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { type Owned, peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { coursesById } from '../courses/course.service.ts'
import { findCriterionGrades } from '../grades/grade.service.ts'
import { withoutOutdatedFeedback } from '../grades/grade-items.ts'
import { findPenMarks } from '../grades/pen-marks/pen-mark.service.ts'
import { findItemsOfGrades, toRelease } from '../grades/release.service.ts'
import { findRegrades } from '../regrades/regrade.service.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'
import { usersById } from '../users/user.service.ts'
import { buildMarkup, type GradedPaperSource } from './graded-paper-markup.ts'

const BATCH = 100
/** Bounds the memory: one paper is drawn while the last is sent. */
const AHEAD = 2

export async function* gradedPapers(
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
): AsyncGenerator<ZipEntry> {
  const uniqueName = createUniqueNames()
  const drawing: Promise<ZipEntry | null>[] = []
  for await (const batch of submissionBatches(assignment._id, BATCH, 'graded')) {
    for (const submission of batch) {
      signal.throwIfAborted()
      const source = await loadCurrentGrade(assignment, submission, services.clock.now())
      if (!source) continue
      const name = uniqueName(paperName(source))
      const next = drawGradedPaper(source, submission.file.hash, services, { signal }).then((bytes) => ({
        name,
        bytes,
      }))
      // A failure is reported when this paper's turn comes.
      next.catch(() => {})
      drawing.push(next)
      const ready = drawing.length >= AHEAD ? await drawing.shift() : null
      if (ready) yield ready
    }
  }
  for (const last of drawing) {
    const ready = await last
    if (ready) yield ready
  }
}

export async function loadCurrentGrade(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  now: Date,
): Promise<GradedPaperSource | null> {
  const { grade } = submission
  if (!grade) return null
  const [criteria, outdated, items, course, users, regrades, pen] = await Promise.all([
    findCriterionGrades(grade.id),
    outdatedVersions(assignment),
    findItemsOfGrades([{ submission, grade }]),
    findCourseName(assignment),
    usersById(peopleOf(submission)),
    findRegrades(submission._id),
    findPenMarks(submission, 'grader'),
  ])
  const shown = withoutOutdatedFeedback(criteria ?? [], grade, outdated)
  return {
    assignment,
    courseName: course,
    students: peopleIn(submission, users),
    submission,
    grade: toRelease(assignment, submission, grade, { criteria: shown, items }, now),
    released: grade.released && assignment.status === 'published',
    regrade: regrades.find((request) => peopleOf(submission).includes(request.student_id)) ?? null,
    pen,
  }
}

export async function loadReleasedGrade(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  release: ReleaseDoc,
): Promise<GradedPaperSource> {
  const [course, users, regrades, pen] = await Promise.all([
    findCourseName(assignment),
    usersById(peopleOf(release)),
    findRegrades(release._id),
    findPenMarks(submission, 'student'),
  ])
  return {
    assignment,
    courseName: course,
    students: peopleIn(release, users),
    submission,
    grade: release,
    released: true,
    // The paper may have been assigned to another student, who must not see what its first owner asked.
    regrade: regrades.find((request) => peopleOf(release).includes(request.student_id)) ?? null,
    pen,
  }
}

const peopleIn = (paper: Owned, users: Map<number, UserDoc>) => peopleOf(paper).flatMap((id) => users.get(id) ?? [])

async function findCourseName({ course_id }: Pick<AssignmentDoc, 'course_id'>): Promise<string | null> {
  if (course_id === null) return null
  return (await coursesById([course_id])).get(course_id)?.name ?? null
}

export async function drawGradedPaper(
  source: GradedPaperSource,
  hash: string,
  { files, papers, log }: Pick<Services, 'files' | 'papers' | 'log'>,
  options: { signal?: AbortSignal; urgent?: boolean } = {},
): Promise<Buffer> {
  const markup = buildMarkup(source)
  try {
    return await papers.markUp(await files.localPath(hash), markup, options)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (options.signal?.aborted || !(error instanceof PaperError || isGone)) throw error
    log.warn({ err: error, submission_id: source.submission._id }, 'a graded paper has its cover only')
    const notice = { kind: 'notice', text: 'The paper could not be opened, so only this summary is here.' } as const
    const [title, facts, ...rest] = markup.cover
    const cover = [title, facts, notice, ...rest].filter((block) => block !== undefined)
    return papers.markUp(null, { ...markup, cover }, options)
  }
}

/** Belongs to the surname behind it: Vincent van Gogh, Charles de Gaulle. */
const particle = /^\p{Ll}/u
/** Device names on Windows. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** With its ending a name stays below the 255 bytes that most file systems allow. */
const MOST_LETTERS = 60

/** `Surname, First (number)` of each of its people, or the paper's label. */
export function paperName({ students, submission }: Pick<GradedPaperSource, 'students' | 'submission'>): string {
  const names = students.map(({ full_name, username, student_number }) => {
    const name = full_name ? surnameFirst(full_name) : username
    return student_number ? `${name} (${student_number})` : name
  })
  return names.join('; ') || submission.student_identifier
}

function surnameFirst(fullName: string): string {
  const words = fullName.trim().split(/\s+/)
  if (words.length === 1 || fullName.includes(',')) return words.join(' ')
  const firstParticle = words.findIndex((word, i) => i > 0 && i < words.length - 1 && particle.test(word))
  const surname = firstParticle === -1 ? words.length - 1 : firstParticle
  return `${words.slice(surname).join(' ')}, ${words.slice(0, surname).join(' ')}`
}

export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ')
  const short = [...plain].slice(0, MOST_LETTERS).join('')
  const trimmed = short.replace(/^[.\s]+|[.\s]+$/g, '')
  if (trimmed === '') return 'Paper'
  return reserved.test(trimmed) ? `_${trimmed}` : trimmed
}

/** Ignores case: the second `Chen, Lucy` is `Chen, Lucy – 2`. */
export function createUniqueNames(): (name: string, ending?: string) => string {
  const taken = new Set<string>()
  return (name, ending = 'pdf') => {
    const safe = safeFileName(name)
    for (let n = 1; ; n++) {
      const unique = n === 1 ? safe : `${safe} – ${n}`
      const key = unique.toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return `${unique}.${ending}`
    }
  }
}
