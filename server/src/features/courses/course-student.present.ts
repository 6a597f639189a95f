import type { CourseStudent } from '@assay/shared/courses.ts'
import type { EnrollmentDoc } from '../../records/courses/course.model.ts'
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
