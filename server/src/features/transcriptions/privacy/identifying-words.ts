import { createNameBook, type NameBook } from '../../../grader/anonymizer/name-book.ts'
import type { IdentifyingWords } from '../../../grader/grader.ts'
import { CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { AnswersModel } from '../../../records/submissions/answers.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../../records/submissions/submission.model.ts'

type SubmissionIdentity = Pick<SubmissionDoc, 'student_id' | 'student_identifier' | 'course_id'>

/** What would tell a model who the student is: as Assay, the course and its LMS know them, and what the file is called. */
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

/** Everybody an answer may speak of: who is on the course or teaches it, and whose papers the others are. */
export async function buildCourseNameBook(assignment: { _id: number; course_id: number | null }): Promise<NameBook> {
  const { _id, course_id } = assignment
  const papers = await SubmissionModel.find({ assignment_id: _id }, { student_id: 1 }).lean()
  const [course, places, read] = await Promise.all([
    course_id === null ? null : CourseModel.findById(course_id, { instructor_ids: 1 }).lean(),
    course_id === null ? [] : EnrollmentModel.find({ course_id }, { user_id: 1 }).lean(),
    AnswersModel.find({ assignment_id: _id }, { 'laid.name_on_paper': 1 }).lean<
      { laid: { name_on_paper: string | null } }[]
    >(),
  ])
  const ids = new Set([
    ...(course?.instructor_ids ?? []),
    ...places.map(({ user_id }) => user_id),
    ...papers.flatMap(({ student_id }) => student_id ?? []),
  ])
  const people = await identifyingWordsOfUsers([...ids], course_id)
  return createNameBook(
    [...people.values()],
    read.flatMap(({ laid }) => laid.name_on_paper ?? []),
  )
}

/** Names, usernames, addresses and numbers of people, by user: those of their account, of this course's roster, and of its LMS. */
async function identifyingWordsOfUsers(ids: number[], courseId: number | null): Promise<Map<number, string[]>> {
  const [users, places, members] = await Promise.all([
    UserModel.find({ _id: { $in: ids } }).lean(),
    courseId === null
      ? []
      : EnrollmentModel.find(
          { _id: { $in: ids.map((id) => `${courseId}/${id}`) } },
          { user_id: 1, external_user_id: 1, sis_user_id: 1 },
        ).lean(),
    LtiMemberModel.find({ user_id: { $in: ids } }, { user_id: 1, name: 1, email: 1, sis_id: 1 }).lean(),
  ])
  const words = new Map<number, string[]>()
  const add = (id: number, more: (string | null | undefined)[]) =>
    words.set(id, [...(words.get(id) ?? []), ...more.filter((word): word is string => !!word)])
  for (const { _id, full_name, username, email, student_number } of users)
    add(_id, [full_name, username, email, student_number])
  for (const { user_id, external_user_id, sis_user_id } of places) add(user_id, [external_user_id, sis_user_id])
  for (const { user_id, name, email, sis_id } of members) add(user_id, [name, email, sis_id])
  return words
}
