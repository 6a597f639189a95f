import { defineModel, defineSchema } from '../../lib/database/define-model.ts'
import { type EnrollmentDoc, enrollmentFields } from './course.model.ts'

/** For an unconfirmed address's owner: confirming makes it an enrolment; until then the account sees nothing. */
export interface PendingEnrollmentDoc extends EnrollmentDoc {
  invited_by: number
  /** As the teacher gave it. The account may have another one by now. */
  email: string
}

const pendingEnrollmentSchema = defineSchema<PendingEnrollmentDoc>({
  ...enrollmentFields,
  invited_by: { type: Number, required: true },
  email: { type: String, required: true },
})
pendingEnrollmentSchema.index({ course_id: 1, enrolled_at: 1, _id: 1 })
pendingEnrollmentSchema.index({ user_id: 1 })

export const PendingEnrollmentModel = defineModel('PendingEnrollment', pendingEnrollmentSchema, 'pending_enrollments')
