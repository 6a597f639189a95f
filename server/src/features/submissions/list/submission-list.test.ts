import { overrideGrade } from '@assay/shared/grades.ts'
import {
  countSubmissions,
  deleteSubmissions,
  getSubmission,
  listSubmissionIds,
  listSubmissions,
} from '@assay/shared/submissions.ts'
import mongoose from 'mongoose'
import { beforeAll, describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { GradeDetailsModel } from '../../../records/grading/grade.model.ts'
import { RetainedGradeModel } from '../../../records/grading/retained-grade.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildAssignment, buildCourse, buildStudent } from '../../../testing/build-course.ts'
import { buildManySubmissions } from '../../../testing/build-many-submissions.ts'
import { type Caller, useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()

let teacher: Caller
let params: { assignmentId: number }

describe('a list of twelve', () => {
  let ids: number[] = []
  const list = async (query: object) =>
    (await teacher.send(listSubmissions, { params, query })).body.map(({ id }) => ids.indexOf(id))

  beforeAll(async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const ada = await buildStudent(courseId, { full_name: 'Ada Byron (Lovelace)' })
    teacher = api.as(instructor)
    const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
    params = { assignmentId }
    ids = await buildManySubmissions(assignmentId, 12, { graded: 1 })
    const change = (i: number, set: object) => SubmissionModel.updateOne({ _id: ids[i] }, { $set: set })
    await SubmissionModel.updateMany({ assignment_id: assignmentId }, { $set: { 'grade.needs_review': false } })
    for (let i = 0; i < 12; i++) {
      const score = (i * 7) % 12
      await change(i, { 'grade.overall_score': score, 'grade.final_score': score })
    }
    await change(3, { student_id: ada.id, student_identifier: ada.username })
    await change(4, { 'grade.needs_review': true, 'grade.released': true })
    await change(5, { 'grade.manual_score_override': 99, 'grade.final_score': 99 })
    await change(6, { grade: null, status: 'failed', failure: { code: 'damaged', message: '' } })
    await change(7, { grade: null, status: 'uploaded', late: true })
    await change(8, { status: 'failed', failure: { code: 'machine_full', message: '' } })
    await change(10, { 'grade.unscored_points': 4 })
    const kept = { placeholder: 'Deleted student 4f2a', final_score: 80, released_at: new Date() }
    await RetainedGradeModel.create({ _id: 990_001, assignment_id: assignmentId, ...kept })
    await RetainedGradeModel.create({ _id: 990_002, assignment_id: assignmentId + 1, ...kept })
    for (const i of [4, 5, 9]) await change(i, { 'grade.reviewed_at': new Date('2026-03-01') })
  })

  it('filters by kind, and counts each kind', async () => {
    expect(await list({ status: 'flagged' })).toEqual([4])
    expect(await list({ status: 'failed' })).toEqual([6, 8])
    expect(await list({ status: 'pending' })).toEqual([7])
    expect(await list({ status: 'late' })).toEqual([7])
    expect(await list({ status: 'reviewed' })).toEqual([5, 9])
    expect(await list({ status: 'suggested' })).toEqual([0, 1, 2, 3, 8, 11])
    expect(await list({ status: 'graded' })).toEqual([0, 1, 2, 3, 4, 5, 8, 9, 10, 11])
    expect(await list({ status: 'unmatched' })).not.toContain(3)
    const counts = await teacher.send(countSubmissions, { params })
    expect(counts.body).toEqual({
      all: 12,
      graded: 10,
      flagged: 1,
      held: 0,
      suggested: 6,
      reviewed: 2,
      by_hand: 1,
      failed: 2,
      failed_files: 1,
      pending: 1,
      unmatched: 11,
      late: 1,
      regrade: 0,
      unreleased: 9,
      unreleased_matched: 1,
      unreleased_reviewed: 2,
      unapproved: 7,
      outdated: 0,
      graded_unmatched: 9,
      retained: 1,
    })
    const page = await teacher.send(listSubmissions, { params, query: { status: 'graded', limit: 3 } })
    expect(page.headers.get('x-total-count')).toBe('10')
  })

  it('finds by name, identifier, file and number, without wildcards', async () => {
    expect(await list({ search: 'byron (love' })).toEqual([3])
    expect(await list({ search: 'STUDENT-00007' })).toEqual([7])
    expect(await list({ search: `#${ids[2]}` })).toEqual([2])
    expect(await list({ search: '.*' })).toEqual([])
    expect(await list({ search: 'student-0000', status: 'failed' })).toEqual([6, 8])
  })

  it('sorts both ways, papers without a score last', async () => {
    expect(await list({ direction: 'desc', limit: 2 })).toEqual([11, 10])
    expect((await list({ sort: 'score', direction: 'desc' })).slice(0, 2)).toEqual([5, 10])
    expect((await list({ sort: 'score', direction: 'desc' })).slice(-2)).toEqual([7, 6])
    expect((await list({ sort: 'score' })).slice(0, 1)).toEqual([0])
    expect((await list({ sort: 'score' })).slice(-2)).toEqual([6, 7])
    expect(await list({ sort: 'score', skip: 2, limit: 2 })).toEqual((await list({ sort: 'score' })).slice(2, 4))
    expect((await list({ sort: 'status' })).slice(0, 2)).toEqual([6, 8])
    expect((await list({ sort: 'submitted', direction: 'desc' })).slice(0, 2)).toEqual([11, 10])
  })

  it('sorts by the teacher’s score', async () => {
    const before = await list({ sort: 'score' })
    expect(await list({ sort: 'score', skip: 4, limit: 5 })).toEqual(before.slice(4, 9))
    expect(await list({ sort: 'score' })).toEqual(before)

    const override = async (i: number, overall_score: number | null) => {
      const own = { ...params, submissionId: ids[i] ?? 0 }
      const { body } = await teacher.send(getSubmission, { params: own })
      const given = { overall_score, human_review_notes: null, needs_review: body.needs_review }
      await teacher.send(overrideGrade, { params: { ...own, gradeId: body.grade?.id ?? 0 }, body: given })
    }
    await override(9, 100)
    expect((await list({ sort: 'score', direction: 'desc' })).slice(0, 2)).toEqual([9, 5])
    await override(9, null)
    expect(await list({ sort: 'score' })).toEqual(before)
  })

  it('gives a paper its neighbours in the list, even when the list no longer contains it', async () => {
    const place = async (i: number, query: object) => {
      const { body } = await teacher.send(getSubmission, { params: { ...params, submissionId: ids[i] ?? 0 }, query })
      const { position, total, previous_id, next_id } = body
      return [position, total, previous_id && ids.indexOf(previous_id), next_id && ids.indexOf(next_id)]
    }
    expect(await place(1, {})).toEqual([2, 12, 0, 2])
    expect(await place(1, { direction: 'desc' })).toEqual([11, 12, 2, 0])
    expect(await place(6, { status: 'failed' })).toEqual([1, 2, null, 8])
    expect(await place(7, { status: 'failed' })).toEqual([2, 3, 6, 8])
  })
})

describe('ten thousand', () => {
  it('are listed, selected and deleted, even if one of them is already gone', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    teacher = api.as(instructor)
    params = await buildAssignment(api, { instructor, courseId }, [])
    await buildManySubmissions(params.assignmentId, 9_999)
    for (const query of [{}, { skip: 9_000 }, { sort: 'score' }, { sort: 'status' }, { search: '0123' }] as const) {
      const page = await teacher.send(listSubmissions, { params, query: { ...query, limit: 50 } })
      expect(page.body.length).toBeGreaterThan(0)
    }
    const all = (await teacher.send(listSubmissionIds, { params })).body.map(({ id }) => id)
    const told: number[] = []
    server.running.services.events.onLocal('submissions_changed', (event) => told.push(event.assignmentId))
    const missing = Math.max(...all) + 1
    const gone = await teacher.send(deleteSubmissions, { params, body: { submission_ids: [...all, missing] } })
    expect(gone.body.results).toMatchObject({
      total_requested: 10_000,
      total_deleted: 9_999,
      failed_deletions: [],
      validation_failures: [{ id: missing }],
    })
    const { assignmentId } = params
    expect(told).toEqual([assignmentId])
    expect(await SubmissionModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
    expect(await GradeDetailsModel.countDocuments({ submission_id: { $in: all } })).toBe(0)
    const audited = { action: 'submission.deleted', 'subject.assignment_id': assignmentId }
    expect(await AuditModel.countDocuments(audited)).toBe(9_999)
  })
})

it('counts by indexes alone, and reads no papers but those that still lack points or failed', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  await buildManySubmissions(assignmentId, 3, { graded: 1 })
  const filters: Record<string, unknown>[] = []
  mongoose.set('debug', (collection: string, method: string, filter: Record<string, unknown>) => {
    if (collection === 'submissions' && method === 'countDocuments') filters.push(filter)
  })
  try {
    await api.as(instructor).send(countSubmissions, { params: { assignmentId } })
  } finally {
    mongoose.set('debug', false)
  }
  expect(filters.length).toBeGreaterThan(10)
  const withReads: unknown[] = []
  for (const query of filters) {
    const { queryPlanner } = (await mongoose.connection.db?.command({ explain: { count: 'submissions', query } })) ?? {}
    if (queryPlanner?.winningPlan.stage !== 'COUNT') withReads.push(query)
  }
  expect(withReads).toMatchObject([{ status: 'failed' }, { 'grade.unscored_points': { $gt: 0 } }])
})
