import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

export interface CourseDoc {
  _id: number
  name: string
  description: string | null
  course_code: string | null
  created_by: number
  instructor_ids: number[]
  /** Those added by an LMS, which may remove them again. Absent: none. */
  lms_instructor_ids?: number[]
  /** Null while joining by code is off. */
  join_code?: string | null
  /** Months of inactivity until an assignment's student work is deleted; 0: never. Absent: the school's rule. */
  retention_months?: number
  created_at: Date
  updated_at: Date
}

const courseSchema = defineSchema<CourseDoc>({
  _id: Number,
  name: { type: String, required: true },
  description: { type: String, default: null },
  course_code: { type: String, default: null },
  created_by: { type: Number, required: true },
  instructor_ids: { type: [Number], required: true },
  lms_instructor_ids: { type: [Number], default: [] },
  join_code: { type: String, default: null },
  retention_months: Number,
  created_at: { type: Date, required: true },
  updated_at: { type: Date, required: true },
})
courseSchema.index({ instructor_ids: 1, created_at: -1, _id: -1 })
courseSchema.index({ retention_months: 1 }, { sparse: true })
courseSchema.index({ join_code: 1 }, { unique: true, partialFilterExpression: { join_code: { $type: 'string' } } })

export const CourseModel = defineModel('Course', courseSchema, 'courses')

export interface EnrollmentDoc {
  /** `course/user`, so that nobody is enrolled twice. */
  _id: string
  course_id: number
  user_id: number
  enrolled_at: Date
  /** Papers match students who joined by code, under any name, only by a verified address. Absent: a teacher. */
  added_by?: 'teacher' | 'code' | 'lms'
  /** The school's numbers from the roster, valid in this course only. */
  external_user_id?: string | null
  sis_user_id?: string | null
  /** A test student of an LMS, left out of statistics. */
  test_user?: boolean
}

export const enrollmentFields = {
  _id: String,
  course_id: { type: Number, required: true },
  user_id: { type: Number, required: true },
  enrolled_at: { type: Date, required: true },
  added_by: { type: String, default: 'teacher' },
  external_user_id: { type: String, default: null },
  sis_user_id: { type: String, default: null },
}
const enrollmentSchema = defineSchema<EnrollmentDoc>({
  ...enrollmentFields,
  test_user: { type: Boolean, default: false },
})
enrollmentSchema.index({ course_id: 1, enrolled_at: 1, _id: 1 })
enrollmentSchema.index({ course_id: 1, test_user: 1 }, { partialFilterExpression: { test_user: true } })
enrollmentSchema.index({ user_id: 1, enrolled_at: -1, _id: -1 })

export const EnrollmentModel = defineModel('Enrollment', enrollmentSchema, 'enrollments')
