import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { dismissSimilarPairs, getSimilarity, setSimilarity } from '@assay/shared/similarity.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { correctAnswer } from '@assay/shared/transcriptions.ts'
import { describe, expect, it } from 'vitest'
import { EventBus } from '../../lib/event-bus.ts'
import { SimilarityReportModel } from '../../records/grading/similarity-report.model.ts'
import { buildGraded, gradeAssignment } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'
import { findReport, similarityWork, storeCompared, storeComparing } from './similarity.service.ts'

const { api, server } = useTestApi()

const COPIED =
  'Frozen ponds wear a crusty jacket because hexagonal rings of bonded particles waste the space that sloshing ones share.'
const answers = [
  COPIED,
  `${COPIED} Honestly.`,
  'Ice is less dense than water because the molecules are held further apart in a lattice.',
  'Because it is cold and hard.',
  'It has air bubbles inside and so it swims on top of lakes in winter.',
  'The volume grows when it freezes, therefore a litre weighs less.',
  'Since steam is light, ice must be light as well.',
]

async function buildClass() {
  const { instructor, teacher, assignmentId, submissionIds, params } = await buildGraded(
    api,
    answers.map((answer) => [answer, 'B', '144']),
    { graded: false },
  )
  const read = async () => (await teacher.send(getSimilarity, { params })).body
  return {
    teacher,
    params,
    submissionIds,
    grade: () => gradeAssignment(api, instructor, assignmentId),
    enable: (enabled: boolean) => teacher.send(setSimilarity, { params, body: { enabled } }),
    read,
    compared: async () => {
      await expect.poll(async () => (await read()).state).toBe('done')
      return read()
    },
    dismiss: (pairId: string, dismissed: boolean) =>
      teacher.send(dismissSimilarPairs, { params, body: { pair_ids: [pairId], dismissed } }),
    correct: (submissionId: number, text: string) =>
      teacher.send(correctAnswer, {
        params: { ...params, submissionId, questionId: 'q1' },
        body: { text, revision: 0 },
      }),
  }
}

describe('similar answers', () => {
  it('are not looked for until a teacher asks, and then named with the words in common', async () => {
    const { grade, enable, read, compared, submissionIds } = await buildClass()
    await grade()
    expect(await read()).toEqual({ enabled: false, state: 'off', compared: null, pairs: [] })
    expect((await enable(true)).body).toMatchObject({ enabled: true, state: 'comparing' })
    const { pairs, compared: when } = await compared()
    expect(when?.papers).toBe(answers.length)
    const [pair, ...others] = pairs
    expect(others).toEqual([])
    expect(pair).toMatchObject({
      first: { submission_id: submissionIds[0] },
      second: { submission_id: submissionIds[1] },
      dismissed: null,
    })
    const [shared] = pair?.answers ?? []
    const [passage] = shared?.passages ?? []
    expect(shared).toMatchObject({ question_id: 'q1', kind: 'words' })
    expect(passage?.words).toBeGreaterThan(10)
    expect(shared?.first.slice(...(passage?.first ?? [0, 0]))).toContain('crusty jacket')
    expect(shared?.second.slice(...(passage?.second ?? [0, 0]))).toContain('crusty jacket')
    await enable(false)
    expect(await read()).toMatchObject({ enabled: false, pairs: [] })
  })

  it('are compared again after a run, and what was called no concern stays so', async () => {
    const { grade, enable, compared, dismiss, submissionIds } = await buildClass()
    await enable(true)
    expect((await compared()).pairs).toEqual([])
    await grade()
    await expect.poll(async () => (await compared()).pairs.length).toBe(1)
    const id = `${submissionIds[0]}-${submissionIds[1]}`
    expect((await dismiss(id, true)).body.pairs[0]?.dismissed).not.toBeNull()
    await enable(true)
    expect((await compared()).pairs[0]?.dismissed).not.toBeNull()
    expect((await dismiss(id, false)).body.pairs[0]?.dismissed).toBeNull()
    expect((await dismiss('1-2', true)).status).toBe(404)
  })

  it('are in no grade, history or export', async () => {
    const { grade, enable, compared, teacher, params, submissionIds } = await buildClass()
    await grade()
    const submission = { ...params, submissionId: submissionIds[0] ?? 0 }
    const readAll = async () =>
      JSON.stringify([
        (await teacher.send(getSubmission, { params: submission })).body,
        (await teacher.send(exportGrades, { params })).text,
        (await teacher.send(getGradeHistory, { params: submission })).body,
      ])
    const before = await readAll()
    await enable(true)
    expect((await compared()).pairs).toHaveLength(1)
    expect(await readAll()).toBe(before)
  })
})

describe('comparing papers', () => {
  it('goes on at the next start where its process ended', async () => {
    const { grade, enable, read, compared, params } = await buildClass()
    await grade()
    await enable(true)
    await compared()
    await SimilarityReportModel.updateOne({ _id: params.assignmentId }, { $set: { state: 'comparing', pairs: [] } })
    expect((await read()).pairs).toEqual([])
    // The server's events are heard already.
    await similarityWork({ ...server.running.services, events: new EventBus() }).resume?.()
    expect((await compared()).pairs).toHaveLength(1)
  })

  it('leaves the result of a comparison alone that was asked for again meanwhile', async () => {
    const { grade, enable, compared, params } = await buildClass()
    await grade()
    await enable(true)
    await compared()
    await storeComparing(params.assignmentId)
    const begun = await findReport(params.assignmentId)
    await storeComparing(params.assignmentId)
    const later = await findReport(params.assignmentId)
    if (!begun || !later) throw new Error('a report')
    await storeCompared(begun, { papers: 1, pairs: [] }, new Date())
    expect(await findReport(params.assignmentId)).toMatchObject({ state: 'comparing', papers: answers.length })
    await storeCompared(later, { papers: 2, pairs: [] }, new Date())
    expect(await findReport(params.assignmentId)).toMatchObject({ state: 'done', papers: 2 })
  })

  it('is done again once read words were corrected', async () => {
    const { grade, enable, compared, correct, submissionIds } = await buildClass()
    await grade()
    await enable(true)
    expect((await compared()).pairs).toHaveLength(1)
    await correct(submissionIds[1] ?? 0, 'It floats since water is heavier.')
    await correct(submissionIds[5] ?? 0, `${COPIED} Indeed.`)
    // Once the answers are scored by their new words.
    await expect
      .poll(async () =>
        (await compared()).pairs.map(({ first, second }) => [first.submission_id, second.submission_id]),
      )
      .toEqual([[submissionIds[0], submissionIds[5]]])
  })

  it('has stopped in an earlier version, and what was found before stays', async () => {
    const { grade, enable, read, compared, params } = await buildClass()
    await grade()
    await enable(true)
    await compared()
    await SimilarityReportModel.updateOne({ _id: params.assignmentId }, { $set: { state: 'stopped' } })
    expect(await read()).toMatchObject({ state: 'done', pairs: [{ dismissed: null }] })
  })
})
