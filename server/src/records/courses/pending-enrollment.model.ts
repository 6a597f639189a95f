import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'
import { enrollmentFields } from './course.model.ts'

/**
 * For an unconfirmed address's owner: confirming makes it an enrolment; until then the account sees nothing. Or for
 * whoever has a user ID, if anybody: accepting makes it one.
 */
const pendingEnrollmentSchema = schemaOf({
  ...enrollmentFields,
  invited_by: field.required(Number),
  /** As the teacher gave it. The account may have another one by now. Empty for a user ID. */
  email: field.required(String),
  /** Of a user ID. */
  expires_at: field.optional<Date | null>(Date, null),
  /** By the owner of a user ID. It stays as it is to the teacher, who would else learn that there is an owner. */
  declined: field.optional<boolean>(Boolean),
})
export type PendingEnrollmentDoc = DocOf<typeof pendingEnrollmentSchema>
pendingEnrollmentSchema.index({ course_id: 1, enrolled_at: 1, _id: 1 })
pendingEnrollmentSchema.index({ user_id: 1 })
pendingEnrollmentSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const PendingEnrollmentModel = defineModel('PendingEnrollment', pendingEnrollmentSchema, 'pending_enrollments')
