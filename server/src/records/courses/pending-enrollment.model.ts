import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'
import { enrollmentFields } from './course.model.ts'

/** Confirming the address, or accepting for the user ID, makes it an enrolment; until then the account sees nothing. */
const pendingEnrollmentSchema = schemaOf({
  ...enrollmentFields,
  invited_by: field.required(Number),
  /** As given by the teacher; empty for a user ID. */
  email: field.required(String),
  expires_at: field.optional<Date | null>(Date, null),
  /** Hidden from the teacher, who would learn that the user ID has an owner. */
  declined: field.optional<boolean>(Boolean),
})
export type PendingEnrollmentDoc = DocOf<typeof pendingEnrollmentSchema>
pendingEnrollmentSchema.index({ course_id: 1, enrolled_at: 1, _id: 1 })
pendingEnrollmentSchema.index({ user_id: 1 })
pendingEnrollmentSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const PendingEnrollmentModel = defineModel('PendingEnrollment', pendingEnrollmentSchema, 'pending_enrollments')
