import { getStudentCourse, getStudentDashboard, listStudentAssignments } from '@assay/shared/students.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { handle } from '../../lib/handle.ts'
import { ownCourses, presentOwnAssignment, presentOwnCourse, requireOwnCourse } from './student.service.ts'
import { presentDashboard } from './student-dashboard.ts'

export function studentRoutes(): Router {
  const router = Router()

  handle(router, getStudentDashboard, async ({ actor }) => {
    allow('yes') // One's own courses and released grades, nothing else.
    return presentDashboard(await ownCourses(actor))
  })

  handle(router, getStudentCourse, async ({ params, actor }) => {
    const course = await requireOwnCourse(actor, params.courseId)
    allow('yes') // Loaded as the caller's own.
    return presentOwnCourse(course)
  })

  handle(router, listStudentAssignments, async ({ params, actor }) => {
    const { assignments } = await requireOwnCourse(actor, params.courseId)
    allow('yes') // Loaded as the caller's own.
    return assignments.map(presentOwnAssignment)
  })

  return router
}
