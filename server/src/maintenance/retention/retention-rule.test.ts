import {
  getCourseRetention,
  previewCourseRetention,
  previewSchoolRetention,
  setCourseRetention,
} from '@assay/shared/retention.ts'
import { changeSystemSettings } from '@assay/shared/settings.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { CourseModel } from '../../records/courses/course.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'

import { retentionCutoff } from './retention-rule.ts'
import { DAY, pathOf, start, stored, useOldCourses } from './testing/use-old-courses.ts'

const school = useOldCourses()

describe('the rule of a course', () => {
  it('is the school’s until it has its own, which also shields it for ever', async () => {
    const admin = await buildPerson('admin')
    const [follows, never] = [await buildCourse(school.api), await buildCourse(school.api)]
    const [old, kept] = [await school.buildOld(follows), await school.buildOld(never)]
    const alone = await school.buildOld({ instructor: follows.instructor })
    await school.setRule(never, 0)
    await school.review({ all: true })
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()

    const before = await school.api.as(follows.instructor).send(getCourseRetention, pathOf(follows.courseId))
    expect(before.body).toEqual({ months: null, school_months: 0, effective_months: 0, upcoming: [] })
    try {
      await school.api.as(admin).send(changeSystemSettings, { body: { retention_months: 24 } })
      await school.idle()
      const { body } = await school.api.as(follows.instructor).send(getCourseRetention, pathOf(follows.courseId))
      expect(body).toMatchObject({ months: null, school_months: 24, effective_months: 24 })
      expect(body.upcoming).toMatchObject([{ assignment_id: old.assignmentId, papers: 2 }])
      expect((await stored(kept.assignmentId))?.retention_notice).toBeUndefined()
      expect((await stored(alone.assignmentId))?.retention_notice).toMatchObject({ papers: 2, mailed: true })
      expect((await school.mailsTo(follows.instructor)).map(({ subject }) => subject)).toHaveLength(2)
    } finally {
      await school.api.as(admin).send(changeSystemSettings, { body: { retention_months: null } })
    }
    await school.review()
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()
  })

  it('is audited with old and new, and once for the same', async () => {
    const built = await buildCourse(school.api)
    await school.setRule(built, 12)
    await school.setRule(built, 12)
    await school.setRule(built, null)
    const entries = await AuditModel.find({ action: 'course.retention_changed', 'subject.course_id': built.courseId })
      .sort({ _id: 1 })
      .lean()
    expect(entries).toMatchObject([
      { actor_id: built.instructor.id, before: { retention_months: null }, after: { retention_months: 12 } },
      { before: { retention_months: 12 }, after: { retention_months: null } },
    ])
  })

  it.each([-1, 1.5, 241])('is refused as %s months', async (months) => {
    const built = await buildCourse(school.api)
    const reply = await school.api
      .as(built.instructor)
      .send(setCourseRetention, { ...pathOf(built.courseId), body: { months } })
    expect(reply.status).toBe(422)
    expect((await CourseModel.findById(built.courseId).lean())?.retention_months).toBeUndefined()
  })

  it('says before a change what it would delete and spare', async () => {
    const built = await buildCourse(school.api)
    await school.buildOld(built, { papers: 3 })
    await school.buildOld(built, { years: 5, papers: 4 })
    const preview = async (months: number) =>
      (
        await school.api
          .as(built.instructor)
          .send(previewCourseRetention, { ...pathOf(built.courseId), query: { months } })
      ).body
    const delete_at = new Date(start + 14 * DAY).toISOString()
    const nothing = { assignments: 0, papers: 0, complete: true, noticed: 0, withdrawn: 0 }
    expect(await preview(24)).toEqual({ effective_months: 24, ...nothing, assignments: 2, papers: 7, delete_at })
    expect(await preview(48)).toMatchObject({ ...nothing, assignments: 1, papers: 4 })
    expect(await preview(0)).toMatchObject(nothing)
    await school.setRule(built, 48)
    expect(await preview(24)).toMatchObject({ ...nothing, assignments: 1, papers: 3, noticed: 1 })
    expect(await preview(120)).toMatchObject({ ...nothing, withdrawn: 1 })
  })
})

it('of the school says before a change what it would delete and spare, but for courses with a rule of their own', async () => {
  const admin = await buildPerson('admin')
  const [follows, own] = [await buildCourse(school.api), await buildCourse(school.api)]
  await school.buildOld(own, { years: 9 })
  await school.setRule(own, 0)
  const preview = async (months: number) =>
    (await school.api.as(admin).send(previewSchoolRetention, { query: { months } })).body
  const [before, never] = [await preview(100), await preview(0)]
  await school.buildOld(follows, { years: 9, papers: 3 })
  await school.buildOld({ instructor: follows.instructor }, { years: 9, papers: 4 })
  const { assignments, papers } = before
  expect(await preview(100)).toEqual({ ...before, assignments: assignments + 2, papers: papers + 7 })
  expect(await preview(0)).toEqual(never)
  try {
    await school.api.as(admin).send(changeSystemSettings, { body: { retention_months: 100 } })
    await school.idle()
    const noticed = before.noticed + assignments + 2
    expect(await preview(100)).toMatchObject({ assignments: 0, papers: 0, noticed, withdrawn: before.withdrawn })
    expect(await preview(0)).toMatchObject({
      assignments: 0,
      noticed: never.noticed,
      withdrawn: never.withdrawn + assignments + 2,
    })
  } finally {
    await school.api.as(admin).send(changeSystemSettings, { body: { retention_months: null } })
  }
})

it.each([
  ['2027-03-15T10:30:00.000Z', 24, '2025-03-15T10:30:00.000Z'],
  ['2027-08-31T10:00:00.000Z', 6, '2027-02-28T10:00:00.000Z'],
  ['2028-02-29T10:00:00.000Z', 12, '2027-02-28T10:00:00.000Z'],
  ['2027-01-31T10:00:00.000Z', 2, '2026-11-30T10:00:00.000Z'],
])('counts calendar months: from %s, %i back is %s', (now, months, cutoff) => {
  expect(retentionCutoff(months, new Date(now))?.toISOString()).toBe(cutoff)
})
