import { randomInt } from 'node:crypto'
import { JOIN_CODE_ALPHABET, JOIN_CODE_LENGTH } from '@assay/shared/rules/join-code.ts'
import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { reachableCourses } from '../../records/lti/reachable-courses.ts'
import { requireUnlimited } from './course.service.ts'
import { addEnrollment } from './enrollment.service.ts'

const MAX_ATTEMPTS = 5

const randomCode = () =>
  Array.from({ length: JOIN_CODE_LENGTH }, () => JOIN_CODE_ALPHABET[randomInt(JOIN_CODE_ALPHABET.length)]).join('')

export async function generateJoinCode(course: CourseDoc): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const join_code = randomCode()
    try {
      await CourseModel.updateOne({ _id: course._id }, { $set: { join_code } })
      return join_code
    } catch (error) {
      if (!isDuplicateKeyError(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** @throws {AppError} `resource_not_found`, `duplicate` */
export async function joinByCode(student: Actor, code: string, now: Date): Promise<CourseDoc> {
  const course = await CourseModel.findOne({ join_code: code }).lean()
  if (!course) throw notFound('No course has this code. Ask your instructor for the current code.')
  if ((await reachableCourses(student, [course._id])).length === 0) requireUnlimited(student)
  if (!(await addEnrollment(course, student.id, { added_by: 'code' }, now)))
    throw new AppError('duplicate', `You are already enrolled in “${course.name}”.`)
  return course
}
