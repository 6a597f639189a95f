import mongoose from 'mongoose'

export interface CourseDoc {
  _id: number
  name: string
  description: string | null
  course_code: string | null
  created_by: number
  /** Who teaches it, the creator among them. */
  instructor_ids: number[]
  created_at: Date
  updated_at: Date
}

const courseSchema = new mongoose.Schema<CourseDoc>(
  {
    _id: Number,
    name: { type: String, required: true },
    description: { type: String, default: null },
    course_code: { type: String, default: null },
    created_by: { type: Number, required: true },
    instructor_ids: { type: [Number], required: true },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
  },
  { versionKey: false },
)
courseSchema.index({ instructor_ids: 1, created_at: -1, _id: -1 })

export const CourseModel = mongoose.model('Course', courseSchema, 'courses')

export interface EnrollmentDoc {
  /** `course/user`: enrolled twice, it stands once. */
  _id: string
  course_id: number
  user_id: number
  enrolled_at: Date
}

const enrollmentSchema = new mongoose.Schema<EnrollmentDoc>(
  {
    _id: String,
    course_id: { type: Number, required: true },
    user_id: { type: Number, required: true },
    enrolled_at: { type: Date, required: true },
  },
  { versionKey: false },
)
enrollmentSchema.index({ course_id: 1, enrolled_at: 1, _id: 1 })
enrollmentSchema.index({ user_id: 1, enrolled_at: -1, _id: -1 })

export const EnrollmentModel = mongoose.model('Enrollment', enrollmentSchema, 'enrollments')
