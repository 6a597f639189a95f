import { createNameBook, type NameBook } from '../../../grader/anonymizer/name-book.ts'
import type { IdentifyingWords } from '../../../grader/grader.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import { coursesById } from '../../courses/course.service.ts'
import { findEnrollments } from '../../courses/enrollment-queries.ts'
import { membersOfUsers } from '../../lti/contexts/member.service.ts'
import { studentIdsWithSubmission } from '../../submissions/submission-queries.ts'
import { usersById } from '../../users/user.service.ts'
import { namesOnPapersOf } from '../answers.service.ts'

type SubmissionIdentity = Pick<SubmissionDoc, 'student_id' | 'student_identifier' | 'course_id'>

/** From Assay, the course, its LMS and the file name. */
export async function identifyingWords(submission: SubmissionIdentity): Promise<string[]> {
  return (await studentIdentity(submission)).words
}

export async function studentIdentity({
  student_id,
  student_identifier,
  course_id,
}: SubmissionIdentity): Promise<IdentifyingWords> {
  const words =
    student_id === null ? [] : ((await identifyingWordsOfUsers([student_id], course_id)).get(student_id) ?? [])
  return { words: [...new Set([student_identifier, ...words])], known: words.length > 0 }
}

/** Everybody an answer may mention: students, teachers and owners of the other papers. */
export async function buildCourseNameBook(assignment: { _id: number; course_id: number | null }): Promise<NameBook> {
  const { _id, course_id } = assignment
  const [owners, courses, enrollments, read] = await Promise.all([
    studentIdsWithSubmission(_id),
    course_id === null ? null : coursesById([course_id]),
    course_id === null ? [] : findEnrollments(course_id),
    namesOnPapersOf(_id),
  ])
  const ids = new Set([
    ...(courses?.get(course_id ?? 0)?.instructor_ids ?? []),
    ...enrollments.map(({ user_id }) => user_id),
    ...owners,
  ])
  const people = await identifyingWordsOfUsers([...ids], course_id)
  return createNameBook([...people.values()], [...read.values()])
}

/** Names, usernames, addresses and numbers from the account, the roster and the LMS, by user. */
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
