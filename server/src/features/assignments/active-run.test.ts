import { expect, it } from 'vitest'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { buildEmptyAssignment } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'
import { requireAssignment } from './assignment.service.ts'
import { lockForRun, replaceStoredRubric, unlockFromRun } from './assignment-queries.ts'

const { api } = useTestApi()

const [ENDING, OTHER, NEXT] = [101, 102, 103]

/** An assignment as it was loaded while a run that has ended still had its lock. */
async function loadLocked() {
  const { assignmentId } = await buildEmptyAssignment(api)
  expect(await lockForRun(await requireAssignment(assignmentId), ENDING)).toBe(true)
  return { assignmentId, loaded: await requireAssignment(assignmentId) }
}

it('locks an assignment whose last run gave up its lock after it was loaded', async () => {
  const { assignmentId, loaded } = await loadLocked()
  await unlockFromRun(assignmentId, ENDING)
  expect(await lockForRun(loaded, NEXT)).toBe(true)
  expect((await AssignmentModel.findById(assignmentId).lean())?.active_run_id).toBe(NEXT)
})

it('does not lock one that another run has locked since', async () => {
  const { assignmentId, loaded } = await loadLocked()
  await unlockFromRun(assignmentId, ENDING)
  await lockForRun(await requireAssignment(assignmentId), OTHER)
  expect(await lockForRun(loaded, NEXT)).toBe(false)
})

it('lets a rubric be replaced after the run has given up its lock, and not once another has it', async () => {
  const { assignmentId, loaded } = await loadLocked()
  await unlockFromRun(assignmentId, ENDING)
  const change = { rubric: loaded.rubric, rubric_version: loaded.rubric_version + 1, updated_at: new Date() }
  const { rubric_made, rubric_check, extraction_version } = loaded
  const fields = { ...change, rubric_made, rubric_check, extraction_version }
  await lockForRun(await requireAssignment(assignmentId), OTHER)
  expect(await replaceStoredRubric(loaded, fields)).toBeNull()
  await unlockFromRun(assignmentId, OTHER)
  expect(await replaceStoredRubric(loaded, fields)).toMatchObject({ rubric_version: change.rubric_version })
})
