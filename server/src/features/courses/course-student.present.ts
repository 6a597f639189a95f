import type { CourseStudent } from '@assay/shared/courses.ts'
import type { EnrollmentDoc } from '../../records/courses/course.model.ts'
import type { PendingEnrollmentDoc } from '../../records/courses/pending-enrollment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { isNeverInvited } from '../users/account.service.ts'

export function presentCourseStudent(
  user: UserDoc,
  enrollment: Pick<EnrollmentDoc, 'enrolled_at' | 'added_by' | 'external_user_id' | 'sis_user_id'>,
): CourseStudent {
  return {
    id: user._id,
    username: user.username,
    full_name: user.full_name,
    email: user.email,
    enrolled_at: enrollment.enrolled_at.toISOString(),
    state: user.account === 'invited' ? 'invited' : 'enrolled',
    ...(isNeverInvited(user) ? { never_invited: true as const } : {}),
    external_user_id: enrollment.external_user_id ?? null,
    sis_user_id: enrollment.sis_user_id ?? null,
    added_by: enrollment.added_by ?? 'teacher',
    test_student: user.test_user ?? false,
  }
}

/** Shows nothing of the account, which may not be the student's. */
export function presentPending(pending: PendingEnrollmentDoc): CourseStudent {
  return {
    id: pending.user_id,
    username: pending.email || `user ${pending.user_id}`,
    full_name: null,
    email: pending.email,
    enrolled_at: pending.enrolled_at.toISOString(),
    state: 'waiting',
    external_user_id: pending.external_user_id ?? null,
    sis_user_id: pending.sis_user_id ?? null,
    added_by: pending.added_by ?? 'teacher',
    test_student: false,
  }
}
