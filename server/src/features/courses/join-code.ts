import { randomInt } from 'node:crypto'
import { JOIN_CODE_LENGTH, JOIN_CODE_LETTERS } from '@assay/shared/rules/join-code.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { isDuplicateKey } from '../../lib/db.ts'
import type { Actor } from '../../lib/handle.ts'
import { type CourseDoc, CourseModel } from './course.model.ts'
import { keepEnrollment } from './enrollment.service.ts'

const ATTEMPTS = 5

const makeCode = () =>
  Array.from({ length: JOIN_CODE_LENGTH }, () => JOIN_CODE_LETTERS[randomInt(JOIN_CODE_LETTERS.length)]).join(
    '',
  )

/** Gives the course a fresh code; the one before opens it no more. */
export async function makeJoinCode(course: CourseDoc): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const join_code = makeCode()
    try {
      await CourseModel.updateOne({ _id: course._id }, { $set: { join_code } })
      return join_code
    } catch (error) {
      // The same code twice in 27^8 is no fault; the index decides, and another is drawn.
      if (!isDuplicateKey(error) || attempt === ATTEMPTS) throw error
    }
  }
}

export async function switchJoinCodeOff(course: CourseDoc): Promise<void> {
  await CourseModel.updateOne({ _id: course._id }, { $set: { join_code: null } })
}

/**
 * Puts a student on the course whose code they have.
 * @throws {AppError} `resource_not_found` for a code that is no course's, `duplicate` when enrolled already
 */
export async function joinByCode(student: Actor, code: string, now: Date): Promise<CourseDoc> {
  const course = await CourseModel.findOne({ join_code: code }).lean()
  if (!course) {
    throw notFound('No course has this code. Check it with your instructor: a code may have been changed.')
  }
  if (!(await keepEnrollment(course, student.id, { added_by: 'code' }, now))) {
    throw new AppError('duplicate', `You are already enrolled in “${course.name}”.`)
  }
  return course
}
