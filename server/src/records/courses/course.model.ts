import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface StoredGradebook {
  drop_lowest?: number
  /** By assignment id. Absent: weight 1. */
  assignments?: Record<string, { counts: boolean; weight: number }>
}

const courseSchema = schemaOf({
  _id: field.id(Number),
  name: field.required(String),
  description: field.nullable(String),
  course_code: field.nullable(String),
  /** Of calendar days. Absent: UTC. */
  time_zone: field.optional(String),
  created_by: field.required(Number),
  instructor_ids: field.required<number[]>([Number]),
  /** An LMS may remove those it has added. */
  lms_instructor_ids: field.optional<number[]>([Number], []),
  /** Null while joining by code is off. */
  join_code: field.optional<string | null>(String, null),
  /** Of inactivity, until student work is deleted; 0: never. Absent: the school's rule. */
  retention_months: field.optional(Number),
  gradebook: field.optional<StoredGradebook>(Mixed),
  created_at: field.required(Date),
  updated_at: field.required(Date),
})
export type CourseDoc = DocOf<typeof courseSchema>
courseSchema.index({ instructor_ids: 1, created_at: -1, _id: -1 })
courseSchema.index({ retention_months: 1 }, { sparse: true })
courseSchema.index({ join_code: 1 }, { unique: true, partialFilterExpression: { join_code: { $type: 'string' } } })
export const CourseModel = defineModel('Course', courseSchema, 'courses')

export const enrollmentFields = {
  _id: field.id(String),
  course_id: field.required(Number),
  user_id: field.required(Number),
  enrolled_at: field.required(Date),
  /** Who joined by code chose their name, so papers match them only by a verified address. Absent: a teacher. */
  added_by: field.optional<'teacher' | 'code' | 'lms'>(String, 'teacher'),
  /** From the roster, for this course only. */
  external_user_id: field.optional<string | null>(String, null),
  sis_user_id: field.optional<string | null>(String, null),
  canvas_user_id: field.optional<string | null>(String, null),
}
const enrollmentSchema = schemaOf({
  ...enrollmentFields,
  /** An LMS's, left out of statistics. */
  test_user: field.optional(Boolean, false),
})
export type EnrollmentDoc = DocOf<typeof enrollmentSchema>
enrollmentSchema.index({ course_id: 1, enrolled_at: 1, _id: 1 })
enrollmentSchema.index({ course_id: 1, test_user: 1 }, { partialFilterExpression: { test_user: true } })
enrollmentSchema.index({ user_id: 1, enrolled_at: -1, _id: -1 })
export const EnrollmentModel = defineModel('Enrollment', enrollmentSchema, 'enrollments')
