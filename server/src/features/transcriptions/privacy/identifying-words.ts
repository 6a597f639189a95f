import { createNameBook, type NameBook } from '../../../grader/anonymizer/name-book.ts'
import { tokenizeNames } from '../../../grader/anonymizer/name-tokens.ts'
import type { IdentifyingWords, OwnerHint } from '../../../grader/grader.ts'
import { countEach } from '../../../lib/numbers.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { peopleOf } from '../../../records/submissions/people-of-paper.ts'
import { coursesById } from '../../courses/course.service.ts'
import { findEnrollments } from '../../courses/enrollment-queries.ts'
import { membersOfUsers } from '../../lti/contexts/member.service.ts'
import { findGroups } from '../../submissions/group-members.ts'
import type { SubmissionIdentity } from '../../submissions/submission-grading.ts'
import { paperOwners, studentIdsWithSubmission } from '../../submissions/submission-queries.ts'
import { usersById } from '../../users/user.service.ts'
import { namesOnPapersOf, ownersOnPapers } from '../answers.service.ts'

/** From Assay, the course, its LMS and the file name. */
export const identifyingWords = async (submission: SubmissionIdentity): Promise<string[]> =>
  (await studentIdentity(submission)).words

export async function studentIdentity(submission: SubmissionIdentity): Promise<IdentifyingWords> {
  const { assignment_id, group_id, student_identifier, course_id } = submission
  const people = peopleOf(submission)
  const words = people.length === 0 ? [] : [...(await identifyingWordsOfUsers(people, course_id)).values()].flat()
  const group = group_id === undefined ? [] : await groupNames(assignment_id)
  return { words: [...new Set([student_identifier, ...words, ...group])], known: words.length > 0 }
}

/** “Group 3” names nobody, and may be of the periodic table. */
const numbered = /^\p{L}*\s*\d+$/u

const groupNames = async (assignmentId: number): Promise<string[]> =>
  (await findGroups(assignmentId)).map(({ name }) => name).filter((name) => !numbered.test(name))

type AssignmentOfCourse = Pick<AssignmentDoc, '_id' | 'course_id'>

export async function buildCourseNameBook(assignment: AssignmentOfCourse): Promise<NameBook> {
  const [people, read] = await Promise.all([wordsOfPeople(assignment), namesOnPapersOf(assignment._id)])
  return createNameBook(people, [...read.values()])
}

/** A word in this many papers' names names nobody: “Physics scan 12”. */
const SHARED_BY = 3

/** With what files are called, and papers say of their owners. `ocr`: some of it may be misread. */
export async function buildAssignmentNameBook(
  { _id }: AssignmentOfCourse,
  people: string[][],
): Promise<{ otherNames: NameBook; ocr: boolean }> {
  const papers = await paperOwners(_id)
  const owners = await ownersOnPapers(papers.map(({ _id }) => _id))
  const named = papers.map(({ _id, student_identifier }) => {
    const { name = null, hints = [] } = owners.get(_id) ?? {}
    const written = hints.flatMap(({ kind, text }) => (kind === 'unlabelled' ? [] : [text]))
    return [student_identifier, name ?? '', ...written].filter(identifies)
  })
  const wordsIn = (text: string) => tokenizeNames(text.normalize('NFC')).map(({ forms: [word = ''] }) => word)
  const counts = countEach(named.flatMap((texts) => [...new Set(texts.flatMap(wordsIn))]))
  const isTelling = (word: string) => (counts.get(word) ?? 0) < SHARED_BY
  const telling = named
    .flat()
    .map((text) => (wordsIn(text).every(isTelling) ? [text] : wordsIn(text).filter(isTelling)))
  const ocr = papers.some(({ file }) => file.handwritten) || [...owners.values()].some(({ hints }) => hints.some(isOcr))
  return { otherNames: createNameBook([...people, ...telling], named.flat()), ocr }
}

const isOcr = ({ ocr }: OwnerHint) => ocr

export async function wordsOfPeople({ _id, course_id }: AssignmentOfCourse): Promise<string[][]> {
  const [owners, courses, enrollments] = await Promise.all([
    studentIdsWithSubmission(_id),
    course_id === null ? null : coursesById([course_id]),
    course_id === null ? [] : findEnrollments(course_id),
  ])
  const ids = new Set([
    ...(courses?.get(course_id ?? 0)?.instructor_ids ?? []),
    ...enrollments.map(({ user_id }) => user_id),
    ...owners,
  ])
  const groups = await groupNames(_id)
  return [...(await identifyingWordsOfUsers([...ids], course_id)).values(), ...groups.map((name) => [name])]
}

export async function identifyingWordsOfUsers(ids: number[], courseId: number | null): Promise<Map<number, string[]>> {
  const [users, enrollments, members] = await Promise.all([
    usersById(ids),
    courseId === null ? [] : findEnrollments(courseId, ids),
    membersOfUsers(ids),
  ])
  const words = new Map<number, string[]>()
  const add = (id: number, more: (string | null | undefined)[]) =>
    words.set(id, [...(words.get(id) ?? []), ...more.filter((word): word is string => !!word)])
  for (const { _id, full_name, username, email, student_number } of users.values())
    add(_id, [full_name, username, email, student_number])
  for (const { user_id, external_user_id, sis_user_id } of enrollments) add(user_id, [external_user_id, sis_user_id])
  for (const { user_id, name, email, sis_id } of members) add(user_id, [name, email, sis_id])
  return words
}

/** A file name such as “two” identifies nobody. */
export const identifies = (word: string) => /[\s\d@]/.test(word) || word.length >= 6
